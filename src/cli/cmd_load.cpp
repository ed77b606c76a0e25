// cmd_load.cpp: `cuphoton xdr load`: reads an image for real, prints the receipt, saves the pixels if asked.
#include <chrono>

#include "cli/commands.hpp"
#include "cli/npy.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace cuphoton::xdr::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return or_dash(text);
}

std::string tiles_text(const receipt& facts) {
  std::vector<std::string> parts;
  for (const auto& [codec, count] : facts.tiles) parts.push_back(codec + " " + std::to_string(count));
  return joined(parts);
}

std::string number(double value) {
  std::string text = fixed(value, 9);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string text_of(const image& pixels, double elapsed_ms, const std::string& saved) {
  const receipt& facts = pixels.facts();
  table rows({"file", facts.file});
  rows.add({"hdu", std::to_string(facts.hdu_index)});
  rows.add({"array", std::string(name(pixels.type())) + " " + to_string(pixels.extents())});
  const char* values = facts.requested.values == pixel_values::scaled ? "scaled" : "stored";
  rows.add({"values", values});
  rows.add({"scale, zero", number(pixels.scale) + ", " + number(pixels.zero)});
  if (pixels.null_value) rows.add({"null value", std::to_string(*pixels.null_value)});
  rows.add({"codec", or_dash(facts.codec_name)});
  rows.add({"engine", facts.engine});
  rows.add({"gzip decoder", or_dash(facts.gzip_decoder)});
  rows.add({"restore", facts.restore});
  rows.add({"io", facts.io_backend});
  if (facts.outer) {
    rows.add({"unpacked", facts.outer->packer + ", " + std::to_string(facts.outer->packed_bytes) + " bytes to " +
                              std::to_string(facts.outer->unpacked_bytes)});
  }
  rows.add({"tiles", tiles_text(facts)});
  rows.add({"checks", joined(facts.checks)});
  rows.add({"bytes read", std::to_string(facts.bytes_read)});
  rows.add({"bytes delivered", std::to_string(facts.bytes_delivered)});
  const double speed = elapsed_ms > 0 ? static_cast<double>(pixels.bytes().size()) / elapsed_ms / 1e6 : 0;
  rows.add({"time", fixed(elapsed_ms, 3) + " ms, " + fixed(speed, 3) + " GB/s"});
  if (!saved.empty()) rows.add({"saved", saved});
  for (const reason& why : facts.reasons) rows.add({"reason", std::string(name(why.code)) + ": " + why.detail});
  for (const std::string& note : facts.notes) rows.add({"note", note});
  rows.add({"version", facts.version});
  return rows.text();
}

}  // namespace

int run_load(const command_line& line) {
  const auto source = open_source(line.files.front(), line.options.caps);
  const read_options options = options_for(*source, line);
  const auto start = std::chrono::steady_clock::now();
  const image pixels = read(*source, line.hdu, options);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  if (!line.save.empty()) save_npy(line.save, pixels);
  print(line.json ? json_of_load(pixels, elapsed.count(), line.save) : text_of(pixels, elapsed.count(), line.save));
  return 0;
}

}  // namespace cuphoton::xdr::cli
