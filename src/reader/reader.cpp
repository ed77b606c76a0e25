// reader.cpp: steps 1 to 9 of the life of an image (docs/life-of-an-image.md) for one image.
#include <cuphoton/xdr/reader.hpp>

#include <optional>
#include <string>
#include <utility>

#include "codecs/codec.hpp"
#include "engine/engine.hpp"
#include "plan/build.hpp"
#include "reader/checksums.hpp"
#include "reader/device_image.hpp"
#include "reader/policy.hpp"
#include "reader/probe.hpp"
#include "reader/select.hpp"

namespace cuphoton::xdr {
namespace {

struct chosen_engine {
  const engine* runs;
  std::vector<reason> reasons;  // why nothing better does
};

/// Why the gzip decoder that the options name cannot decode the plan on a GPU; nothing where no tile asks for it.
std::optional<reason> decoder_obstacle(const image_plan& plan, const read_options& options) {
  const auto pixels = static_cast<std::uint64_t>(pixel_count(plan.grid.tile_shape));
  for (const tile_group& group : plan.groups) {
    const codec_row* const row = find_codec(group.codec);
    if (row == nullptr || row->alternative == nullptr || group.tiles.empty()) continue;
    const device_alternative* const named = row->alternative(options);
    if (named == nullptr) continue;
    if (auto why = named->obstacle(options, pixels * group.capacity_bytes_per_pixel)) {
      why->hdu = plan.hdu_index;
      return why;
    }
  }
  return std::nullopt;
}

/// Before any file is touched.
void check_choices(const read_options& options) {
  if (can_go_together(options.gzip_decoder, options.decompression_backend)) return;
  throw error(errc::invalid_argument, {},
              "decompression_backend 'hardware' goes with gzip_decoder 'auto' or 'gzip', not with '" +
                  std::string(name(options.gzip_decoder)) + "'");
}

chosen_engine choose_engine(const image_plan& plan, const read_options& options) {
  check_choices(options);
  const capabilities here = capabilities_for(options.device, device_bytes_for(plan, options.restore));
  std::optional<reason> refused;
  if (!here.device && options.engine != engine_choice::host) refused = decoder_obstacle(plan, options);
  decision choice = decide(plan, here, options.engine, options.restore, refused);
  if (!choice.engine) {
    const where place{plan.file, plan.hdu_index};
    std::string text = choice.reasons.front().detail;
    if (options.engine == engine_choice::gpu && decide(plan, probe_capabilities(), engine_choice::host).engine) {
      text += "; or choose the engine host, which can read the image";
    }
    throw error(errc::unsupported, place, std::move(text), choice.reasons);
  }
  return {*choice.engine == engine_kind::gpu ? device_engine() : &host_engine(), std::move(choice.reasons)};
}

/// What happened, in the words of a receipt.
void tell(const image_plan& plan, const run_facts& run, receipt& facts) {
  facts.bytes_read += run.bytes_read;
  for (const auto& [codec, count] : run.tiles) {
    const codec_row& row = *find_codec(codec);
    facts.tiles[std::string(row.fits_name)] += count;
    if (row.checks.empty()) continue;
    facts.checks.emplace_back(run.crc32_verified ? row.checks : "ISIZE");
  }
  facts.gzip_decoder = run.gzip_decoder;
  facts.notes = plan.notes;
  facts.notes.insert(facts.notes.end(), run.notes.begin(), run.notes.end());
  if (run.surplus_tiles > 0) {
    facts.notes.push_back(std::to_string(run.surplus_tiles) + " tiles had bytes after the end of their stream");
  }
  if (run.doubtful_zero_code) {
    facts.notes.push_back(
        "SUBTRACTIVE_DITHER_2 data hold -2147483647, which FITS 4.0 calls the code of zero: "
        "decoded as an ordinary number, as CFITSIO and Astropy do");
  }
}

void check_source(const image_plan& plan, const byte_source& source) {
  const where place{plan.file, plan.hdu_index};
  if (source.size_bytes() != plan.file_bytes) {
    throw error(errc::invalid_argument, place,
                "the plan was made for a file of " + std::to_string(plan.file_bytes) + " bytes, this one has " +
                    std::to_string(source.size_bytes()) + ": plan again");
  }
}

void check_target(const image_plan& plan, const run_target& target) {
  const where place{plan.file, plan.hdu_index};
  const auto width = static_cast<std::uint64_t>(size_bytes(plan.output_type));
  const auto wanted = static_cast<std::uint64_t>(pixel_count(plan.section)) * width;
  if (target.size_bytes != wanted) {
    throw error(
        errc::shape_mismatch, place,
        "the output holds " + std::to_string(target.size_bytes) + " bytes, the image needs " + std::to_string(wanted));
  }
  if (reinterpret_cast<std::uintptr_t>(target.data) % width != 0) {
    throw error(errc::invalid_argument, place, "the output is not aligned for " + std::string(name(plan.output_type)));
  }
}

/// The sums of the HDU of a plan that was made before, where they are asked for.
std::optional<checksum_report> sums_for(const byte_source& source, const image_plan& plan,
                                        const read_options& options) {
  if (!options.checksum) return std::nullopt;
  check_source(plan, source);  // else the HDU is one of another file
  const fits::hdu unit = select_hdu(source, hdu_selector::number(plan.hdu_index), options.caps);
  return expect_good_checksums(source, unit, options.threads);
}

/// Steps 6 to 9 for a valid plan.
receipt run(const byte_source& source, const image_plan& plan, const run_target& target, const read_options& options,
            chosen_engine choice, const std::optional<checksum_report>& sums) {
  receipt facts;
  facts.reasons = std::move(choice.reasons);
  facts.file = plan.file;
  facts.hdu_index = plan.hdu_index;
  facts.version = std::string(library_version());
  facts.requested = options;
  facts.io_backend = source.backend();
  if (const outer_compression* outer = source.unpacked()) facts.outer = *outer;
  facts.codec_name = plan.codec_name;
  const engine& chosen = *choice.runs;
  check_source(plan, source);
  check_target(plan, target);
  facts.engine = chosen.name();
  facts.restore = &chosen == &host_engine()                      ? "host"
                  : options.restore == restore_variant::separate ? "separate"
                                                                 : "fused";
  try {
    if (&chosen == &host_engine() && target.space == memory_space::device) {
      image decoded(plan.output_type, shape_of(plan.section));
      const run_target host{decoded.data(), decoded.size_bytes(), memory_space::host, {}};
      tell(plan, chosen.run(plan, source, host, options), facts);
      upload(decoded.bytes(), target, options);
    } else {
      tell(plan, chosen.run(plan, source, target, options), facts);
    }
  } catch (const error& problem) {
    where place = problem.place();  // a source and a device do not know which HDU they serve
    if (place.file.empty()) place.file = plan.file;
    if (place.hdu < 0) place.hdu = plan.hdu_index;
    throw error(problem.code(), std::move(place), problem.message(), problem.reasons(), problem.os_error());
  }
  if (sums) tell_checksums(*sums, facts);
  facts.bytes_delivered = target.size_bytes;
  return facts;
}

/// Step 3, with what is to be known of a file that was unpacked.
image_plan plan_unit(const byte_source& source, const fits::hdu& unit, const read_options& options) {
  image_plan made = plan_image(source, unit, options);
  if (const outer_compression* outer = source.unpacked()) {
    made.notes.insert(made.notes.end(), outer->notes.begin(), outer->notes.end());
    made.notes.push_back("the file is compressed by " + outer->packer + ": offsets are of its " +
                         std::to_string(outer->unpacked_bytes) + " unpacked bytes");
  }
  return made;
}

/// Memory for the result, then steps 6 to 9, for a valid plan.
image read_planned(const byte_source& source, const image_plan& plan, const read_options& options,
                   const std::optional<checksum_report>& sums) {
  chosen_engine choice = choose_engine(plan, options);  // refused before memory is taken
  check_budget(plan, options.caps);
  const shape extents = shape_of(plan.section);
  const memory_space decoded_in = choice.runs == &host_engine() ? memory_space::host : memory_space::device;
  image result = options.space.value_or(decoded_in) == memory_space::device
                     ? make_device_image(plan.output_type, extents, options.device)
                     : image(plan.output_type, extents);
  const run_target target{result.data(), result.size_bytes(), result.space(), {}};
  result.set_facts(run(source, plan, target, options, std::move(choice), sums));
  result.scale = plan.scale;
  result.zero = plan.zero;
  result.null_value = plan.null_value;
  return result;
}

}  // namespace

std::string_view library_version() noexcept {
  return XDR_VERSION;
}

image_plan plan(const byte_source& source, const hdu_selector& which, const read_options& options) {
  check_choices(options);
  return plan_unit(source, select_hdu(source, which, options.caps), options);
}

image read(const byte_source& source, const hdu_selector& which, const read_options& options) {
  check_choices(options);
  const fits::hdu unit = select_hdu(source, which, options.caps);
  std::optional<checksum_report> sums;  // before planning: a table that is damaged should be called so
  if (options.checksum && !unit.problem) sums = expect_good_checksums(source, unit, options.threads);
  // What plan_image made needs no second look; `validate` sorts all tiles.
  return read_planned(source, plan_unit(source, unit, options), options, sums);
}

image read(const byte_source& source, const image_plan& plan, const read_options& options) {
  validate(plan);
  return read_planned(source, plan, options, sums_for(source, plan, options));
}

receipt read_into(const byte_source& source, const image_plan& plan, std::span<std::uint8_t> out,
                  const read_options& options) {
  validate(plan);
  const run_target target{out.data(), out.size(), memory_space::host, {}};
  return run(source, plan, target, options, choose_engine(plan, options), sums_for(source, plan, options));
}

receipt read_into_device(const byte_source& source, const image_plan& plan, void* out, std::size_t length_bytes,
                         const read_options& options, stream_view stream) {
  validate(plan);
  const run_target target{static_cast<std::uint8_t*>(out), length_bytes, memory_space::device, stream};
  return run(source, plan, target, options, choose_engine(plan, options), sums_for(source, plan, options));
}

}  // namespace cuphoton::xdr
