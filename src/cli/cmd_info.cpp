// cmd_info.cpp: `cuphoton xdr info`: the HDUs of files as a table, without reading a pixel.
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace cuphoton::xdr::cli {
namespace {

listed_file list_file(const std::string& path, const limits& caps) {
  listed_file file{path, {}, {}};
  try {
    file.listing = inspect(*open_source(path, caps), caps);
  } catch (const error& fault) {
    file.fault = fault;
  }
  return file;
}

std::string or_dash(std::string text) {
  return text.empty() ? "-" : text;
}

void add_row(table& rows, const hdu_info& hdu) {
  const bool holds_image = hdu.kind == hdu_kind::image || hdu.kind == hdu_kind::compressed_image;
  if (!holds_image) {
    rows.add({std::to_string(hdu.index), or_dash(hdu.name), std::to_string(hdu.version), std::string(name(hdu.kind)),
              "-", "-", "-", "-", "-", "-"});
    return;
  }
  const std::string tile = to_string(hdu.codec_name.empty() ? shape{} : hdu.tile_shape);
  rows.add({std::to_string(hdu.index), or_dash(hdu.name), std::to_string(hdu.version), std::string(name(hdu.kind)),
            to_string(hdu.extents), std::string(name(hdu.stored_type)), std::string(name(hdu.scaled_type)),
            or_dash(hdu.codec_name), tile, or_dash(hdu.quantization)});
}

std::string remarks(const file_info& listing) {
  std::string text;
  for (const hdu_info& hdu : listing.hdus) {
    const std::string place = "hdu " + std::to_string(hdu.index);
    for (const reason& why : hdu.reasons) {
      text += place + ": cannot be read: " + printable(why.detail) + " [" + std::string(name(why.code)) + "]\n";
    }
    if (hdu.problem) text += place + ": problem: " + printable(hdu.problem->message()) + "\n";
  }
  for (const std::string& note : listing.notes) text += "note: " + printable(note) + "\n";
  return text;
}

std::string cards_of(const file_info& listing) {
  std::string text;
  for (const hdu_info& hdu : listing.hdus) {
    text += "\nhdu " + std::to_string(hdu.index) + "\n";
    for (const std::string& card : hdu.cards) {
      std::string line = printable(card);
      line.erase(line.find_last_not_of(' ') + 1);
      text += "  " + line + "\n";
    }
  }
  return text;
}

std::string text_of(const file_info& listing, bool with_cards) {
  table rows({"hdu", "name", "ver", "kind", "shape", "stored", "scaled", "codec", "tile", "quantisation"});
  for (const hdu_info& hdu : listing.hdus) add_row(rows, hdu);
  std::string size = std::to_string(listing.file_bytes) + " bytes";
  if (listing.outer) {
    size += ", unpacked from " + std::to_string(listing.outer->packed_bytes) + " bytes of " + listing.outer->packer;
  }
  return printable(listing.file) + ": " + size + "\n" + rows.text() + remarks(listing) +
         (with_cards ? cards_of(listing) : "");
}

}  // namespace

int run_info(const command_line& line) {
  std::vector<listed_file> files;
  int exit = 0;
  for (const std::string& path : line.files) {
    files.push_back(list_file(path, line.options.caps));
    const listed_file& file = files.back();
    if (file.listing && !line.json) print((files.size() > 1 ? "\n" : "") + text_of(*file.listing, line.cards));
    const auto& fault = file.listing ? file.listing->problem : file.fault;
    if (!fault) continue;
    print_error(*fault);
    exit = worse_exit(exit, exit_code(fault->code()));
  }
  if (line.json) print(json_of_info(files, line.cards));
  return exit;
}

}  // namespace cuphoton::xdr::cli
