// capabilities.cpp: what this process can do, looked up once.
#include <cuphoton/xdr/capabilities.hpp>

#include <cuphoton/xdr/reader.hpp>

#include "base/thread_pool.hpp"
#include "codecs/codec.hpp"

namespace cuphoton::xdr {
namespace {

capabilities probe() {
  capabilities here;
  here.version = std::string(library_version());
  here.host_threads = static_cast<unsigned>(process_cores());
  here.device = reason{reason_code::device_unavailable, -1,
                       "this build has no GPU engine; images are decoded by the host engine"};
  for (const codec_row& row : codec_table()) {
    codec_capability codec;
    codec.name = std::string(row.fits_name);
    if (row.decode_tile == nullptr) {
      codec.host = reason{reason_code::host_engine_unavailable, -1, codec.name + " has no host decoder"};
    }
    codec.device = here.device;
    here.codecs.push_back(std::move(codec));
  }
  return here;
}

}  // namespace

const capabilities& probe_capabilities() {
  static const capabilities here = probe();
  return here;
}

}  // namespace cuphoton::xdr
