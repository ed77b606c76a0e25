// corpus_dump.cpp: reads "path<TAB>hdu<TAB>values<TAB>engine" lines from stdin and answers each with one line, "ok
// shape type bytes" followed by the pixels, or "error code text". Lets corpus_test.py hash pixels without an
// implementation of SHA-256 here.
#include <iostream>
#include <sstream>
#include <string>

#include <cuphoton/xdr/xdr.hpp>

namespace {

using namespace cuphoton::xdr;

void answer(const std::string& path, int hdu, const std::string& values, const std::string& engine) {
  read_options options;
  options.values = values == "stored" ? pixel_values::stored : pixel_values::scaled;
  options.engine = engine == "host" ? engine_choice::host : engine_choice::gpu;
  if (engine == "gpu-separate") options.restore = restore_variant::separate;
  const auto source = open_source(path);
  const image pixels = read(*source, hdu_selector::number(hdu), options);
  std::cout << "ok " << to_string(pixels.extents()) << ' ' << name(pixels.type()) << ' ' << pixels.bytes().size()
            << '\n';
  std::cout.write(reinterpret_cast<const char*>(pixels.bytes().data()),
                  static_cast<std::streamsize>(pixels.bytes().size()));
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    std::string path, hdu, values, engine;
    std::getline(fields, path, '\t');
    std::getline(fields, hdu, '\t');
    std::getline(fields, values, '\t');
    std::getline(fields, engine, '\t');
    try {
      answer(path, std::stoi(hdu), values, engine);
    } catch (const error& problem) {
      std::cout << "error " << name(problem.code()) << ' ' << problem.what() << '\n';
    }
    std::cout.flush();
  }
}
