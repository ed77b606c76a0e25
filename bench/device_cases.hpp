// device_cases.hpp: compressed sky images of many tiles as plans over bytes in memory, for benchmarks of the device
// engine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/source.hpp>

namespace cuphoton::xdr::bench {

/// u16: stored i16 with BZERO; i32_dithered: quantised, delivered as float32; i32: as it is; i32_mask: no sky, sigma
/// means nothing.
enum class pixel_kind { u16, i32_dithered, i32, i32_mask };

struct case_key {
  codec_id codec = codec_id::none;
  pixel_kind kind = pixel_kind::u16;
  double sigma = 15;
  std::int64_t rows_per_tile = 1;
};

/// `images` images of side x side pixels, one below the other, tiles of whole rows. Encoded on all cores.
struct made_case {
  std::vector<std::uint8_t> bytes;
  image_plan plan;
  std::uint64_t compressed_bytes = 0;
};
made_case make_case(const case_key& key, std::int64_t side, int images, std::uint64_t seed);

}  // namespace cuphoton::xdr::bench
