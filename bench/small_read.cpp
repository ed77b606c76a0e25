// small_read.cpp: what one read of a small image costs in C++: the figure that dev/bench_python.py takes off Python's.
//   small_read FILE ROUNDS      prints the median of a read from bytes in memory, in nanoseconds
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include <cuphoton/xdr/xdr.hpp>

int main(int count, char** words) {
  using clock = std::chrono::steady_clock;
  namespace xdr = cuphoton::xdr;
  if (count != 3) return 2;
  std::ifstream file(words[1], std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const std::size_t rounds = std::strtoul(words[2], nullptr, 10);
  xdr::read_options options;
  options.engine = xdr::engine_choice::host;
  std::vector<std::int64_t> costs;
  for (std::size_t round = 0; round < rounds + rounds / 10; ++round) {
    const auto begin = clock::now();
    const auto source =
        xdr::memory_source({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "<bytes>");
    const xdr::image pixels = xdr::read(*source, xdr::hdu_selector{}, options);
    const auto end = clock::now();
    if (pixels.bytes().empty()) return 1;
    if (round >= rounds / 10) costs.push_back(std::chrono::nanoseconds(end - begin).count());
  }
  std::nth_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(rounds / 2), costs.end());
  std::cout << costs[rounds / 2] << '\n';
}
