// report.cpp: plain data into JSON. Bytes that are no UTF-8 (headers hold anything) become U+FFFD.
#include "cli/report.hpp"

#include <nlohmann/json.hpp>

namespace cuphoton::xdr::cli {
namespace {

using json = nlohmann::ordered_json;

json document(const std::string& command) {
  return {{"schema", 1}, {"command", command}};
}

std::string text_of(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

json json_of(const shape& extents) {
  json axes = json::array();
  for (int axis = 0; axis < extents.rank; ++axis) axes.push_back(extents[axis]);
  return axes;
}

json json_of(const reason& why) {
  return {{"code", std::string(name(why.code))}, {"hdu", why.hdu}, {"detail", why.detail}};
}

json json_of(const std::vector<reason>& reasons) {
  json list = json::array();
  for (const reason& why : reasons) list.push_back(json_of(why));
  return list;
}

json json_of(const error& fault) {
  return {{"code", std::string(name(fault.code()))},
          {"hdu", fault.place().hdu},
          {"tile", fault.place().tile},
          {"message", fault.message()},
          {"reasons", json_of(fault.reasons())}};
}

template <class Value>
json or_null(const std::optional<Value>& value) {
  return value ? json(*value) : json(nullptr);
}

json or_null(const std::optional<error>& fault) {
  if (!fault) return nullptr;
  return json_of(*fault);
}

/// No conditionals inside braced lists: see or_dash in output.hpp.
json or_null(const std::string& text) {
  if (text.empty()) return nullptr;
  return text;
}

json json_of(const std::optional<outer_compression>& outer) {
  if (!outer) return nullptr;
  return {{"packer", outer->packer}, {"packed_bytes", outer->packed_bytes}, {"unpacked_bytes", outer->unpacked_bytes}};
}

json json_of(const hdu_info& hdu, bool with_cards) {
  json row{{"index", hdu.index},
           {"kind", std::string(name(hdu.kind))},
           {"name", hdu.name},
           {"version", hdu.version},
           {"header_offset_bytes", hdu.header_offset_bytes},
           {"data_offset_bytes", hdu.data_offset_bytes},
           {"data_bytes", hdu.data_bytes}};
  if (hdu.kind == hdu_kind::image || hdu.kind == hdu_kind::compressed_image) {
    row.update({{"shape", json_of(hdu.extents)},
                {"stored_type", std::string(name(hdu.stored_type))},
                {"scaled_type", std::string(name(hdu.scaled_type))},
                {"scale", hdu.scale},
                {"zero", hdu.zero},
                {"null_value", or_null(hdu.null_value)},
                {"codec", hdu.codec_name},
                {"tile_shape", json_of(hdu.tile_shape)},
                {"quantization", hdu.quantization}});
  }
  row["reasons"] = json_of(hdu.reasons);
  row["problem"] = or_null(hdu.problem);
  if (with_cards) row["cards"] = hdu.cards;
  return row;
}

json json_of(const checksum_finding& finding) {
  return {{"state", std::string(name(finding.state))},
          {"written", or_null(finding.written)},
          {"expected", or_null(finding.expected)},
          {"actual", finding.actual}};
}

json or_null(const std::optional<checksum_report>& sums) {
  if (!sums) return nullptr;
  return {{"datasum", json_of(sums->data)}, {"checksum", json_of(sums->whole)}};
}

json json_of(const std::optional<reason>& absent) {
  json result{{"available", !absent.has_value()}, {"reason", nullptr}};
  if (absent) result["reason"] = json_of(*absent);
  return result;
}

}  // namespace

std::string json_of_info(const std::vector<listed_file>& files, bool with_cards) {
  json list = json::array();
  for (const listed_file& file : files) {
    json entry{{"file", file.file}};
    json hdus = json::array();
    if (file.listing) {
      entry["file_bytes"] = file.listing->file_bytes;
      entry["outer"] = json_of(file.listing->outer);
      entry["notes"] = file.listing->notes;
      for (const hdu_info& hdu : file.listing->hdus) hdus.push_back(json_of(hdu, with_cards));
    }
    entry["hdus"] = std::move(hdus);
    entry["problem"] = or_null(file.listing ? file.listing->problem : file.fault);
    list.push_back(std::move(entry));
  }
  json result = document("info");
  result["files"] = std::move(list);
  return text_of(result);
}

std::string json_of_load(const image& pixels, double elapsed_ms, const std::string& saved) {
  json result = document("load");
  result.update({{"type", std::string(name(pixels.type()))},
                 {"shape", json_of(pixels.extents())},
                 {"scale", pixels.scale},
                 {"zero", pixels.zero},
                 {"null_value", or_null(pixels.null_value)},
                 {"elapsed_ms", elapsed_ms},
                 {"saved", or_null(saved)}});
  result["receipt"] = json::parse(to_json(pixels.facts()));
  return text_of(result);
}

std::string json_of_checks(const std::string& command, const std::vector<check_row>& rows, int exit) {
  json list = json::array();
  for (const check_row& row : rows) {
    const std::string type(row.type ? name(*row.type) : "");
    json entry{{"file", row.file},
               {"hdu", row.hdu_index},
               {"codec", row.codec},
               {"engines", row.engines},
               {"shape", json_of(row.extents)},
               {"type", or_null(type)},
               {"result", std::string(name(row.result))},
               {"detail", row.detail},
               {"sums", or_null(row.sums)},
               {"exit", row.exit}};
    if (row.best_ms > 0) {
      entry["ms"] = row.best_ms;
      entry["delivered_bytes"] = row.delivered_bytes;
    }
    list.push_back(std::move(entry));
  }
  json result = document(command);
  result["engines"] = available_engines();
  result["exit"] = exit;
  result["rows"] = std::move(list);
  return text_of(result);
}

std::string json_of_doctor(const capabilities& able, const std::optional<std::string>& peer_absent,
                           const std::string& peer_version) {
  json codecs = json::array();
  for (const codec_capability& codec : able.codecs) {
    codecs.push_back({{"codec", codec.name}, {"host", json_of(codec.host)}, {"gpu", json_of(codec.device)}});
  }
  json result = document("doctor");
  result["version"] = able.version;
  result["host_threads"] = able.host_threads;
  result["gpu"] = json_of(able.device);
  result["cfitsio"] = {
      {"available", !peer_absent.has_value()}, {"version", peer_version}, {"detail", or_null(peer_absent)}};
  result["codecs"] = std::move(codecs);
  return text_of(result);
}

std::string json_of_written(const std::vector<written_file>& files) {
  json list = json::array();
  for (const written_file& file : files) {
    list.push_back({{"file", file.path},
                    {"codec", file.codec},
                    {"kind", file.kind},
                    {"shape", json_of(file.extents)},
                    {"bytes", file.length_bytes}});
  }
  json result = document("make-demo");
  result["files"] = std::move(list);
  return text_of(result);
}

}  // namespace cuphoton::xdr::cli
