// bind_errors.cpp: error -> Python exception. Which class an errc becomes stands in cuphoton/xdr/errors.py; here its
// facts are handed over.
#include <exception>
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"

namespace cuphoton::xdr::python {
namespace {

nb::object none_if(bool absent, nb::object value) {
  return absent ? nb::none() : value;
}

/// Sets the exception; where Python itself fails on the way, that failure is what is raised.
void raise(const error& fault) {
  try {
    const where& place = fault.place();
    const nb::object made =
        nb::module_::import_("cuphoton.xdr.errors")
            .attr("make_error")(std::string(name(fault.code())), fault.what(), fault.message(),
                                none_if(place.file.empty(), nb::str(place.file.c_str())),
                                none_if(place.hdu < 0, nb::int_(place.hdu)),
                                none_if(place.tile < 0, nb::int_(place.tile)), fault.reasons(), fault.os_error());
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  } catch (nb::python_error& failed) {
    failed.restore();
  }
}

}  // namespace

void bind_errors(nb::module_& module) {
  nb::class_<reason>(module, "Reason", "Why something better was not used, or why an image cannot be read.")
      .def_prop_ro("code", [](const reason& self) { return std::string(name(self.code)); })
      .def_prop_ro("hdu", [](const reason& self) { return none_if(self.hdu < 0, nb::int_(self.hdu)); })
      .def_ro("detail", &reason::detail)
      .def("__str__", [](const reason& self) { return std::string(name(self.code)) + ": " + self.detail; })
      .def("__repr__",
           [](const reason& self) { return "<Reason " + std::string(name(self.code)) + ": " + self.detail + ">"; })
      // A copy is a pair of words: reasons travel with pickled errors.
      .def("__reduce__", [](const reason& self) {
        return nb::make_tuple(nb::module_::import_("cuphoton.xdr.errors").attr("make_reason"),
                              nb::make_tuple(static_cast<int>(self.code), self.hdu, self.detail));
      });
  module.def("_make_reason", [](int code, int hdu, std::string detail) {
    return reason{static_cast<reason_code>(code), hdu, std::move(detail)};
  });
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const error& fault) {
      raise(fault);
    }
  });
}

}  // namespace cuphoton::xdr::python
