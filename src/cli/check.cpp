// check.cpp: decode, compare, judge.
#include "cli/check.hpp"

#include <algorithm>
#include <chrono>
#include <new>

#include "cli/cfitsio_peer.hpp"
#include "cli/compare.hpp"
#include "cli/output.hpp"
#include "cli/peer_faults.hpp"

namespace cuphoton::xdr::cli {
namespace {

struct engine_word {
  engine_choice choice;
  const char* word;
};

/// All that this machine has of the engines asked for; throws where that is none.
std::vector<engine_word> engines_here(engine_choice wanted = engine_choice::automatic) {
  std::vector<engine_word> engines;
  const auto& no_device = probe_capabilities().device;
  if (!no_device && wanted != engine_choice::host) engines.push_back({engine_choice::gpu, "gpu"});
  if (wanted != engine_choice::gpu) engines.push_back({engine_choice::host, "host"});
  if (engines.empty()) throw error(errc::unsupported, {}, "the GPU engine is required", {*no_device});
  return engines;
}

void judge(check_row& row, verdict result, std::string detail) {
  row.result = result;
  row.detail = std::move(detail);
  if (result == verdict::different) row.exit = 1;
}

void judge(check_row& row, const error& fault) {
  row.exit = exit_code(fault.code());
  row.result = row.exit == 3 ? verdict::unsupported : row.exit == 4 ? verdict::corrupt : verdict::failed;
  row.detail = fault.message();
  for (const reason& why : fault.reasons()) {
    if (row.detail.find(why.detail) == std::string::npos) row.detail += "; " + why.detail;
  }
}

/// Runs `work`; an exception becomes the row's verdict. True if there was none.
template <class Work>
bool attempt(check_row& row, Work&& work) {
  try {
    work();
    return true;
  } catch (const error& fault) {
    judge(row, fault);
  } catch (const std::bad_alloc&) {
    judge(row, error(errc::out_of_memory, {}, "out of memory"));
  } catch (const std::exception& fault) {
    judge(row, error(errc::internal, {}, fault.what()));
  }
  return false;
}

bool is_quantized(const image_plan& plan) {
  return std::any_of(plan.groups.begin(), plan.groups.end(),
                     [](const tile_group& group) { return group.recipe.quantized; });
}

/// Stored and scaled pixels by every engine; the first engine's stored pixels come back. Nothing: the row is judged.
std::optional<image> decode_everywhere(const byte_source& source, const hdu_info& hdu, const check_options& options,
                                       check_row& row) {
  std::optional<image> stored;
  std::optional<image> scaled;
  std::string first_engine;
  for (const engine_word& engine : engines_here(options.base.engine)) {
    read_options choice = options.base;
    choice.engine = engine.choice;
    for (const pixel_values values : {pixel_values::stored, pixel_values::scaled}) {
      choice.values = values;
      image pixels = read(source, hdu_selector::number(hdu.index), choice);
      std::optional<image>& reference = values == pixel_values::stored ? stored : scaled;
      if (!reference) {
        reference = std::move(pixels);
        first_engine = engine.word;
        continue;
      }
      // Both engines make NaN by the same rule, so even payloads must agree.
      if (const auto difference = first_difference(reference->type(), reference->extents(), reference->bytes(),
                                                   pixels.bytes(), nan_rule::same_bits, engine.word)) {
        judge(row, verdict::different, first_engine + ": " + *difference);
        return {};
      }
    }
    row.engines += (row.engines.empty() ? "" : ",") + std::string(engine.word);
  }
  return stored;
}

void compare_with_peer(const byte_source& source, const hdu_info& hdu, const image_plan& plan, const image& stored,
                       check_row& row) {
  if (stored.bytes().empty()) return judge(row, verdict::no_peer, "the image holds no pixel");
  const bool quantized = is_quantized(plan);
  const peer_answer answer =
      ask_peer({source.name(), hdu.index, stored.type(), quantized, std::uint64_t{stored.bytes().size()}});
  const auto known = known_peer_fault(hdu, plan);
  if (answer.outcome != peer_outcome::pixels) {
    return judge(row, verdict::no_peer, answer.text + (known ? "; " + *known : ""));
  }
  const auto difference = first_difference(stored.type(), stored.extents(), stored.bytes(), answer.pixels,
                                           quantized ? nan_rule::any_payload : nan_rule::same_bits, "CFITSIO");
  if (!difference) return judge(row, verdict::same, {});
  if (known) return judge(row, verdict::no_peer, *known);
  judge(row, verdict::different, *difference);
}

void time_loads(const byte_source& source, const hdu_info& hdu, const check_options& options, check_row& row) {
  for (int load = 0; load < options.timed_loads; ++load) {
    const auto start = std::chrono::steady_clock::now();
    const image pixels = read(source, hdu_selector::number(hdu.index), options.base);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    row.best_ms = load == 0 ? elapsed.count() : std::min(row.best_ms, elapsed.count());
    row.delivered_bytes = pixels.bytes().size();
  }
}

void check_image(const byte_source& source, const hdu_info& hdu, const check_options& options, check_row& row) {
  const image_plan planned = plan(source, hdu_selector::number(hdu.index), options.base);
  time_loads(source, hdu, options, row);
  const auto stored = decode_everywhere(source, hdu, options, row);
  if (!stored) return;
  if (!options.use_peer) return judge(row, verdict::no_peer, "--peer none");
  compare_with_peer(source, hdu, planned, *stored, row);
}

bool has_bad_sum(const check_row& row) {
  return row.sums && (row.sums->data.state == checksum_state::bad || row.sums->whole.state == checksum_state::bad);
}

/// Adds the sums to a row that says what became of the pixels; a fault on the way takes the row's place.
void add_sums(const byte_source& source, const hdu_info& hdu, const check_options& options, check_row& row) {
  if (!options.sums || (hdu.problem && hdu.problem->code() == errc::file_truncated)) return;
  attempt(row, [&] { row.sums = verify_checksums(source, hdu, options.base.threads); });
  if (has_bad_sum(row)) row.exit = worse_exit(row.exit, 1);
}

std::string pixels_text(const check_row& row) {
  switch (row.result) {
    case verdict::same: return "ok";
    case verdict::no_peer: return "ok, peer: no (" + row.detail + ")";
    case verdict::no_image: return "no image (" + row.detail + ")";
    default: return std::string(name(row.result)) + ": " + row.detail;
  }
}

check_row check_hdu(const byte_source& source, const hdu_info& hdu, const check_options& options) {
  check_row row;
  row.file = source.name();
  row.hdu_index = hdu.index;
  row.codec = hdu.codec_name;
  if (hdu.problem) {  // of a table too: it cannot be summed
    row.extents = hdu.extents;
    judge(row, *hdu.problem);
    return row;
  }
  const bool holds_image = hdu.kind == hdu_kind::image || hdu.kind == hdu_kind::compressed_image;
  if (!holds_image && hdu.kind != hdu_kind::random_groups) {
    judge(row, verdict::no_image, std::string(name(hdu.kind)));
    return row;
  }
  row.extents = hdu.extents;
  if (!hdu.reasons.empty()) {
    judge(row, error(errc::unsupported, {}, hdu.reasons.front().detail));
    return row;
  }
  row.type = hdu.scaled_type;
  attempt(row, [&] { check_image(source, hdu, options, row); });
  return row;
}

}  // namespace

std::string_view name(verdict result) noexcept {
  switch (result) {
    case verdict::same: return "same";
    case verdict::no_peer: return "no_peer";
    case verdict::different: return "different";
    case verdict::no_image: return "no_image";
    case verdict::unsupported: return "unsupported";
    case verdict::corrupt: return "corrupt";
    case verdict::failed: return "failed";
  }
  return "failed";
}

std::string result_text(const check_row& row) {
  return has_bad_sum(row) ? pixels_text(row) + "; " + to_string(*row.sums) : pixels_text(row);
}

std::string sum_text(const check_row& row, checksum_finding checksum_report::*keyword) {
  return row.sums ? std::string(name(((*row.sums).*keyword).state)) : "-";
}

std::string hdu_text(const check_row& row) {
  return row.hdu_index < 0 ? "-" : std::to_string(row.hdu_index);
}

std::vector<std::string> available_engines() {
  std::vector<std::string> words;
  for (const engine_word& engine : engines_here()) words.emplace_back(engine.word);
  return words;
}

std::vector<check_row> check_file(const std::string& path, const check_options& options) {
  std::vector<check_row> rows;
  check_row whole_file;
  whole_file.file = path;
  attempt(whole_file, [&] {
    const auto source = open_source(path, options.base.caps);
    const file_info listing = inspect(*source, options.base.caps);
    for (const hdu_info& hdu : listing.hdus) {
      rows.push_back(check_hdu(*source, hdu, options));
      add_sums(*source, hdu, options, rows.back());
    }
    if (listing.problem) judge(whole_file, *listing.problem);
  });
  if (whole_file.exit != 0) rows.push_back(std::move(whole_file));
  return rows;
}

}  // namespace cuphoton::xdr::cli
