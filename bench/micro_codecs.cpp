// micro_codecs.cpp: Google Benchmark over the codec table: tiles in memory -> raw elements, one core. A codec in the
// table is measured without a further line here.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "codecs/codec.hpp"
#include "support/encoders.hpp"

namespace {

using namespace cuphoton::xdr;

/// Decodes one tile of each kind that the codec's encoder makes, in turn.
void decode(benchmark::State& state, const codec_row& row, const test::encoded_tile& tile) {
  std::vector<std::uint8_t> room(tile.raw.size() + raw_slack_bytes);
  for (auto _ : state) {
    const decoded_tile decoded =
        row.decode_tile(tile.parameters, {tile.bytes.data(), tile.bytes.size()}, tile.extents(), room);
    if (decoded.result.status != tile_status::ok) state.SkipWithError("the tile does not decode");
    const std::uint8_t* raw = decoded.raw;
    benchmark::DoNotOptimize(raw);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(tile.raw.size()));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::vector<test::encoded_tile>> all;  // outlives the benchmarks
  for (const codec_row& row : codec_table()) {
    all.push_back(test::make_tiles(row, 8192, 1));
    for (const test::encoded_tile& tile : all.back()) {
      benchmark::RegisterBenchmark((std::string(row.fits_name) + "/" + tile.name).c_str(),
                                   [&row, &tile](benchmark::State& state) { decode(state, row, tile); });
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
