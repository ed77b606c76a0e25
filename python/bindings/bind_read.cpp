// bind_read.cpp: planning and reading. Words are checked here before any file is touched; the rest is the library's.
#include <optional>
#include <string>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "array.hpp"

namespace cuphoton::xdr::python {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw error(errc::invalid_argument, {}, what);
}

pixel_values values_of(const std::string& text) {
  if (text == "scaled") return pixel_values::scaled;
  if (text == "stored") return pixel_values::stored;
  refuse("values must be 'scaled' or 'stored', not '" + text + "'");
}

engine_choice engine_of(const std::string& text) {
  if (text == "auto") return engine_choice::automatic;
  if (text == "gpu") return engine_choice::gpu;
  if (text == "host") return engine_choice::host;
  refuse("engine must be 'auto', 'gpu' or 'host', not '" + text + "'");
}

restore_variant restore_of(const std::string& text) {
  // Everything is precompiled here, so "native" names what "fused" is.
  if (text == "auto" || text == "fused" || text == "native") return restore_variant::fused;
  if (text == "separate") return restore_variant::separate;
  refuse("postprocess must be 'auto', 'fused', 'separate' or 'native', not '" + text + "'");
}

gzip_decoder_choice decoder_of(const std::string& text) {
  if (const auto choice = gzip_decoder_named(text)) return *choice;
  refuse("gzip_decoder must be 'auto', 'builtin', 'gzip' or 'deflate', not '" + text + "'");
}

decompression_backend_choice backend_of(const std::string& text) {
  if (const auto choice = decompression_backend_named(text)) return *choice;
  refuse("decompression_backend must be 'auto', 'cuda' or 'hardware', not '" + text + "'");
}

/// None, "cpu", "cuda" or "cuda:N".
void set_device(const std::optional<std::string>& text, read_options& options) {
  if (!text) {
    options.space = std::nullopt;
  } else if (*text == "cpu") {
    options.space = memory_space::host;
  } else if (text->starts_with("cuda") && (text->size() == 4 || (text->size() > 5 && text->at(4) == ':'))) {
    options.space = memory_space::device;
    const std::string number = text->size() == 4 ? "0" : text->substr(5);
    if (number.size() > 4 || number.find_first_not_of("0123456789") != std::string::npos) {
      refuse("device must be None, 'cpu' or 'cuda:N', not '" + *text + "'");
    }
    options.device = std::stoi(number);
  } else {
    refuse("device must be None, 'cpu' or 'cuda:N', not '" + *text + "'");
  }
}

/// A slice with NumPy's meaning of None and of numbers below 0; a bound outside the axis is refused, not clipped.
void add_axis(const nb::handle& item, std::int64_t extent, strided_box& section) {
  const int axis = section.rank++;
  const std::string which = "section: axis " + std::to_string(axis);
  if (!PySlice_Check(item.ptr())) refuse(which + ": expected a slice");
  const auto number = [&](const char* name, std::int64_t otherwise) -> std::int64_t {
    const nb::object value = item.attr(name);
    if (value.is_none()) return otherwise;
    if (PyBool_Check(value.ptr()) || PyIndex_Check(value.ptr()) == 0)
      refuse(which + ": " + name + " must be an integer");
    return nb::cast<std::int64_t>(nb::steal<nb::object>(PyNumber_Index(value.ptr())));
  };
  std::int64_t start = number("start", 0);
  std::int64_t stop = number("stop", extent);
  const std::int64_t step = number("step", 1);
  if (step < 1) refuse(which + ": the step must be 1 or more; reverse the array afterwards");
  if (start < 0) start += extent;
  if (stop < 0) stop += extent;
  if (start < 0 || stop > extent || start > stop) {
    refuse(which + ": " + std::to_string(start) + ":" + std::to_string(stop) +
           " lies outside 0:" + std::to_string(extent));
  }
  const auto place = static_cast<std::size_t>(axis);
  section.start[place] = start;
  section.step[place] = step;
  section.extent[place] = (stop - start + step - 1) / step;
}

strided_box section_of(nb::handle given, const shape& extents) {
  nb::tuple slices = nb::isinstance<nb::tuple>(given) ? nb::borrow<nb::tuple>(given) : nb::make_tuple(given);
  if (static_cast<int>(slices.size()) != extents.rank) {
    refuse("section: expected " + std::to_string(extents.rank) + " slices for an image of shape " + to_string(extents) +
           ", found " + std::to_string(slices.size()));
  }
  strided_box section;
  for (int axis = 0; axis < extents.rank; ++axis)
    add_axis(slices[static_cast<std::size_t>(axis)], extents[axis], section);
  return section;
}

shape shape_from(const nb::tuple& extents) {
  shape result;
  for (const nb::handle extent : extents) result[result.rank++] = nb::cast<std::int64_t>(extent);
  return result;
}

hdu_selector selector_of(std::optional<int> index, std::optional<std::string> name,
                         std::optional<std::int64_t> version) {
  return {index, std::move(name), version};
}

/// The caller's stream as a number (cudaStream_t); 0 is the null stream.
stream_view stream_of(std::uintptr_t handle) {
  return reinterpret_cast<CUstream_st*>(handle);
}

void check_target(const target_memory& memory, const image_plan& plan) {
  const where place{plan.file, plan.hdu_index};
  if (memory.extents != shape_of(plan.section)) {
    throw error(errc::shape_mismatch, place,
                "out has shape " + to_string(memory.extents) + ", the image has " + to_string(shape_of(plan.section)));
  }
  if (memory.type != plan.output_type) {
    throw error(
        errc::shape_mismatch, place,
        "out holds " + std::string(name(memory.type)) + ", the image is " + std::string(name(plan.output_type)));
  }
}

struct request {
  hdu_selector which;
  read_options options;
  std::uintptr_t stream = 0;
};

array_handle read_new(const source_handle& source, const request& asked) {
  const unlocked without_lock;
  return {std::make_shared<image>(read(*source.source, asked.which, asked.options))};
}

image_plan plan_of(const source_handle& source, const request& asked) {
  const unlocked without_lock;
  return plan(*source.source, asked.which, asked.options);
}

/// The receipt as JSON; the array is the caller's. `known` is the plan where one was made before, with the same
/// request.
std::string read_to(const source_handle& source, request asked, const nb::object& out, const image_plan* known) {
  const target_view view(out);
  const target_memory& memory = view.memory();
  const unlocked without_lock;
  std::optional<image_plan> made;
  if (known == nullptr) known = &made.emplace(plan(*source.source, asked.which, asked.options));
  check_target(memory, *known);
  const std::size_t length_bytes =
      static_cast<std::size_t>(pixel_count(memory.extents)) * static_cast<std::size_t>(size_bytes(memory.type));
  asked.options.device = memory.space == memory_space::device ? memory.device : asked.options.device;
  if (memory.space == memory_space::host)
    return to_json(read_into(*source.source, *known, {memory.data, length_bytes}, asked.options));
  return to_json(
      read_into_device(*source.source, *known, memory.data, length_bytes, asked.options, stream_of(asked.stream)));
}

}  // namespace

void bind_read(nb::module_& module) {
  nb::class_<request>(module, "Request", "Checked words of one read.")
      .def(
          "__init__",
          [](request* self, std::optional<int> index, std::optional<std::string> name,
             std::optional<std::int64_t> version, const std::string& values, const std::string& engine,
             const std::optional<std::string>& device, const std::string& postprocess, bool gzip_crc32,
             const std::string& gzip_decoder, const std::string& decompression_backend,
             const std::string& nvcomp_folder, unsigned threads, std::uint64_t max_bytes, std::uintptr_t stream) {
            new (self) request();
            self->which = selector_of(index, std::move(name), version);
            self->options.values = values_of(values);
            self->options.engine = engine_of(engine);
            set_device(device, self->options);
            self->options.restore = restore_of(postprocess);
            self->options.gzip_crc32 = gzip_crc32;
            self->options.gzip_decoder = decoder_of(gzip_decoder);
            self->options.decompression_backend = backend_of(decompression_backend);
            self->options.nvcomp_folder = nvcomp_folder;
            self->options.threads = threads;
            if (max_bytes != 0) self->options.caps.max_bytes = max_bytes;
            self->stream = stream;
          },
          nb::kw_only(), nb::arg("index").none() = nb::none(), nb::arg("name").none() = nb::none(),
          nb::arg("version").none() = nb::none(), nb::arg("values") = "scaled", nb::arg("engine") = "auto",
          nb::arg("device").none() = nb::none(), nb::arg("postprocess") = "auto", nb::arg("gzip_crc32") = true,
          nb::arg("gzip_decoder") = "auto", nb::arg("decompression_backend") = "auto", nb::arg("nvcomp_folder") = "",
          nb::arg("threads") = 0, nb::arg("max_bytes") = 0, nb::arg("stream") = 0)
      .def("set_section", [](request& self, nb::object section, nb::tuple extents) {
        self.options.section = section_of(section, shape_from(extents));
      });
  module.def(
      "section_ranges",
      [](nb::object section, nb::tuple extents) {
        const strided_box box = section_of(section, shape_from(extents));
        nb::list ranges;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(box.rank); ++axis) {
          ranges.append(nb::make_tuple(box.start[axis], box.step[axis], box.extent[axis]));
        }
        return ranges;
      },
      nb::arg("section"), nb::arg("shape"), "(start, step, pixels) along each axis; ValueError as for a read.");
  module.def("read", &read_new, nb::arg("source"), nb::arg("request"));
  nb::class_<image_plan>(module, "Plan", "What a read would do; made from headers and the tile table.")
      .def_ro("reasons", &image_plan::reasons, "why no engine can read the image");
  module.def("plan", &plan_of, nb::arg("source"), nb::arg("request"));
  module.def("read_to", &read_to, nb::arg("source"), nb::arg("request"), nb::arg("out"),
             nb::arg("plan").none() = nb::none());
  module.def("plan_json",
             [](const source_handle& source, const request& asked) { return to_json(plan_of(source, asked)); });
}

}  // namespace cuphoton::xdr::python
