// dynamic_library.hpp: a library opened at run time; where that fails, the loader's own words say why.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

namespace cuphoton::xdr {

/// Owns one handle of dlopen.
class dynamic_library {
 public:
  /// Opens `name` (a soname or a path) with all its symbols bound and none exported to others. Nothing where it fails;
  /// `why` then gets the loader's text.
  static std::optional<dynamic_library> open(const std::string& name, std::string& why);

  dynamic_library(dynamic_library&& other) noexcept;
  dynamic_library& operator=(dynamic_library&& other) noexcept;
  ~dynamic_library();

  /// Address of an exported symbol; nullptr where there is none, and the loader's text in `why`.
  void* find(const std::string& symbol, std::string& why) const;
  /// The same as a function pointer: find_function<int(int)>("f", why).
  template <class Signature>
  Signature* find_function(const std::string& symbol, std::string& why) const {
    static_assert(std::is_function_v<Signature>);
    return reinterpret_cast<Signature*>(find(symbol, why));
  }

 private:
  explicit dynamic_library(void* handle) : handle_(handle) {}
  void* handle_ = nullptr;
};

}  // namespace cuphoton::xdr
