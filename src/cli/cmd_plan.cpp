// cmd_plan.cpp: `cuphoton xdr plan`: what reading an image would do, as JSON that plan_from_json takes back.
#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace cuphoton::xdr::cli {
namespace {

std::string_view codec_word(codec_id codec) {
  switch (codec) {
    case codec_id::none: return "none";
    case codec_id::gzip_1: return "GZIP_1";
    case codec_id::gzip_2: return "GZIP_2";
    case codec_id::rice_1: return "RICE_1";
    case codec_id::hcompress_1: return "HCOMPRESS_1";
    case codec_id::plio_1: return "PLIO_1";
  }
  return "?";
}

std::string summary(const image_plan& planned) {
  const shape out = shape_of(planned.section);
  std::string text = printable(planned.file) + ", hdu " + std::to_string(planned.hdu_index) + "\n";
  table rows({"image", to_string(planned.image_shape)});
  rows.add({"section", to_string(planned.section)});
  rows.add({"array", std::string(name(planned.output_type)) + " " + to_string(out)});
  rows.add({"stored as", std::string(name(planned.stored_type))});
  rows.add({"codec", or_dash(planned.codec_name)});
  rows.add({"tile", to_string(planned.grid.tile_shape)});
  for (const tile_group& group : planned.groups) {
    std::uint64_t bytes = 0;
    for (const tile_record& tile : group.tiles) bytes += tile.length_bytes;
    std::string text_of_group = std::string(codec_word(group.codec)) + ": " + std::to_string(group.tiles.size()) +
                                " tiles, " + std::to_string(bytes) + " bytes";
    if (group.recipe.quantized) text_of_group += ", quantised";
    rows.add({"group", text_of_group});
  }
  text += rows.text();
  for (const std::string& note : planned.notes) text += "note: " + printable(note) + "\n";
  return text;
}

}  // namespace

read_options options_for(const byte_source& source, const command_line& line) {
  read_options options = line.options;
  if (!line.section) return options;
  read_options whole_image = options;
  whole_image.caps.max_bytes = ~std::uint64_t{0} >> 1;  // nothing is decoded: only the section has to fit
  const image_plan planned = plan(source, line.hdu, whole_image);
  try {
    options.section = resolve(*line.section, planned.image_shape);
  } catch (const error& fault) {  // which knows the words of the flag, not of which image
    throw error(fault.code(), {planned.file, planned.hdu_index}, fault.message());
  }
  return options;
}

int run_plan(const command_line& line) {
  const auto source = open_source(line.files.front(), line.options.caps);
  const image_plan planned = plan(*source, line.hdu, options_for(*source, line));
  print(line.summary && !line.json ? summary(planned) : to_json(planned) + "\n");
  if (planned.reasons.empty()) return 0;
  throw error(errc::unsupported, {planned.file, planned.hdu_index}, "nothing here can decode the image",
              planned.reasons);
}

}  // namespace cuphoton::xdr::cli
