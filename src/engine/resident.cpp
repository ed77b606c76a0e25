// resident.cpp: see resident.hpp. Compiled in builds with CUDA only.
#if defined(XDR_HAVE_CUDA)
#include "engine/resident.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include <cuphoton/xdr/error.hpp>

#include "codecs/codec.hpp"
#include "io/coalesce.hpp"
#include "io/device_read.hpp"
#include "io/memory.hpp"
#include "restore/separate.hpp"

namespace cuphoton::xdr {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{16} << 20;  // cut into ring slots later
constexpr std::uint64_t gap_bytes = std::uint64_t{64} << 10;    // a gap costs a copy less than another copy does
constexpr std::uint64_t arena_alignment = 256;

/// Next offset >= `at` that is equal to `wanted` modulo the alignment: bytes that are aligned in the file stay so.
std::uint64_t align_like(std::uint64_t at, std::uint64_t wanted) {
  const std::uint64_t shift = (wanted % arena_alignment + arena_alignment - at % arena_alignment) % arena_alignment;
  return at + shift;
}

struct placed_tile {
  byte_span bytes;
  std::size_t group;
  std::size_t index;
};

}  // namespace

/// What is uploaded, and where the file's bytes go.
struct resident_image::host_tables {
  std::vector<device_span> spans;  // file -> arena
  std::uint64_t arena_bytes = 0;
  std::vector<std::vector<std::uint64_t>> arena_offset;  // for each group and tile of the plan
  std::vector<std::uint8_t> bytes;                       // records and null values of all groups
  std::vector<std::size_t> records_at;                   // for each group
  std::vector<std::size_t> nulls_at;

  explicit host_tables(const image_plan& plan) {
    std::vector<placed_tile> tiles;
    for (std::size_t group = 0; group < plan.groups.size(); ++group) {
      const auto& records = plan.groups[group].tiles;
      arena_offset.emplace_back(records.size());
      for (std::size_t i = 0; i < records.size(); ++i) {
        tiles.push_back({{records[i].offset_bytes, records[i].length_bytes}, group, i});
      }
    }
    std::sort(tiles.begin(), tiles.end(),
              [](const placed_tile& a, const placed_tile& b) { return a.bytes.offset_bytes < b.bytes.offset_bytes; });
    std::vector<byte_span> sorted(tiles.size());
    std::transform(tiles.begin(), tiles.end(), sorted.begin(), [](const placed_tile& tile) { return tile.bytes; });
    for (const read_piece& piece : coalesce(sorted, piece_bytes, gap_bytes)) {
      const std::uint64_t at = align_like(arena_bytes, piece.bytes.offset_bytes);
      spans.push_back({piece.bytes.offset_bytes, piece.bytes.length_bytes, at});
      for (std::size_t i = piece.first; i < piece.first + piece.count; ++i) {
        arena_offset[tiles[i].group][tiles[i].index] = at + (tiles[i].bytes.offset_bytes - piece.bytes.offset_bytes);
      }
      arena_bytes = at + piece.bytes.length_bytes;
    }
  }

  /// Longest tiles first, so that none begins when all others are done.
  std::vector<std::uint32_t> add_group(const tile_group& group, const std::vector<std::uint64_t>& offsets) {
    std::vector<std::uint32_t> order(group.tiles.size());
    std::iota(order.begin(), order.end(), 0U);
    if (group.codec != codec_id::none) {
      std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t first = group.tiles[a].length_bytes;
        const std::uint32_t second = group.tiles[b].length_bytes;
        return first != second ? first > second : a < b;
      });
    }
    records_at.push_back(bytes.size());
    for (const std::uint32_t tile : order) {
      tile_record record = group.tiles[tile];
      record.offset_bytes = offsets[tile];
      append(&record, sizeof record);
    }
    nulls_at.push_back(bytes.size());
    if (!group.null_values.empty()) {
      for (const std::uint32_t tile : order) append(&group.null_values[tile], sizeof(std::int64_t));
    }
    return order;
  }

 private:
  void append(const void* data, std::size_t length_bytes) {
    const auto* from = static_cast<const std::uint8_t*>(data);
    bytes.insert(bytes.end(), from, from + length_bytes);
  }
};

resident_image::resident_image(const image_plan& plan, const byte_source& source, device::device_context& context,
                               device::work_slot& slot, unsigned threads, const read_options& options)
    : plan_(plan), context_(context), slot_(slot) {
  host_tables tables(plan);
  for (std::size_t group = 0; group < plan.groups.size(); ++group) {
    sources_.push_back(&plan.groups[group]);
    first_result_.push_back(tile_count_);
    tile_count_ += static_cast<std::uint32_t>(plan.groups[group].tiles.size());
    order_.push_back(tables.add_group(plan.groups[group], tables.arena_offset[group]));
    const codec_row& row = *find_codec(plan.groups[group].codec);
    const device_alternative* const named = row.alternative != nullptr ? row.alternative(options) : nullptr;
    if (named != nullptr) alternative_ = named;
    codecs_.push_back(named != nullptr ? named->device : row.device);
  }
  const device::stream_handle work = slot.work.get();
  arena_ = device::buffer(context.memory(), tables.arena_bytes + arena_slack_bytes, work);
  clear_gaps(tables);
  tables_ = device::buffer(context.memory(), std::max<std::size_t>(tables.bytes.size(), 1), work);
  results_ = device::buffer(context.memory(), sizeof(run_summary) + tile_count_ * sizeof(tile_result), work);
  summary_ = reinterpret_cast<run_summary*>(results_.data());
  all_results_ = reinterpret_cast<tile_result*>(results_.data() + sizeof(run_summary));
  place_tables(tables);
  std::uint64_t scratch_bytes = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    scratch_bytes = std::max(scratch_bytes, codecs_[i]->scratch_bytes(groups_[i]));
  }
  if (scratch_bytes > 0) scratch_ = device::buffer(context.memory(), scratch_bytes, work);
  read(source, tables, threads);
}

void resident_image::clear_gaps(const host_tables& tables) {
  const auto clear = [&](std::uint64_t from, std::uint64_t to) {
    if (from == to) return;
    device::call("clear a gap", &device::api_table::fill, arena_.data() + from, 0, static_cast<std::size_t>(to - from),
                 slot_.work.get());
  };
  std::uint64_t end = 0;
  for (const device_span& span : tables.spans) {
    clear(end, span.arena_bytes);
    end = span.arena_bytes + span.length_bytes;
  }
  clear(end, tables.arena_bytes + arena_slack_bytes);
}

void resident_image::place_tables(const host_tables& tables) {
  const placement_grid placement = make_placement(plan_.grid, plan_.section);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const tile_group& from = *sources_[i];
    device_group group;
    group.arena = arena_.data();
    group.tiles = reinterpret_cast<const tile_record*>(tables_.data() + tables.records_at[i]);
    if (!from.null_values.empty()) {
      group.null_values = reinterpret_cast<const std::int64_t*>(tables_.data() + tables.nulls_at[i]);
    }
    group.results = all_results_ + first_result_[i];
    group.findings = &summary_->findings;
    group.count = static_cast<std::uint32_t>(from.tiles.size());
    group.capacity_bytes_per_pixel = from.capacity_bytes_per_pixel;
    group.null_value = from.recipe.null_value;
    group.largest_tile_pixels = static_cast<std::uint64_t>(pixel_count(plan_.grid.tile_shape));
    for (const tile_record& tile : from.tiles) {
      group.largest_tile_bytes = std::max(group.largest_tile_bytes, tile.length_bytes);
    }
    group.parameters = from.parameters;
    group.rule = make_rule(from.recipe);
    group.placement = placement;
    group.layout = find_codec(from.codec)->layout;
    groups_.push_back(group);
  }
}

void resident_image::read(const byte_source& source, const host_tables& tables, unsigned threads) {
  // Not memory_source, which would unpack a table that begins like a packed file.
  const auto uploaded = io::open_memory(tables.bytes, "<tile table>");
  const device_span all{0, tables.bytes.size(), 0};
  read_to_device(*uploaded, {&all, 1}, tables_.data(), context_, slot_, 1);
  read_to_device(source, tables.spans, arena_.data(), context_, slot_, threads);
  for (const device_span& span : tables.spans) bytes_read_ += span.length_bytes;
}

void resident_image::decode(std::uint8_t* out, bool verify_crc32, restore_variant variant) {
  const device::stream_handle work = slot_.work.get();
  const bool separate = variant == restore_variant::separate;
  if (separate && intermediate_.data() == nullptr) {
    const auto pixels = static_cast<std::size_t>(pixel_count(plan_.section));
    intermediate_ =
        device::buffer(context_.memory(), pixels * static_cast<std::size_t>(size_bytes(plan_.output_type)), work);
  }
  verified_ = verify_crc32;
  preset(all_results_, tile_count_, summary_, work);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    groups_[i].out = out;
    groups_[i].verify_crc32 = verify_crc32;
    device_group first = groups_[i];
    if (separate) {
      first.rule = decode_stage(first.rule);
      first.out = intermediate_.data();
    }
    codecs_[i]->decode(first, scratch_.data(), scratch_.size_bytes(), work);
    if (separate) launch_stages(groups_[i], intermediate_.data(), work);
    summarize(groups_[i], first_result_[i], summary_, work);
  }
}

run_facts resident_image::finish() {
  run_summary summary;
  auto slot = context_.ring().acquire();
  slot.copy_from(summary_, sizeof summary, slot_.work.get());
  slot.wait();
  std::memcpy(&summary, slot.data(), sizeof summary);
  slot.release();
  if (summary.worst != no_bad_tile) {
    const auto place = static_cast<std::uint32_t>(summary.worst);
    std::size_t group = groups_.size() - 1;
    while (first_result_[group] > place) --group;
    const std::uint32_t tile = order_[group][place - first_result_[group]];
    tile_result result;
    copy_results(place, 1, &result);
    report_bad_tile(plan_, *sources_[group], sources_[group]->tiles[tile], result);
  }
  run_facts facts;
  facts.bytes_read = bytes_read_;
  facts.surplus_tiles = summary.surplus_tiles;
  facts.doubtful_zero_code = (summary.findings & found_doubtful_zero_code) != 0;
  facts.crc32_verified = verified_ || alternative_ != nullptr;
  tell_gzip_decoder(facts, (summary.findings & found_second_decoder) != 0);
  for (const tile_group* group : sources_) facts.tiles[group->codec] += group->tiles.size();
  return facts;
}

void resident_image::tell_gzip_decoder(run_facts& facts, bool second_decoder) const {
  const bool any = std::any_of(sources_.begin(), sources_.end(), [](const tile_group* group) {
    return find_codec(group->codec)->alternative != nullptr;
  });
  if (!any) return;
  facts.gzip_decoder = alternative_ != nullptr ? alternative_->name : "builtin";
  if (alternative_ == nullptr) return;
  facts.notes.push_back(alternative_->note());
  if (!second_decoder) return;
  if (alternative_->alone) {
    const std::string text =
        "decompression_backend 'hardware': some tiles were not decoded by the engine as their CRC32 and ISIZE demand, "
        "or have bytes after their stream: use 'auto' or 'cuda'";
    throw error(errc::unsupported, {plan_.file, plan_.hdu_index}, text,
                {{reason_code::hardware_unavailable, plan_.hdu_index, text}});
  }
  facts.notes.emplace_back(
      "some tiles were decoded by the built-in decoder: they have bytes after their stream, or what nvCOMP made of "
      "them "
      "was not what their CRC32 and ISIZE demand");
}

void resident_image::copy_results(std::uint32_t first, std::uint32_t count, tile_result* out) const {
  if (count == 0) return;
  const std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(out), count * sizeof(tile_result));
  copy_to_host(reinterpret_cast<const std::uint8_t*>(all_results_ + first), bytes, context_, slot_, 1);
}

std::vector<tile_result> resident_image::copy_results() const {
  std::vector<tile_result> as_decoded(tile_count_);
  copy_results(0, tile_count_, as_decoded.data());
  std::vector<tile_result> as_planned(tile_count_);
  for (std::size_t group = 0; group < order_.size(); ++group) {
    for (std::size_t i = 0; i < order_[group].size(); ++i) {
      as_planned[first_result_[group] + order_[group][i]] = as_decoded[first_result_[group] + i];
    }
  }
  return as_planned;
}

}  // namespace cuphoton::xdr
#endif
