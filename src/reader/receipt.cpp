// receipt.cpp: receipts as JSON.
#include <cuphoton/xdr/receipt.hpp>

#include <nlohmann/json.hpp>

namespace cuphoton::xdr {
namespace {

const char* text_of(engine_choice engine) {
  if (engine == engine_choice::gpu) return "gpu";
  return engine == engine_choice::host ? "host" : "auto";
}

nlohmann::json json_of(const std::optional<outer_compression>& outer) {
  if (!outer) return nullptr;
  return {{"packer", outer->packer}, {"packed_bytes", outer->packed_bytes}, {"unpacked_bytes", outer->unpacked_bytes}};
}

}  // namespace

std::string to_json(const receipt& facts, int indent) {
  using nlohmann::json;
  json reasons = json::array();
  for (const reason& why : facts.reasons) {
    reasons.push_back({{"code", name(why.code)}, {"hdu", why.hdu}, {"detail", why.detail}});
  }
  const read_options& asked = facts.requested;
  const json value = {{"schema", 1},
                      {"kind", "receipt"},
                      {"version", facts.version},
                      {"file", facts.file},
                      {"hdu", facts.hdu_index},
                      {"requested",
                       {{"section", asked.section ? json(to_string(*asked.section)) : json(nullptr)},
                        {"values", asked.values == pixel_values::scaled ? "scaled" : "stored"},
                        {"engine", text_of(asked.engine)},
                        {"gzip_decoder", name(asked.gzip_decoder)},
                        {"decompression_backend", name(asked.decompression_backend)},
                        {"threads", asked.threads},
                        {"checksum", asked.checksum},
                        {"max_bytes", asked.caps.max_bytes},
                        {"max_header_bytes", asked.caps.max_header_bytes}}},
                      {"engine", facts.engine},
                      {"restore", facts.restore},
                      {"io", facts.io_backend},
                      {"outer", json_of(facts.outer)},
                      {"codec", facts.codec_name},
                      {"gzip_decoder", facts.gzip_decoder},
                      {"reasons", std::move(reasons)},
                      {"notes", facts.notes},
                      {"checks", facts.checks},
                      {"bytes_read", facts.bytes_read},
                      {"bytes_delivered", facts.bytes_delivered},
                      {"tiles", facts.tiles}};
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

}  // namespace cuphoton::xdr
