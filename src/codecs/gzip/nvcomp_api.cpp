// nvcomp_api.cpp: see nvcomp_api.hpp.
#include "codecs/gzip/nvcomp_api.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace cuphoton::xdr {
namespace {

constexpr int majors[] = {5, 6};

struct properties {
  std::uint32_t version;  // 6000: 6.0.0
  std::uint32_t cuda_runtime;
};

struct status_row {
  int status;
  const char* text;
};
constexpr status_row status_table[] = {
    {0, "success"},       {10, "invalid value"},           {11, "not supported"},           {12, "cannot decompress"},
    {13, "bad checksum"}, {14, "cannot verify checksums"}, {15, "output buffer too small"}, {16, "wrong header length"},
    {17, "alignment"},    {18, "chunk too large"},         {20, "wrong input length"},      {21, "batch too large"},
    {1000, "CUDA error"}, {10000, "internal error"},
};

std::vector<std::string> places(const std::string& folder, const std::string& soname) {
  if (folder.empty()) return {soname};
  // With a slash the loader takes the path as it is and searches nowhere else.
  const std::string inside = (folder.find('/') == std::string::npos ? "./" : "") + folder + "/";
  return {inside + soname, inside + "lib64/" + soname};
}

nvcomp_library::options options_of(nvcomp_backend backend) {
  nvcomp_library::options made;
  made.backend = static_cast<int>(backend);
  return made;
}

std::mutex found_mutex;

/// Never destroyed: kernels may run when the process ends.
std::unique_ptr<nvcomp_library>& found() {
  static auto* const holder = new std::unique_ptr<nvcomp_library>();
  return *holder;
}

}  // namespace

std::optional<nvcomp_library> nvcomp_library::open(const std::string& folder, std::string& why) {
  why.clear();
  const auto note = [&](const std::string& text) { why += (why.empty() ? "" : "; ") + text; };
  for (const int major : majors) {
    for (const std::string& name : places(folder, "libnvcomp.so." + std::to_string(major))) {
      std::string trouble;
      std::optional<dynamic_library> library = dynamic_library::open(name, trouble);
      if (!library) {
        note(trouble);
        continue;
      }
      nvcomp_library made(std::move(*library));
      if (made.bind(major, trouble)) return made;
      note(name + ": " + trouble);
    }
  }
  return std::nullopt;
}

bool nvcomp_library::bind(int major, std::string& why) {
  const auto get_properties = library_.find_function<int(properties*)>("nvcompGetProperties", why);
  if (get_properties == nullptr) return false;
  properties about{};
  if (const int status = get_properties(&about); status != 0) {
    why = "nvcompGetProperties: " + nvcomp_status_text(status);
    return false;
  }
  version_ = about.version;
  if (version_ / 1000 != static_cast<unsigned>(major)) {
    why = "it says that it is version " + version();
    return false;
  }
  return bind(gzip_, "Gzip", why) && bind(deflate_, "Deflate", why);
}

bool nvcomp_library::bind(functions& to, const std::string& format, std::string& why) const {
  const auto bind_one = [&](auto*& function, const char* end) {
    function = library_.find_function<std::remove_reference_t<decltype(*function)>>(
        "nvcompBatched" + format + "Decompress" + end, why);
    return function != nullptr;
  };
  if (!bind_one(to.alignments, "GetRequiredAlignments") || !bind_one(to.decompress, "Async")) return false;
  return version_ < 6000 ? bind_one(to.scratch_before_6, "GetTempSizeAsync")
                         : bind_one(to.scratch_since_6, "GetTempSize");
}

int nvcomp_library::alignments(nvcomp_format format, nvcomp_backend backend, nvcomp_alignments& out) const {
  return of(format).alignments(options_of(backend), &out);
}

int nvcomp_library::scratch_bytes(nvcomp_format format, nvcomp_backend backend, std::size_t count,
                                  std::size_t largest_bytes, std::size_t& out) const {
  const functions& call = of(format);
  const options wanted = options_of(backend);
  const std::size_t all_bytes = count * largest_bytes;
  if (call.scratch_before_6 != nullptr) return call.scratch_before_6(count, largest_bytes, wanted, &out, all_bytes);
  return call.scratch_since_6(count, largest_bytes, wanted, &out, all_bytes, nullptr);  // enqueues nothing
}

int nvcomp_library::decompress(nvcomp_format format, nvcomp_backend backend, const nvcomp_tables& tables,
                               std::size_t count, void* scratch, std::size_t scratch_bytes, CUstream_st* stream) const {
  return of(format).decompress(tables.inputs, tables.input_bytes, tables.capacities, tables.written, count, scratch,
                               scratch_bytes, tables.outputs, options_of(backend), tables.statuses, stream);
}

std::string nvcomp_library::version() const {
  return std::to_string(version_ / 1000) + "." + std::to_string(version_ % 1000 / 100) + "." +
         std::to_string(version_ % 100);
}

std::string nvcomp_status_text(int status) {
  for (const status_row& row : status_table) {
    if (row.status == status) return std::string(row.text) + " (nvCOMP status " + std::to_string(status) + ")";
  }
  return "nvCOMP status " + std::to_string(status);
}

const nvcomp_library* find_nvcomp(const std::string& folder, std::string& why) {
  const std::lock_guard lock(found_mutex);
  if (found() == nullptr) {
    std::optional<nvcomp_library> opened = nvcomp_library::open(folder, why);
    if (opened) found() = std::make_unique<nvcomp_library>(std::move(*opened));
  }
  return found().get();
}

void forget_nvcomp() {
  const std::lock_guard lock(found_mutex);
  found().reset();
}

}  // namespace cuphoton::xdr
