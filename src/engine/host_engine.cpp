// host_engine.cpp: steps 6 to 9 of the life of an image on the processor. A worker reads a piece of the file, decodes
// its tiles one by one and restores each while its raw pixels are still in the cache.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include <cuphoton/xdr/error.hpp>

#include "base/thread_pool.hpp"
#include "codecs/codec.hpp"
#include "engine/engine.hpp"
#include "io/coalesce.hpp"
#include "plan/geometry.hpp"
#include "restore/placement.hpp"
#include "restore/restore.hpp"

namespace cuphoton::xdr {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t gap_bytes = std::uint64_t{16} << 10;  // reading a small gap is cheaper than another call

struct tile_ref {
  const tile_group* group;
  std::size_t index;
  const tile_record& record() const { return group->tiles[index]; }
};

struct bad_tile {
  std::uint64_t tile_index = std::numeric_limits<std::uint64_t>::max();
  const tile_group* group = nullptr;
  tile_record record;
  tile_result result;
};

/// Memory that is never cleared and only grows.
class scratch {
 public:
  std::span<std::uint8_t> room(std::uint64_t length_bytes) {
    if (length_bytes > capacity_) {
      memory_.reset();  // first, so that old and new never exist together
      memory_.reset(new std::uint8_t[static_cast<std::size_t>(length_bytes)]);
      capacity_ = length_bytes;
    }
    return {memory_.get(), static_cast<std::size_t>(length_bytes)};
  }

 private:
  std::unique_ptr<std::uint8_t[]> memory_;
  std::uint64_t capacity_ = 0;
};

/// What one worker owns: nothing in it is shared.
struct worker_state {
  scratch compressed;
  scratch raw;
  scratch row;  // final pixels of a run with steps
  bad_tile worst;
  std::uint64_t bytes_read = 0;
  std::uint64_t surplus_tiles = 0;
  bool doubtful_zero_code = false;
};

class host_run {
 public:
  host_run(const image_plan& plan, const byte_source& source, std::span<std::uint8_t> out, unsigned threads)
      : plan_(plan), source_(source), out_(out), workers_(std::max(threads, 1U)) {
    if (!plan.groups.empty()) {
      rows_ = plan.section;
      const auto fastest = static_cast<std::size_t>(rows_.rank - 1);
      rows_.extent[fastest] = bounds_of(plan.section).extent[fastest];
      rows_.step[fastest] = 1;
      placement_ = make_placement(plan.grid, rows_);
    }
    for (const tile_group& group : plan.groups) {
      for (std::size_t index = 0; index < group.tiles.size(); ++index) tiles_.push_back({&group, index});
    }
    std::sort(tiles_.begin(), tiles_.end(), [](const tile_ref& a, const tile_ref& b) {
      const tile_record& x = a.record();
      const tile_record& y = b.record();
      return x.offset_bytes != y.offset_bytes ? x.offset_bytes < y.offset_bytes : x.tile_index < y.tile_index;
    });
    std::vector<byte_span> spans(tiles_.size());
    std::transform(tiles_.begin(), tiles_.end(), spans.begin(), [](const tile_ref& tile) {
      return byte_span{tile.record().offset_bytes, tile.record().length_bytes};
    });
    pieces_ = coalesce(spans, piece_bytes, gap_bytes);
  }

  run_facts run() {
    thread_pool::shared().parallel_for(
        static_cast<int>(pieces_.size()), static_cast<int>(workers_.size()), [this](int piece, int worker) {
          run_piece(pieces_[static_cast<std::size_t>(piece)], workers_[static_cast<std::size_t>(worker)]);
        });
    run_facts facts;
    bad_tile worst;
    for (const worker_state& worker : workers_) {
      facts.bytes_read += worker.bytes_read;
      facts.surplus_tiles += worker.surplus_tiles;
      facts.doubtful_zero_code |= worker.doubtful_zero_code;
      if (worker.worst.tile_index < worst.tile_index) worst = worker.worst;
    }
    if (worst.group != nullptr) report_bad_tile(plan_, *worst.group, worst.record, worst.result);
    for (const tile_group& group : plan_.groups) {
      facts.tiles[group.codec] += group.tiles.size();
      if (find_codec(group.codec)->alternative != nullptr) facts.gzip_decoder = "host";
    }
    return facts;
  }

 private:
  void run_piece(const read_piece& piece, worker_state& worker) const {
    const std::uint8_t* bytes = source_.view(piece.bytes.offset_bytes, piece.bytes.length_bytes);
    if (bytes == nullptr) {
      const auto room = worker.compressed.room(piece.bytes.length_bytes);
      source_.read(piece.bytes.offset_bytes, room);
      bytes = room.data();
    }
    worker.bytes_read += piece.bytes.length_bytes;
    for (std::size_t i = piece.first; i < piece.first + piece.count; ++i) {
      const tile_record& record = tiles_[i].record();
      run_tile(tiles_[i], {bytes + (record.offset_bytes - piece.bytes.offset_bytes), record.length_bytes}, worker);
    }
  }

  void run_tile(const tile_ref& tile, byte_view compressed, worker_state& worker) const {
    const tile_group& group = *tile.group;
    const codec_row& codec = *find_codec(group.codec);
    const box tile_pixels = tile_box(plan_.grid, tile.record().tile_index);
    const tile_extents extents = extents_of(plan_.grid, tile_pixels);
    const auto room = worker.raw.room(group.codec == codec_id::none
                                          ? raw_slack_bytes
                                          : extents.pixels() * group.capacity_bytes_per_pixel + raw_slack_bytes);
    decoded_tile decoded = codec.decode_tile(group.parameters, compressed, extents, room);
    if (decoded.result.status == tile_status::ok) {
      decoded.result.status = restore(tile, codec, decoded, tile_pixels, worker);
    }
    worker.surplus_tiles += decoded.result.surplus_input ? 1 : 0;
    if (decoded.result.status != tile_status::ok && tile.record().tile_index < worker.worst.tile_index) {
      worker.worst = {tile.record().tile_index, &group, tile.record(), decoded.result};
    }
  }

  tile_status restore(const tile_ref& tile, const codec_row& codec, const decoded_tile& decoded, const box& tile_pixels,
                      worker_state& worker) const {
    const tile_group& group = *tile.group;
    const tile_record& record = tile.record();
    const tile_status width = check_element_width(group.recipe, decoded.result.element_bytes);
    if (width != tile_status::ok) return width;
    raw_tile raw;
    raw.raw = decoded.raw;
    raw.pixels = static_cast<std::uint64_t>(pixel_count(tile_pixels));
    raw.tile_index = record.tile_index;
    raw.quant_scale = record.quant_scale;
    raw.quant_zero = record.quant_zero;
    raw.null_value = group.null_values.empty() ? group.recipe.null_value : group.null_values[tile.index];
    raw.layout = codec.layout;
    raw.element_bytes = decoded.result.element_bytes;
    placed_run run;
    for (std::uint64_t first = 0; first < raw.pixels; first = run.end) {
      run = locate(placement_, record.tile_index, first);
      if (run.target < 0) continue;
      const restore_outcome outcome = restore_pixels(group.recipe, raw, first, run, worker);
      worker.doubtful_zero_code |= outcome.doubtful_zero_code;
      if (outcome.status != tile_status::ok) return outcome.status;
    }
    return tile_status::ok;
  }

  /// A run of the tile to its place. With steps along the fastest axis it is restored whole, then every step-th pixel
  /// is taken: `rows_` is the section with all pixels of its rows.
  restore_outcome restore_pixels(const pixel_recipe& recipe, const raw_tile& raw, std::uint64_t first,
                                 const placed_run& run, worker_state& worker) const {
    const auto pixel_bytes = static_cast<std::uint64_t>(size_bytes(plan_.output_type));
    const auto target = static_cast<std::uint64_t>(run.target);
    const std::uint64_t count = run.end - first;
    const auto fastest = static_cast<std::size_t>(plan_.section.rank - 1);
    const auto step = static_cast<std::uint64_t>(plan_.section.step[fastest]);
    if (step == 1) return restore_run(recipe, raw, first, count, out_.data() + target * pixel_bytes);
    std::uint8_t* const row = worker.row.room(count * pixel_bytes).data();
    const restore_outcome outcome = restore_run(recipe, raw, first, count, row);
    const auto length = static_cast<std::uint64_t>(rows_.extent[fastest]);
    for (std::uint64_t pixel = 0; pixel < count; ++pixel) {
      const std::uint64_t column = (target + pixel) % length;
      if (column % step != 0) continue;
      const std::uint64_t to = (target + pixel) / length * static_cast<std::uint64_t>(plan_.section.extent[fastest]);
      std::memcpy(out_.data() + (to + column / step) * pixel_bytes, row + pixel * pixel_bytes, pixel_bytes);
    }
    return outcome;
  }

  const image_plan& plan_;
  const byte_source& source_;
  std::span<std::uint8_t> out_;
  strided_box rows_;
  placement_grid placement_;
  std::vector<tile_ref> tiles_;
  std::vector<read_piece> pieces_;
  std::vector<worker_state> workers_;
};

class host_engine_type final : public engine {
 public:
  const char* name() const noexcept override { return "host"; }

  run_facts run(const image_plan& plan, const byte_source& source, const run_target& target,
                const read_options& options) const override {
    if (target.space != memory_space::host) {
      throw error(errc::internal, {plan.file, plan.hdu_index}, "the host engine writes host memory only");
    }
    try {
      const unsigned threads = options.threads != 0 ? options.threads : static_cast<unsigned>(process_cores());
      return host_run(plan, source, {target.data, static_cast<std::size_t>(target.size_bytes)}, threads).run();
    } catch (const std::bad_alloc&) {
      throw error(errc::out_of_memory, {plan.file, plan.hdu_index},
                  "not enough host memory to decode the image: read a section");
    }
  }
};

}  // namespace

const engine& host_engine() noexcept {
  static const host_engine_type the_engine;
  return the_engine;
}

}  // namespace cuphoton::xdr
