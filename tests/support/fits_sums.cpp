// fits_sums.cpp: see fits_sums.hpp.
#include "support/fits_sums.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cuphoton::xdr::test {

std::uint32_t plain_sum(const byte_vector& bytes, std::size_t from) {
  std::uint64_t sum = 0;
  for (std::size_t at = from; at + 4 <= bytes.size(); at += 4) {
    sum += std::uint64_t{bytes[at]} << 24 | std::uint64_t{bytes[at + 1]} << 16 | std::uint64_t{bytes[at + 2]} << 8 |
           bytes[at + 3];
    if (sum > 0xFFFFFFFF) sum -= 0xFFFFFFFF;  // a carry of 2^32 goes around as 1
  }
  return static_cast<std::uint32_t>(sum);
}

std::string encode_sum(std::uint32_t sum) {
  const std::uint32_t wanted = ~sum;
  std::array<char, 16> letters{};
  for (std::size_t place = 0; place < 4; ++place) {
    const int byte = static_cast<int>(wanted >> (24 - 8 * place) & 0xFF);
    std::array<int, 4> part{};
    part.fill(byte / 4 + '0');
    part[0] += byte % 4;
    // Pairs are moved apart until none of the four is punctuation; their sum stays.
    while (!std::all_of(part.begin(), part.end(), [](int letter) { return std::isalnum(letter) != 0; })) {
      for (const std::size_t pair : {0U, 2U}) {
        if (std::isalnum(part[pair]) != 0 && std::isalnum(part[pair + 1]) != 0) continue;
        ++part[pair];
        --part[pair + 1];
      }
    }
    for (std::size_t row = 0; row < 4; ++row) letters[4 * row + place] = static_cast<char>(part[row]);
  }
  // The value begins in byte 12 of its card, one before a word: the last letter comes first.
  std::rotate(letters.begin(), letters.end() - 1, letters.end());
  return {letters.begin(), letters.end()};
}

byte_vector summed_hdu(std::vector<std::string> cards, byte_vector data) {
  pad_data(data);
  cards.push_back(card("DATASUM", std::to_string(plain_sum(data))));
  cards.push_back(card("CHECKSUM", std::string(16, '0')));
  byte_vector whole = hdu_bytes(cards, data);
  const std::string letters = encode_sum(plain_sum(whole));
  std::copy(letters.begin(), letters.end(), whole.begin() + static_cast<std::ptrdiff_t>((cards.size() - 1) * 80 + 11));
  return whole;
}

}  // namespace cuphoton::xdr::test
