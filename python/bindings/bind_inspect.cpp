// bind_inspect.cpp: the listing of a file and plans.
#include <optional>
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"

namespace cuphoton::xdr::python {
namespace {

limits limits_of(std::uint64_t max_header_bytes, std::uint64_t max_bytes) {
  limits caps;
  if (max_header_bytes != 0) caps.max_header_bytes = max_header_bytes;
  if (max_bytes != 0) caps.max_bytes = max_bytes;
  return caps;
}

nb::object problem_text(const std::optional<error>& problem) {
  return problem ? nb::object(nb::str(problem->what())) : nb::none();
}

}  // namespace

void bind_inspect(nb::module_& module) {
  nb::class_<hdu_info>(module, "HduInfo", "One line of a listing.")
      .def_ro("index", &hdu_info::index)
      .def_prop_ro("kind", [](const hdu_info& self) { return std::string(name(self.kind)); })
      .def_ro("name", &hdu_info::name)
      .def_ro("version", &hdu_info::version)
      .def_ro("header_offset_bytes", &hdu_info::header_offset_bytes)
      .def_ro("data_offset_bytes", &hdu_info::data_offset_bytes)
      .def_ro("data_bytes", &hdu_info::data_bytes)
      .def_prop_ro("shape", [](const hdu_info& self) { return to_tuple(self.extents); })
      .def_prop_ro("stored_dtype", [](const hdu_info& self) { return std::string(name(self.stored_type)); })
      .def_prop_ro("dtype", [](const hdu_info& self) { return std::string(name(self.scaled_type)); })
      .def_ro("scale", &hdu_info::scale)
      .def_ro("zero", &hdu_info::zero)
      .def_ro("null_value", &hdu_info::null_value)
      .def_ro("codec", &hdu_info::codec_name)
      .def_prop_ro("tile_shape", [](const hdu_info& self) { return to_tuple(self.tile_shape); })
      .def_ro("quantization", &hdu_info::quantization)
      .def_ro("reasons", &hdu_info::reasons)
      .def_ro("notes", &hdu_info::notes)
      .def_prop_ro("problem", [](const hdu_info& self) { return problem_text(self.problem); })
      .def_prop_ro("cards", [](const hdu_info& self) {
        nb::list cards;  // headers of other people's making: bytes outside ASCII stay recognisable
        for (const std::string& card : self.cards) {
          cards.append(nb::steal<nb::object>(
              PyUnicode_DecodeLatin1(card.data(), static_cast<Py_ssize_t>(card.size()), nullptr)));
        }
        return cards;
      });
  nb::class_<file_info>(module, "FileInfo", "The HDUs of a file.")
      .def_ro("file_bytes", &file_info::file_bytes)
      .def_ro("hdus", &file_info::hdus)
      .def_ro("notes", &file_info::notes)
      .def_prop_ro("problem", [](const file_info& self) { return problem_text(self.problem); });
  module.def(
      "inspect",
      [](const source_handle& source, std::uint64_t max_header_bytes) {
        const unlocked without_lock;
        return inspect(*source.source, limits_of(max_header_bytes, 0));
      },
      nb::arg("source"), nb::arg("max_header_bytes") = 0);
  module.def(
      "raise_problem",
      [](const file_info& info, int index) {
        for (const hdu_info& unit : info.hdus) {
          if (unit.index != index) continue;
          if (unit.problem) throw *unit.problem;
          return;  // what comes after a good HDU is not its fault
        }
        if (info.problem) throw *info.problem;
      },
      nb::arg("info"), nb::arg("index"), "Raises what is wrong with an HDU's header, or with the walk before it.");
}

}  // namespace cuphoton::xdr::python
