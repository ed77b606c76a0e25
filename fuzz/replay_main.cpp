// replay_main.cpp: a main for any fuzz target: replays every file of the folders given, without libFuzzer. The first
// folder holds the seeds and must not be empty; a later one (regressions) may be absent.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length);

int main(int argument_count, char** arguments) {
  if (argument_count < 2) {
    std::fprintf(stderr, "usage: %s SEED-FOLDER [FOLDER...]\n", arguments[0]);
    return 2;
  }
  for (int i = 1; i < argument_count; ++i) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[i], error)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    if (i == 1 && files.empty()) {
      std::fprintf(stderr, "ERROR: no seeds in %s\n", arguments[i]);
      return 1;
    }
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      std::fprintf(stderr, "%s\n", file.c_str());  // the last name printed is the one that crashed
      std::ifstream input(file, std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::fprintf(stderr, "%zu files of %s\n", files.size(), arguments[i]);
  }
  return 0;
}
