// Words of options: each has one, each word is one option again, nothing else is a word.
#include <cuphoton/xdr/options.hpp>

#include <gtest/gtest.h>

namespace cuphoton::xdr {
namespace {

TEST(options, words_of_the_gzip_decoder) {
  const std::pair<gzip_decoder_choice, std::string_view> rows[] = {{gzip_decoder_choice::automatic, "auto"},
                                                                   {gzip_decoder_choice::builtin, "builtin"},
                                                                   {gzip_decoder_choice::gzip, "gzip"},
                                                                   {gzip_decoder_choice::deflate, "deflate"}};
  for (const auto& [choice, word] : rows) {
    EXPECT_EQ(name(choice), word);
    EXPECT_EQ(gzip_decoder_named(word), choice);
  }
  for (const char* const none : {"", "automatic", "Gzip", "gzip ", "nvcomp", "cuda"}) {
    EXPECT_FALSE(gzip_decoder_named(none)) << none;
  }
}

TEST(options, words_of_the_decompression_backend) {
  const std::pair<decompression_backend_choice, std::string_view> rows[] = {
      {decompression_backend_choice::automatic, "auto"},
      {decompression_backend_choice::cuda, "cuda"},
      {decompression_backend_choice::hardware, "hardware"}};
  for (const auto& [choice, word] : rows) {
    EXPECT_EQ(name(choice), word);
    EXPECT_EQ(decompression_backend_named(word), choice);
  }
  for (const char* const none : {"", "automatic", "CUDA", "hw", "gzip"}) {
    EXPECT_FALSE(decompression_backend_named(none)) << none;
  }
}

TEST(options, pairs_that_no_machine_can_honour) {
  const auto hardware = decompression_backend_choice::hardware;
  EXPECT_TRUE(can_go_together(gzip_decoder_choice::automatic, hardware));
  EXPECT_TRUE(can_go_together(gzip_decoder_choice::gzip, hardware));
  EXPECT_FALSE(can_go_together(gzip_decoder_choice::builtin, hardware));
  EXPECT_FALSE(can_go_together(gzip_decoder_choice::deflate, hardware));
  for (const auto backend : {decompression_backend_choice::automatic, decompression_backend_choice::cuda}) {
    for (const auto decoder : {gzip_decoder_choice::automatic, gzip_decoder_choice::builtin, gzip_decoder_choice::gzip,
                               gzip_decoder_choice::deflate}) {
      EXPECT_TRUE(can_go_together(decoder, backend));
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
