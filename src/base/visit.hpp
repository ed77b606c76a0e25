// visit.hpp: the one switch from a pixel_type to a C++ type.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuphoton/xdr/types.hpp>

namespace cuphoton::xdr {

/// Calls f(std::type_identity<T>{}) with the C++ type of `type` and returns what it returns.
template <class F>
decltype(auto) visit(pixel_type type, F&& f) {
  switch (type) {
    case pixel_type::u8: return f(std::type_identity<std::uint8_t>{});
    case pixel_type::i8: return f(std::type_identity<std::int8_t>{});
    case pixel_type::i16: return f(std::type_identity<std::int16_t>{});
    case pixel_type::u16: return f(std::type_identity<std::uint16_t>{});
    case pixel_type::i32: return f(std::type_identity<std::int32_t>{});
    case pixel_type::u32: return f(std::type_identity<std::uint32_t>{});
    case pixel_type::i64: return f(std::type_identity<std::int64_t>{});
    case pixel_type::u64: return f(std::type_identity<std::uint64_t>{});
    case pixel_type::f32: return f(std::type_identity<float>{});
    case pixel_type::f64: break;
  }
  return f(std::type_identity<double>{});
}

}  // namespace cuphoton::xdr
