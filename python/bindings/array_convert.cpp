// array_convert.cpp: the library's arrays as those of NumPy, CuPy, torch and JAX. Without copies where the memory is
// one that the other library can use; each is imported when it is asked for.
#include <utility>

#include "array.hpp"

namespace cuphoton::xdr::python {
namespace {

nb::object numpy_of(nb::handle self) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const std::shared_ptr<image>& pixels = nb::cast<const array_handle&>(self).pixels;
  if (pixels->space() == memory_space::host) return numpy.attr("asarray")(self);
  return numpy.attr("asarray")(array_handle{host_copy(pixels)});
}

/// What numpy.asarray and numpy.array call where the array interface is not enough.
nb::object array_of(nb::handle self, nb::object dtype, nb::object copy) {
  if (nb::cast<const array_handle&>(self).pixels->space() != memory_space::host) {
    throw nb::type_error(
        "the array lies on a GPU: .numpy() copies it to the host, .cupy() and .torch() leave it there");
  }
  const nb::object pixels = numpy_of(self);
  const bool same = dtype.is_none() || nb::module_::import_("numpy").attr("dtype")(dtype).equal(pixels.attr("dtype"));
  if (same && (copy.is_none() || !nb::cast<bool>(copy))) return pixels;
  if (!copy.is_none() && !nb::cast<bool>(copy)) {
    throw nb::value_error("another dtype needs a copy, which copy=False forbids");
  }
  return pixels.attr("astype")(same ? pixels.attr("dtype") : dtype);
}

nb::object cupy_of(nb::handle self) {
  const nb::module_ cupy = nb::module_::import_("cupy");
  const image& pixels = *nb::cast<const array_handle&>(self).pixels;
  if (pixels.space() == memory_space::device) return cupy.attr("from_dlpack")(self);
  return cupy.attr("asarray")(self.attr("numpy")());
}

nb::object torch_of(nb::handle self) {
  return nb::module_::import_("torch").attr("from_dlpack")(self);
}

nb::object jax_of(nb::handle self) {
  return nb::module_::import_("jax.dlpack").attr("from_dlpack")(self);
}

}  // namespace

std::shared_ptr<image> host_copy(const std::shared_ptr<image>& pixels) {
  const unlocked without_lock;
  return std::make_shared<image>(copy_to_host(*pixels));
}

void bind_conversions(nb::class_<array_handle>& type) {
  type.def("__array__", &array_of, nb::arg("dtype").none() = nb::none(), nb::arg("copy").none() = nb::none())
      .def("numpy", &numpy_of,
           "As numpy.ndarray: a host array shares its memory, a device array is copied to the host (after what the "
           "null stream of its device holds).")
      .def("cupy", &cupy_of,
           "As cupy.ndarray: a device array shares its memory, a host array is copied to CuPy's current device.")
      .def("torch", &torch_of, "As torch.Tensor on the array's device, sharing its memory.")
      .def("jax", &jax_of,
           "As jax.Array on the array's device, sharing its memory where JAX can; it must not be written to by others "
           "then.");
}

}  // namespace cuphoton::xdr::python
