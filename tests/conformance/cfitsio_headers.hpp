// cfitsio_headers.hpp: how CFITSIO describes the HDUs of a file, asked in a child process with limits on time and
// memory, since CFITSIO 4.2 crashes and hangs on hostile headers. For header_differential_test only.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cuphoton::xdr::test {

/// Field name to value, both as text, so that oracles in other processes and languages compare alike.
using header_fields = std::map<std::string, std::string>;

struct listing {
  std::vector<header_fields> hdus;
  std::string problem;  // why the list is shorter than the file
  bool refused = false;
  bool externally_compressed = false;
};

}  // namespace cuphoton::xdr::test

#ifdef XDR_HAVE_CFITSIO

#include <fitsio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace cuphoton::xdr::test {

/// Raw keywords of the current HDU; CFITSIO's own idea of the image is never asked, since it hides the table.
class cfitsio_hdu {
 public:
  explicit cfitsio_hdu(fitsfile* file) : file_(file) {}

  header_fields fields() const {
    const bool compressed = logical("ZIMAGE");
    int type = 0;
    int status = 0;
    fits_get_hdu_type(file_, &type, &status);
    header_fields found{{"class", compressed ? "compressed" : class_of(type)}, {"offset", offset()}, {"name", name()}};
    found["version"] = integer("EXTVER", "1");
    if (type != IMAGE_HDU && !compressed) return found;
    if (logical("GROUPS") && integer("NAXIS1", "-") == "0") {
      found["class"] = "groups";
      return found;
    }
    const std::string prefix = compressed ? "Z" : "";
    found["shape"] = shape_of(prefix + "NAXIS", "");
    if (found["shape"] == "-") return found;
    found["bitpix"] = integer(prefix + "BITPIX", "?");
    found["bscale"] = real("BSCALE", 1.0);
    found["bzero"] = real("BZERO", 0.0);
    if (compressed) found["codec"] = string("ZCMPTYPE");
    return found;
  }

 private:
  static const char* class_of(int type) { return type == IMAGE_HDU ? "image" : type == BINARY_TBL ? "table" : "ascii"; }

  bool logical(const std::string& key) const {
    int value = 0;
    int status = 0;
    return fits_read_key_log(file_, key.c_str(), &value, nullptr, &status) == 0 && value != 0;
  }
  std::string integer(const std::string& key, const char* absent) const {
    LONGLONG value = 0;
    int status = 0;
    return fits_read_key_lnglng(file_, key.c_str(), &value, nullptr, &status) == 0 ? std::to_string(value) : absent;
  }
  std::string real(const std::string& key, double absent) const {
    double value = absent;
    int status = 0;
    if (fits_read_key_dbl(file_, key.c_str(), &value, nullptr, &status) != 0) value = absent;
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  }
  std::string string(const std::string& key) const {
    std::array<char, FLEN_VALUE> value{};
    int status = 0;
    return fits_read_key_str(file_, key.c_str(), value.data(), nullptr, &status) == 0 ? value.data() : "";
  }
  std::string name() const {
    const std::string text = string("EXTNAME");
    const std::size_t from = text.find_first_not_of(' ');
    return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(' ') - from + 1);
  }
  std::string offset() const {
    LONGLONG head = 0;
    LONGLONG data = 0;
    LONGLONG end = 0;
    int status = 0;
    fits_get_hduaddrll(file_, &head, &data, &end, &status);
    return std::to_string(data);
  }
  std::string shape_of(const std::string& stem, const char* absent) const {
    const int rank = std::atoi(integer(stem, "0").c_str());
    std::string text;
    for (int n = rank; n >= 1; --n) text += integer(stem + std::to_string(n), absent) + (n > 1 ? "x" : "");
    return text.empty() ? "-" : text;
  }

  fitsfile* file_;
};

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool under_address_sanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool under_address_sanitizer = true;
#else
inline constexpr bool under_address_sanitizer = false;
#endif
#else
inline constexpr bool under_address_sanitizer = false;
#endif

// Runs in the child: one line for each HDU, fields apart by tabs; the exit code is CFITSIO's status, cut to a byte.
[[noreturn]] inline void print_with_cfitsio(const std::string& path, int out) {
  if (!under_address_sanitizer) {  // ASan maps more than this at its start
    const rlimit memory{std::size_t{1} << 30, std::size_t{1} << 30};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  const rlimit seconds{10, 10};
  ::setrlimit(RLIMIT_CPU, &seconds);
  ::alarm(20);
  FILE* stream = ::fdopen(out, "w");
  fitsfile* file = nullptr;
  int status = 0;
  fits_open_diskfile(&file, path.c_str(), READONLY, &status);
  for (int number = 1; status == 0; ++number) {
    if (fits_movabs_hdu(file, number, nullptr, &status) != 0) break;
    for (const auto& [field, value] : cfitsio_hdu(file).fields())
      std::fprintf(stream, "%s=%s\t", field.c_str(), value.c_str());
    std::fputc('\n', stream);
  }
  std::fclose(stream);
  ::_exit(status == END_OF_FILE ? 0 : status & 255);
}

inline listing list_with_cfitsio(const std::string& path) {
  listing result;
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return result;
  const pid_t child = ::fork();
  if (child == 0) print_with_cfitsio(path, ends[1]);
  ::close(ends[1]);
  std::string output;
  std::array<char, 4096> chunk{};
  for (ssize_t got; (got = ::read(ends[0], chunk.data(), chunk.size())) > 0;) {
    output.append(chunk.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int outcome = 0;
  ::waitpid(child, &outcome, 0);
  if (WIFSIGNALED(outcome)) result.problem = "signal " + std::to_string(WTERMSIG(outcome));
  if (WIFEXITED(outcome) && WEXITSTATUS(outcome) != 0)
    result.problem = "status " + std::to_string(WEXITSTATUS(outcome));
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    header_fields fields;
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part, '\t');)
      fields[part.substr(0, part.find('='))] = part.substr(part.find('=') + 1);
    result.hdus.push_back(fields);
  }
  return result;
}

}  // namespace cuphoton::xdr::test

#endif
