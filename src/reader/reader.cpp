// reader.cpp: steps 1 to 9 of the life of an image (docs/life-of-an-image.md) for one image.
#include <cuphoton/xdr/reader.hpp>

#include <string>
#include <utility>

#include "base/thread_pool.hpp"
#include "codecs/codec.hpp"
#include "engine/engine.hpp"
#include "plan/build.hpp"
#include "reader/policy.hpp"
#include "reader/select.hpp"

namespace cuphoton::xdr {
namespace {

const engine& engine_for(const image_plan& plan, const read_options& options, receipt& facts) {
  const decision choice = decide(plan, probe_capabilities(), options.engine);
  facts.reasons = choice.reasons;
  if (!choice.engine) {
    const where place{plan.file, plan.hdu_index};
    throw error(errc::unsupported, place, choice.reasons.front().detail, choice.reasons);
  }
  return host_engine();  // the GPU engine is never chosen while capabilities say that there is none
}

/// What happened, in the words of a receipt.
void tell(const image_plan& plan, const run_facts& run, receipt& facts) {
  facts.bytes_read = run.bytes_read;
  for (const auto& [codec, count] : run.tiles) {
    const codec_row& row = *find_codec(codec);
    facts.tiles[std::string(row.fits_name)] += count;
    if (!row.checks.empty()) facts.checks.emplace_back(row.checks);
  }
  facts.notes = plan.notes;
  if (run.surplus_tiles > 0) {
    facts.notes.push_back(std::to_string(run.surplus_tiles) + " tiles had bytes after the end of their stream");
  }
  if (run.doubtful_zero_code) {
    facts.notes.push_back(
        "SUBTRACTIVE_DITHER_2 data hold -2147483647, which FITS 4.0 calls the code of zero: "
        "decoded as an ordinary number, as CFITSIO and Astropy do");
  }
}

void check_target(const image_plan& plan, const byte_source& source, std::span<const std::uint8_t> out) {
  const where place{plan.file, plan.hdu_index};
  if (source.size_bytes() != plan.file_bytes) {
    throw error(errc::invalid_argument, place,
                "the plan was made for a file of " + std::to_string(plan.file_bytes) + " bytes, this one has " +
                    std::to_string(source.size_bytes()) + ": plan again");
  }
  const auto width = static_cast<std::uint64_t>(size_bytes(plan.output_type));
  const auto wanted = static_cast<std::uint64_t>(pixel_count(plan.section)) * width;
  if (out.size() != wanted) {
    throw error(errc::shape_mismatch, place,
                "the output holds " + std::to_string(out.size()) + " bytes, the image needs " + std::to_string(wanted));
  }
  if (reinterpret_cast<std::uintptr_t>(out.data()) % width != 0) {
    throw error(errc::invalid_argument, place, "the output is not aligned for " + std::string(name(plan.output_type)));
  }
}

void check_budget(const image_plan& plan, const limits& caps) {
  const auto pixels = static_cast<std::uint64_t>(pixel_count(plan.section));
  if (pixels <= caps.max_bytes / static_cast<std::uint64_t>(size_bytes(plan.output_type))) return;
  const std::string text = "the image is larger than the limit of " + std::to_string(caps.max_bytes) +
                           " bytes: read a section or raise max_bytes";
  throw error(errc::unsupported, {plan.file, plan.hdu_index}, text,
              {{reason_code::memory_limit, plan.hdu_index, text}});
}

}  // namespace

std::string_view library_version() noexcept {
  return XDR_VERSION;
}

image_plan plan(const byte_source& source, const hdu_selector& which, const read_options& options) {
  return plan_image(source, select_hdu(source, which, options.caps), options);
}

image read(const byte_source& source, const hdu_selector& which, const read_options& options) {
  return read(source, plan(source, which, options), options);
}

image read(const byte_source& source, const image_plan& plan, const read_options& options) {
  validate(plan);
  receipt facts;
  engine_for(plan, options, facts);  // refused before memory is taken
  check_budget(plan, options.caps);
  image result(plan.output_type, shape_of(plan.section));
  result.set_facts(read_into(source, plan, result.bytes(), options));
  result.scale = plan.scale;
  result.zero = plan.zero;
  result.null_value = plan.null_value;
  return result;
}

receipt read_into(const byte_source& source, const image_plan& plan, std::span<std::uint8_t> out,
                  const read_options& options) {
  validate(plan);
  receipt facts;
  facts.file = plan.file;
  facts.hdu_index = plan.hdu_index;
  facts.version = std::string(library_version());
  facts.requested = options;
  facts.io_backend = source.backend();
  facts.codec_name = plan.codec_name;
  const engine& chosen = engine_for(plan, options, facts);
  check_target(plan, source, out);
  facts.engine = chosen.name();
  facts.restore = chosen.name();
  const unsigned threads = options.threads != 0 ? options.threads : static_cast<unsigned>(process_cores());
  try {
    tell(plan, chosen.run(plan, source, out, threads), facts);
  } catch (const error& problem) {
    where place = problem.place();  // a source does not know which HDU it serves
    if (place.hdu < 0) place.hdu = plan.hdu_index;
    throw error(problem.code(), std::move(place), problem.message(), problem.reasons(), problem.os_error());
  }
  facts.bytes_delivered = out.size();
  return facts;
}

}  // namespace cuphoton::xdr
