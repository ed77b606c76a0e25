// dynamic_library.cpp: dlopen, dlsym, dlclose.
#include "base/dynamic_library.hpp"

#include <dlfcn.h>

#include <utility>

namespace cuphoton::xdr {
namespace {

/// dlerror may have nothing to say.
std::string loader_text(const std::string& name) {
  const char* const text = dlerror();
  return text != nullptr ? std::string(text) : name + ": the loader gave no reason";
}

}  // namespace

std::optional<dynamic_library> dynamic_library::open(const std::string& name, std::string& why) {
  void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    why = loader_text(name);
    return std::nullopt;
  }
  return dynamic_library(handle);
}

dynamic_library::dynamic_library(dynamic_library&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

dynamic_library& dynamic_library::operator=(dynamic_library&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

dynamic_library::~dynamic_library() {
  if (handle_ != nullptr) dlclose(handle_);
}

void* dynamic_library::find(const std::string& symbol, std::string& why) const {
  dlerror();  // forget older errors: a symbol may be null without one
  void* const address = dlsym(handle_, symbol.c_str());
  if (address == nullptr) why = loader_text(symbol);
  return address;
}

}  // namespace cuphoton::xdr
