// bind_source.cpp: paths, buffers and Python's file objects as byte sources.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include <nanobind/stl/string.h>

#include "bind.hpp"

namespace cuphoton::xdr::python {
namespace {

/// A Python object that dies with the interpreter lock held, on whichever thread lets go of it last.
class kept {
 public:
  explicit kept(nb::object object) : object_(std::move(object)) {}
  ~kept() {
    if (!nb::is_alive()) {
      object_.release();  // the interpreter is gone: its memory is nobody's
      return;
    }
    const locked with_lock;
    object_.reset();
  }
  kept(const kept&) = delete;
  kept& operator=(const kept&) = delete;
  const nb::object& get() const { return object_; }

 private:
  nb::object object_;
};

/// Bytes of any object with the buffer protocol, held as long as the source lives.
std::shared_ptr<const byte_source> from_buffer(nb::handle object, std::string name) {
  struct holder {
    Py_buffer view{};
    std::shared_ptr<const byte_source> source;
    ~holder() {
      source.reset();
      if (!nb::is_alive()) return;
      const locked with_lock;
      PyBuffer_Release(&view);
    }
  };
  auto held = std::make_shared<holder>();
  if (PyObject_GetBuffer(object.ptr(), &held->view, PyBUF_SIMPLE) != 0) {
    held->view = {};
    throw nb::python_error();
  }
  const auto* bytes = static_cast<const std::uint8_t*>(held->view.buf);
  held->source = memory_source({bytes, static_cast<std::size_t>(held->view.len)}, std::move(name));
  return {held, held->source.get()};
}

/// "ConnectionResetError: peer went away": an exception without its traceback.
std::string words_of(const nb::python_error& failed) {
  return nb::cast<std::string>(failed.type().attr("__name__")) + ": " + nb::str(failed.value()).c_str();
}

/// An object with `read` and `seek`: one reader at a time, since it has one position.
class file_object final : public byte_source {
 public:
  file_object(nb::object object, std::string name) : object_(std::move(object)), name_(std::move(name)) {
    size_bytes_ = nb::cast<std::uint64_t>(object_.get().attr("seek")(0, 2));
  }
  std::uint64_t size_bytes() const noexcept override { return size_bytes_; }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "python"; }

  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const override {
    if (::getpid() != process_) {
      throw error(
          errc::unsupported, where{name_},
          "this process was forked from one that opened the file object, whose position it shares; open the file "
          "in the child, or create worker processes by the 'spawn' start method");
    }
    // Ours first, then the interpreter's: who holds the lock and waits for ours would stop everything.
    const std::lock_guard<std::mutex> one_reader(reading_);
    const locked with_lock;
    try {
      object_.get().attr("seek")(offset_bytes);
      std::size_t done = 0;
      while (done < out.size()) done += read_some(offset_bytes, out, done);
    } catch (nb::python_error& failed) {
      throw error(errc::io_failed, where{name_}, "read() of the file object failed: " + words_of(failed), {}, EIO);
    }
  }

 private:
  std::size_t read_some(std::uint64_t offset_bytes, std::span<std::uint8_t> out, std::size_t done) const {
    const nb::object piece = object_.get().attr("read")(out.size() - done);
    Py_buffer view{};
    if (PyObject_GetBuffer(piece.ptr(), &view, PyBUF_SIMPLE) != 0) throw nb::python_error();
    const auto length = static_cast<std::size_t>(view.len);
    if (length <= out.size() - done) std::copy_n(static_cast<const std::uint8_t*>(view.buf), length, out.data() + done);
    PyBuffer_Release(&view);
    if (length == 0 || length > out.size() - done) {
      throw error(errc::file_truncated, where{name_},
                  "expected " + std::to_string(out.size()) + " bytes from byte " + std::to_string(offset_bytes) +
                      ", the file object gave " + std::to_string(length == 0 ? done : done + length));
    }
    return length;
  }

  kept object_;
  std::string name_;
  std::uint64_t size_bytes_ = 0;
  pid_t process_ = ::getpid();
  mutable std::mutex reading_;
};

std::string name_of(nb::handle object, const char* otherwise) {
  const nb::object name = nb::getattr(object, "name", nb::none());
  return nb::isinstance<nb::str>(name) ? nb::cast<std::string>(name) : otherwise;
}

source_handle open_any(nb::object object) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) return {from_buffer(object, name_of(object, "<bytes>"))};
  if (nb::isinstance(object, nb::module_::import_("io").attr("TextIOBase"))) {
    throw nb::type_error("the file object gives text: open it in binary mode, as in open(path, 'rb')");
  }
  if (nb::hasattr(object, "read") && nb::hasattr(object, "seek")) {
    return {std::make_shared<const file_object>(object, name_of(object, "<file object>"))};
  }
  // str and os.PathLike, as the file system has them; TypeError for everything else.
  const nb::object path = nb::module_::import_("os").attr("fsencode")(object);
  const std::string text(nb::cast<nb::bytes>(path).c_str(), nb::cast<nb::bytes>(path).size());
  const unlocked without_lock;
  return {open_source(text)};
}

}  // namespace

void bind_source(nb::module_& module) {
  nb::class_<source_handle>(module, "Source", "Where bytes come from.")
      .def_prop_ro("name",
                   [](const source_handle& self) {
                     const std::string& text = self.source->name();
                     return nb::steal<nb::object>(
                         PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
                   })
      .def_prop_ro("size_bytes", [](const source_handle& self) { return self.source->size_bytes(); })
      .def_prop_ro("backend", [](const source_handle& self) { return std::string(self.source->backend()); });
  module.def("open_source", &open_any, nb::arg("source").none(),
             "A path, bytes-like, or an object with read and seek, which must not be used meanwhile.");
}

}  // namespace cuphoton::xdr::python
