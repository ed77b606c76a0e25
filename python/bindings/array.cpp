// array.cpp: pixels out through DLPack and the array interfaces, and other people's arrays in as targets. The library's
// arrays are complete when they are handed out, so no stream has to wait; the image lives as long as any view of it.
#include "array.hpp"

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "dlpack.hpp"

namespace cuphoton::xdr::python {
namespace {

dlpack::type dlpack_type(pixel_type type) {
  const auto bits = static_cast<std::uint8_t>(8 * size_bytes(type));
  if (is_floating(type)) return {dlpack::code_float, bits, 1};
  const bool is_unsigned =
      type == pixel_type::u8 || type == pixel_type::u16 || type == pixel_type::u32 || type == pixel_type::u64;
  return {is_unsigned ? dlpack::code_uint : dlpack::code_int, bits, 1};
}

std::optional<pixel_type> pixel_type_of(dlpack::type type) {
  if (type.lanes != 1) return std::nullopt;
  for (int i = 0; i <= static_cast<int>(pixel_type::f64); ++i) {
    const auto candidate = static_cast<pixel_type>(i);
    const dlpack::type wanted = dlpack_type(candidate);
    if (wanted.code == type.code && wanted.bits == type.bits) return candidate;
  }
  return std::nullopt;
}

/// "<f4": how the array interfaces write a type; arrays in memory are little-endian on every machine that CUDA knows.
std::string interface_type(pixel_type type) {
  const dlpack::type about = dlpack_type(type);
  const char kind = about.code == dlpack::code_float ? 'f' : about.code == dlpack::code_uint ? 'u' : 'i';
  return std::string(about.bits == 8 ? "|" : "<") + kind + std::to_string(about.bits / 8);
}

/// "B", "H", "f", ...: how the buffer protocol writes one, with or without the sign of native order.
std::optional<pixel_type> type_of_format(const char* format, Py_ssize_t item_bytes) {
  if (format == nullptr) format = "B";
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  const std::string letters(format);
  if (letters.size() != 1) return std::nullopt;
  std::string kind;
  if (std::string("bhilq").find(letters) != std::string::npos) kind = "i";
  if (std::string("BHILQ").find(letters) != std::string::npos) kind = "u";
  if (std::string("fd").find(letters) != std::string::npos) kind = "f";
  for (int i = 0; !kind.empty() && i <= static_cast<int>(pixel_type::f64); ++i) {
    const auto candidate = static_cast<pixel_type>(i);
    if (interface_type(candidate).substr(1) == kind + std::to_string(item_bytes)) return candidate;
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const std::string& what) {
  throw error(errc::invalid_argument, {}, "out: " + what);
}

shape shape_from(const std::vector<std::int64_t>& extents) {
  if (extents.size() > static_cast<std::size_t>(max_rank)) refuse("the array has more than 16 axes");
  shape result;
  result.rank = static_cast<int>(extents.size());
  for (int axis = 0; axis < result.rank; ++axis) result[axis] = extents[static_cast<std::size_t>(axis)];
  return result;
}

/// Strides of axes that are longer than 1, in any unit, against C order. An array without elements has any order.
bool is_c_order(const shape& extents, const std::vector<std::int64_t>& strides, std::int64_t unit) {
  std::int64_t wanted = unit;
  for (int axis = 0; axis < extents.rank; ++axis) {
    if (extents[axis] == 0) return true;
  }
  for (int axis = extents.rank - 1; axis >= 0; --axis) {
    if (extents[axis] > 1 && strides[static_cast<std::size_t>(axis)] != wanted) return false;
    wanted *= extents[axis];
  }
  return true;
}

std::vector<std::int64_t> integers(nb::handle tuple) {
  std::vector<std::int64_t> numbers;
  for (const nb::handle item : tuple) numbers.push_back(nb::cast<std::int64_t>(item));
  return numbers;
}

constexpr const char* wrong_order = "the array is not C-contiguous: pass a contiguous one, or copy afterwards";

// --- out of the library
// -----------------------------------------------------------------------------------------------

dlpack::device device_of(const image& pixels) {
  if (pixels.space() == memory_space::device) return {dlpack::on_cuda, pixels.device()};
  return {dlpack::on_cpu, 0};
}

/// Owner of an exported tensor: keeps the image, and the extents that the tensor points to.
template <class Managed>
struct exported {
  Managed managed{};
  std::shared_ptr<image> pixels;
  std::array<std::int64_t, max_rank> extents{};
  std::array<std::int64_t, max_rank> strides{};

  static void destroy(Managed* self) { delete static_cast<exported*>(self->owner); }
};

template <class Managed>
Managed* make_tensor(const std::shared_ptr<image>& pixels) {
  auto* const owner = new exported<Managed>();
  owner->pixels = pixels;
  const shape& extents = pixels->extents();
  std::int64_t stride = 1;
  for (int axis = extents.rank - 1; axis >= 0; --axis) {
    owner->extents[static_cast<std::size_t>(axis)] = extents[axis];
    owner->strides[static_cast<std::size_t>(axis)] = stride;
    stride *= extents[axis];
  }
  owner->managed.owner = owner;
  owner->managed.deleter = &exported<Managed>::destroy;
  owner->managed.tensor = {pixels->data(),
                           device_of(*pixels),
                           extents.rank,
                           dlpack_type(pixels->type()),
                           owner->extents.data(),
                           owner->strides.data(),
                           0};
  return &owner->managed;
}

/// A capsule whose name still is `name` was not taken over: then the tensor is ours to delete.
template <class Managed>
void delete_capsule(PyObject* capsule) {
  const char* const name = std::is_same_v<Managed, dlpack::managed_tensor> ? dlpack::name : dlpack::name_versioned;
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

template <class Managed>
nb::object make_capsule(const std::shared_ptr<image>& pixels, const char* name) {
  Managed* const managed = make_tensor<Managed>(pixels);
  PyObject* const capsule = PyCapsule_New(managed, name, &delete_capsule<Managed>);
  if (capsule == nullptr) {
    managed->deleter(managed);
    throw nb::python_error();
  }
  return nb::steal<nb::object>(capsule);
}

/// `stream` needs no look: the pixels are complete. A copy is made where one is asked for, or where the consumer wants
/// the pixels of a device array on the host; no other way between devices.
nb::object to_dlpack(const array_handle& self, nb::object stream, nb::object max_version, nb::object dl_device,
                     nb::object copy) {
  static_cast<void>(stream);
  const dlpack::device here = device_of(*self.pixels);
  const bool may_copy = copy.is_none() || nb::cast<bool>(copy);
  bool must_copy = !copy.is_none() && may_copy;
  if (!dl_device.is_none()) {
    const auto wanted = integers(dl_device);
    const bool same = wanted.size() == 2 && wanted[0] == here.kind && wanted[1] == here.index;
    const bool to_host = wanted.size() == 2 && wanted[0] == dlpack::on_cpu && here.kind == dlpack::on_cuda;
    if (!same && !(to_host && may_copy)) {
      throw nb::buffer_error("the array lies on another device: read it there, or copy it with .cupy() or .numpy()");
    }
    must_copy |= !same;
    if (must_copy && wanted[0] != dlpack::on_cpu) throw nb::buffer_error("__dlpack__ copies to host memory only");
  } else if (must_copy && here.kind != dlpack::on_cpu) {
    throw nb::buffer_error("__dlpack__ copies to host memory only: ask for dl_device=(1, 0)");
  }
  const std::shared_ptr<image> pixels = must_copy ? host_copy(self.pixels) : self.pixels;
  if (!max_version.is_none() && integers(max_version).at(0) >= 1) {
    auto capsule = make_capsule<dlpack::managed_tensor_versioned>(pixels, dlpack::name_versioned);
    auto* const managed =
        static_cast<dlpack::managed_tensor_versioned*>(PyCapsule_GetPointer(capsule.ptr(), dlpack::name_versioned));
    managed->version = {1, 0};
    if (must_copy) managed->flags |= dlpack::flag_copied;
    return capsule;
  }
  return make_capsule<dlpack::managed_tensor>(pixels, dlpack::name);
}

nb::dict interface_of(const image& pixels) {
  nb::dict about;
  about["shape"] = to_tuple(pixels.extents());
  about["typestr"] = interface_type(pixels.type());
  // An array without elements has no address: 0 is what the CUDA interface wants.
  const auto address = pixels.size_bytes() == 0 && pixels.space() == memory_space::device
                           ? std::uintptr_t{0}
                           : reinterpret_cast<std::uintptr_t>(pixels.data());
  about["data"] = nb::make_tuple(address, false);
  about["strides"] = nb::none();
  about["version"] = 3;
  return about;
}

nb::dict host_interface(const array_handle& self) {
  if (self.pixels->space() != memory_space::host)
    throw nb::attribute_error("__array_interface__: the array lies on a GPU");
  return interface_of(*self.pixels);
}

nb::dict cuda_interface(const array_handle& self) {
  if (self.pixels->space() != memory_space::device) {
    throw nb::attribute_error("__cuda_array_interface__: the array lies in host memory");
  }
  nb::dict about = interface_of(*self.pixels);
  about["stream"] = nb::none();  // complete: nothing to wait for
  return about;
}

std::string device_name(const image& pixels) {
  return pixels.space() == memory_space::host ? "cpu" : "cuda:" + std::to_string(pixels.device());
}

std::string repr(const array_handle& self) {
  const image& pixels = *self.pixels;
  return "<cuphoton.xdr.Array " + std::string(name(pixels.type())) + " " + to_string(pixels.extents()) + " on " +
         device_name(pixels) + ", decoded by " + pixels.facts().engine + ">";
}

}  // namespace

// --- into the library
// -------------------------------------------------------------------------------------------------

bool target_view::take_cuda_interface(nb::handle array) {
  if (!nb::hasattr(array, "__cuda_array_interface__")) return false;
  const nb::object about = array.attr("__cuda_array_interface__");
  const std::string typestr = nb::cast<std::string>(about["typestr"]);
  std::optional<pixel_type> type;
  for (int i = 0; i <= static_cast<int>(pixel_type::f64); ++i) {
    if (interface_type(static_cast<pixel_type>(i)).substr(1) == typestr.substr(1) && typestr[0] != '>') {
      type = static_cast<pixel_type>(i);
    }
  }
  if (!type) refuse("pixels of type " + typestr + " are none that an image has");
  memory_.type = *type;
  memory_.extents = shape_from(integers(about["shape"]));
  const nb::object strides = about.attr("get")("strides");
  if (!strides.is_none() && !is_c_order(memory_.extents, integers(strides), size_bytes(*type))) refuse(wrong_order);
  const nb::object data = about["data"];
  if (nb::cast<bool>(data[1])) refuse("the array is read-only");
  memory_.data = reinterpret_cast<std::uint8_t*>(nb::cast<std::uintptr_t>(data[0]));
  memory_.space = memory_space::device;
  const nb::object device = nb::getattr(array, "device", nb::none());
  // CuPy says device.id, torch device.index, numba neither: then it is the device the caller works on.
  for (const char* attribute : {"id", "index"}) {
    const nb::object number = nb::getattr(device, attribute, nb::none());
    if (nb::isinstance<nb::int_>(number)) memory_.device = nb::cast<int>(number);
  }
  return true;
}

bool target_view::take_buffer(nb::handle array) {
  if (PyObject_CheckBuffer(array.ptr()) == 0) return false;
  Py_buffer view{};
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_FULL_RO) != 0) throw nb::python_error();
  buffer_ = view;
  if (view.readonly != 0) refuse("the array is read-only");
  const auto type = type_of_format(view.format, view.itemsize);
  if (!type)
    refuse(std::string("pixels of format '") + (view.format != nullptr ? view.format : "") +
           "' are none that an image has in memory (big-endian?)");
  memory_.type = *type;
  memory_.extents = shape_from({view.shape, view.shape + view.ndim});
  if (view.strides != nullptr &&
      !is_c_order(memory_.extents, {view.strides, view.strides + view.ndim}, view.itemsize)) {
    refuse(wrong_order);
  }
  memory_.data = static_cast<std::uint8_t*>(view.buf);
  return true;
}

void target_view::take_dlpack(nb::handle array) {
  if (!nb::hasattr(array, "__dlpack__"))
    refuse("expected a NumPy, CuPy, torch or any other array that DLPack or an array interface describes");
  capsule_ = array.attr("__dlpack__")();
  auto* const managed = static_cast<dlpack::managed_tensor*>(PyCapsule_GetPointer(capsule_.ptr(), dlpack::name));
  if (managed == nullptr) throw nb::python_error();
  const dlpack::tensor& tensor = managed->tensor;
  const auto type = pixel_type_of(tensor.type);
  if (!type) refuse("pixels of this type are none that an image has");
  memory_.type = *type;
  memory_.extents = shape_from({tensor.extents, tensor.extents + tensor.rank});
  if (tensor.strides != nullptr && !is_c_order(memory_.extents, {tensor.strides, tensor.strides + tensor.rank}, 1))
    refuse(wrong_order);
  memory_.data = static_cast<std::uint8_t*>(tensor.data) + tensor.offset_bytes;
  const bool on_device = tensor.device.kind == dlpack::on_cuda || tensor.device.kind == dlpack::on_cuda_managed;
  if (!on_device && tensor.device.kind != dlpack::on_cpu && tensor.device.kind != dlpack::on_cuda_host) {
    refuse("the array lies neither in host memory nor on a CUDA device");
  }
  memory_.space = on_device ? memory_space::device : memory_space::host;
  memory_.device = on_device ? tensor.device.index : 0;
}

target_view::target_view(nb::object array) {
  const std::string module = nb::cast<std::string>(nb::handle(array.type()).attr("__module__"));
  if (module.starts_with("jax")) refuse("JAX arrays are immutable: leave `out` away and call .jax() on the result");
  if (!take_cuda_interface(array) && !take_buffer(array)) take_dlpack(array);
}

target_view::~target_view() {
  if (buffer_) PyBuffer_Release(&*buffer_);
}

void bind_array(nb::module_& module) {
  nb::class_<array_handle> type(module, "Array", nb::is_weak_referenceable(),
                                "Pixels in host or device memory, complete and native-endian.");
  type.def_prop_ro("shape", [](const array_handle& self) { return to_tuple(self.pixels->extents()); })
      .def_prop_ro("ndim", [](const array_handle& self) { return self.pixels->extents().rank; })
      .def_prop_ro("nbytes", [](const array_handle& self) { return self.pixels->size_bytes(); })
      .def_prop_ro("dtype_name", [](const array_handle& self) { return std::string(name(self.pixels->type())); })
      .def_prop_ro("dtype",
                   [](const array_handle& self) {
                     return nb::module_::import_("numpy").attr("dtype")(std::string(name(self.pixels->type())));
                   })
      .def_prop_ro("device", [](const array_handle& self) { return device_name(*self.pixels); })
      .def_prop_ro("scale", [](const array_handle& self) { return self.pixels->scale; })
      .def_prop_ro("zero", [](const array_handle& self) { return self.pixels->zero; })
      .def_prop_ro("null_value", [](const array_handle& self) { return self.pixels->null_value; })
      .def_prop_ro("receipt",
                   [](const array_handle& self) {
                     return nb::module_::import_("json").attr("loads")(to_json(self.pixels->facts()));
                   })
      .def_prop_ro("__array_interface__", &host_interface)
      .def_prop_ro("__cuda_array_interface__", &cuda_interface)
      .def("__dlpack__", &to_dlpack, nb::kw_only(), nb::arg("stream").none() = nb::none(),
           nb::arg("max_version").none() = nb::none(), nb::arg("dl_device").none() = nb::none(),
           nb::arg("copy").none() = nb::none())
      .def("__dlpack_device__",
           [](const array_handle& self) {
             const dlpack::device here = device_of(*self.pixels);
             return nb::make_tuple(static_cast<int>(here.kind), static_cast<int>(here.index));
           })
      .def("__len__",
           [](const array_handle& self) {
             if (self.pixels->extents().rank == 0) throw nb::type_error("len() of an array without axes");
             return self.pixels->extents()[0];
           })
      .def("__repr__", &repr);
  bind_conversions(type);
}

}  // namespace cuphoton::xdr::python
