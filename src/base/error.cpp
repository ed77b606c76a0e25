// error.cpp: names, exit codes and texts of errors, reasons and statuses.
#include <cuphoton/xdr/error.hpp>

#include <utility>

#include <cuphoton/xdr/status.hpp>

namespace cuphoton::xdr {
namespace {

std::string with_place(const where& place, const std::string& message) {
  std::string text;
  if (!place.file.empty()) text += place.file + ": ";
  if (place.hdu >= 0) text += "HDU " + std::to_string(place.hdu) + ": ";
  if (place.tile >= 0) text += "tile " + std::to_string(place.tile) + ": ";
  return text + message;
}

}  // namespace

std::string_view name(errc code) noexcept {
  switch (code) {
    case errc::invalid_argument: return "invalid_argument";
    case errc::hdu_not_found: return "hdu_not_found";
    case errc::shape_mismatch: return "shape_mismatch";
    case errc::unsupported: return "unsupported";
    case errc::file_truncated: return "file_truncated";
    case errc::not_fits: return "not_fits";
    case errc::header_invalid: return "header_invalid";
    case errc::tile_table_invalid: return "tile_table_invalid";
    case errc::tile_corrupt: return "tile_corrupt";
    case errc::checksum_mismatch: return "checksum_mismatch";
    case errc::io_failed: return "io_failed";
    case errc::device_failed: return "device_failed";
    case errc::device_lost: return "device_lost";
    case errc::out_of_memory: return "out_of_memory";
    case errc::internal: break;
  }
  return "internal";
}

int exit_code(errc code) noexcept {
  switch (code) {
    case errc::invalid_argument:
    case errc::hdu_not_found:
    case errc::shape_mismatch: return 2;
    case errc::unsupported: return 3;
    case errc::file_truncated:
    case errc::not_fits:
    case errc::header_invalid:
    case errc::tile_table_invalid:
    case errc::tile_corrupt:
    case errc::checksum_mismatch: return 4;
    case errc::io_failed: return 5;
    case errc::device_failed:
    case errc::device_lost: return 6;
    case errc::out_of_memory:
    case errc::internal: break;
  }
  return 1;
}

std::string_view name(reason_code code) noexcept {
  switch (code) {
    case reason_code::codec_unsupported: return "codec_unsupported";
    case reason_code::quantization_unsupported: return "quantization_unsupported";
    case reason_code::null_mask_unsupported: return "null_mask_unsupported";
    case reason_code::pixel_width_unsupported: return "pixel_width_unsupported";
    case reason_code::rank_unsupported: return "rank_unsupported";
    case reason_code::random_groups: return "random_groups";
    case reason_code::array_parameters: return "array_parameters";
    case reason_code::not_an_image: return "not_an_image";
    case reason_code::externally_compressed: return "externally_compressed";
    case reason_code::device_unavailable: return "device_unavailable";
    case reason_code::device_memory: return "device_memory";
    case reason_code::host_engine_unavailable: return "host_engine_unavailable";
    case reason_code::nvcomp_unavailable: return "nvcomp_unavailable";
    case reason_code::hardware_unavailable: return "hardware_unavailable";
    case reason_code::memory_limit: break;
  }
  return "memory_limit";
}

std::string_view name(tile_status status) noexcept {
  switch (status) {
    case tile_status::ok: return "ok";
    case tile_status::truncated: return "truncated";
    case tile_status::bad_data: return "bad_data";
    case tile_status::bad_checksum: return "bad_checksum";
    case tile_status::output_short: return "output_short";
    case tile_status::output_long: return "output_long";
    case tile_status::out_of_range: return "out_of_range";
    case tile_status::no_data: return "no_data";
    case tile_status::not_run: break;
  }
  return "not_run";
}

error::error(errc code, where place, std::string message, std::vector<reason> reasons, int os_error)
    : code_(code),
      place_(std::move(place)),
      message_(std::move(message)),
      reasons_(std::move(reasons)),
      os_error_(os_error),
      text_(with_place(place_, message_)) {}

error error::in_file(const std::string& file) const {
  where place = place_;
  if (place.file.empty()) place.file = file;
  return {code_, std::move(place), message_, reasons_, os_error_};
}

}  // namespace cuphoton::xdr
