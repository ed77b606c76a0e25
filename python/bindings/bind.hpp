// bind.hpp: what the files of the binding share. Each binds one part of the public face; conversion and names only.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include <cuphoton/xdr/xdr.hpp>

#include "unlocked.hpp"

namespace cuphoton::xdr::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_capabilities(nb::module_& module);
void bind_source(nb::module_& module);
void bind_inspect(nb::module_& module);
void bind_header(nb::module_& module);
void bind_array(nb::module_& module);
void bind_read(nb::module_& module);
void bind_device(nb::module_& module);

/// What Python sees as a source: shared, since arrays of one file may be read by many threads.
struct source_handle {
  std::shared_ptr<const byte_source> source;
};

/// A tuple of Python integers, slowest axis first.
nb::tuple to_tuple(const shape& extents);

}  // namespace cuphoton::xdr::python
