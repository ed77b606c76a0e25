// corpus_dump.cpp: reads "path<TAB>hdu<TAB>values<TAB>engine[<TAB>section]" lines from stdin and answers each with one
// line, "ok shape type bytes notes" followed by the pixels, or "error code reasons text". `hdu` is a number, "NAME" or
// "NAME,version"; `engine` is host, gpu or gpu-separate; `section` is "start:stop:step,...", slowest axis first. Lets
// corpus_test.py and golden_test.py judge pixels without an implementation of SHA-256 here.
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>

#include <cuphoton/xdr/xdr.hpp>

namespace {

using namespace cuphoton::xdr;

hdu_selector parse_selector(const std::string& text) {
  if (text.find_first_not_of("0123456789") == std::string::npos) return hdu_selector::number(std::stoi(text));
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return hdu_selector::named(text);
  return hdu_selector::named(text.substr(0, comma), std::stoll(text.substr(comma + 1)));
}

strided_box parse_section(const std::string& text) {
  strided_box section;
  std::istringstream axes(text);
  for (std::string axis; std::getline(axes, axis, ',') && section.rank < max_rank; ++section.rank) {
    std::istringstream numbers(axis);
    std::int64_t start = 0, stop = 0, step = 1;
    char colon = ':';
    numbers >> start >> colon >> stop >> colon >> step;
    const auto at = static_cast<std::size_t>(section.rank);
    section.start[at] = start;
    section.step[at] = std::max<std::int64_t>(step, 1);
    section.extent[at] = (stop - start + section.step[at] - 1) / section.step[at];
  }
  return section;
}

/// Joined by bars, on one line; "-" for none.
std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : " | ") + text;
  std::replace(all.begin(), all.end(), '\n', ' ');
  return all.empty() ? "-" : all;
}

void answer(const std::string& path, const std::string& hdu, const std::string& section, const read_options& chosen) {
  read_options options = chosen;
  if (!section.empty()) options.section = parse_section(section);
  const auto source = open_source(path);
  const image pixels = read(*source, parse_selector(hdu), options);
  std::cout << "ok " << to_string(pixels.extents()) << ' ' << name(pixels.type()) << ' ' << pixels.bytes().size() << ' '
            << joined(pixels.facts().notes) << '\n';
  std::cout.write(reinterpret_cast<const char*>(pixels.bytes().data()),
                  static_cast<std::streamsize>(pixels.bytes().size()));
}

void refuse(const error& problem) {
  std::string reasons;
  for (const reason& item : problem.reasons()) reasons += (reasons.empty() ? "" : ",") + std::string(name(item.code));
  std::cout << "error " << name(problem.code()) << ' ' << (reasons.empty() ? "-" : reasons) << ' '
            << joined({problem.what()}) << '\n';
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream fields(line);
    std::string path, hdu, values, engine, section;
    std::getline(fields, path, '\t');
    std::getline(fields, hdu, '\t');
    std::getline(fields, values, '\t');
    std::getline(fields, engine, '\t');
    std::getline(fields, section, '\t');
    read_options options;
    options.values = values == "stored" ? pixel_values::stored : pixel_values::scaled;
    options.engine = engine == "host" ? engine_choice::host : engine_choice::gpu;
    if (engine == "gpu-separate") options.restore = restore_variant::separate;
    try {
      answer(path, hdu, section, options);
    } catch (const error& problem) {
      refuse(problem);
    }
    std::cout.flush();
  }
}
