// options.cpp: the words of the options that have any, in one table each.
#include <cuphoton/xdr/options.hpp>

namespace cuphoton::xdr {
namespace {

template <class Choice>
struct word_row {
  Choice choice;
  std::string_view word;
};
constexpr word_row<gzip_decoder_choice> decoders[] = {
    {gzip_decoder_choice::automatic, "auto"},
    {gzip_decoder_choice::builtin, "builtin"},
    {gzip_decoder_choice::gzip, "gzip"},
    {gzip_decoder_choice::deflate, "deflate"},
};
constexpr word_row<decompression_backend_choice> backends[] = {
    {decompression_backend_choice::automatic, "auto"},
    {decompression_backend_choice::cuda, "cuda"},
    {decompression_backend_choice::hardware, "hardware"},
};

template <class Table, class Choice>
std::string_view word_of(const Table& table, Choice choice) {
  for (const auto& row : table) {
    if (row.choice == choice) return row.word;
  }
  return "";
}

template <class Choice, class Table>
std::optional<Choice> choice_of(const Table& table, std::string_view word) {
  for (const auto& row : table) {
    if (row.word == word) return row.choice;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(gzip_decoder_choice choice) noexcept {
  return word_of(decoders, choice);
}

std::string_view name(decompression_backend_choice choice) noexcept {
  return word_of(backends, choice);
}

std::optional<gzip_decoder_choice> gzip_decoder_named(std::string_view word) noexcept {
  return choice_of<gzip_decoder_choice>(decoders, word);
}

std::optional<decompression_backend_choice> decompression_backend_named(std::string_view word) noexcept {
  return choice_of<decompression_backend_choice>(backends, word);
}

bool can_go_together(gzip_decoder_choice decoder, decompression_backend_choice backend) noexcept {
  if (backend != decompression_backend_choice::hardware) return true;
  return decoder == gzip_decoder_choice::automatic || decoder == gzip_decoder_choice::gzip;
}

}  // namespace cuphoton::xdr
