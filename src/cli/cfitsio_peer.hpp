// cfitsio_peer.hpp: CFITSIO as the second opinion of verify and as the writer of make-demo, and nothing else.
// It reads only HDUs that our reader accepted, in a child process with memory, CPU and wall-clock limits: Debian's
// 4.2 crashes or loops on damaged files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <cuphoton/xdr/types.hpp>

namespace cuphoton::xdr::cli {

/// Why this build has no CFITSIO; nothing if it has.
std::optional<std::string> peer_absent();
/// "4.20", or "" without CFITSIO.
std::string peer_version();

/// What the child is asked for. Element type as stored; scaling is off.
struct peer_question {
  std::string file;
  int hdu_index = 0;
  pixel_type stored_type = pixel_type::u8;
  bool null_is_nan = false;  // quantised floats: undefined pixels become NaN; otherwise nothing is checked
  std::uint64_t expected_bytes = 0;
};

enum class peer_outcome { pixels, refused, died, timed_out };

struct peer_answer {
  peer_outcome outcome = peer_outcome::refused;
  std::string text;  // for all but pixels: one line for people
  std::vector<std::uint8_t> pixels;
};

/// How the child is started: a program by its path and words that come before `xdr peer-read`; none: this process's
/// program.
void start_peer_with(const std::vector<std::string>& starter);
/// Runs the child and waits for it. Never throws for what CFITSIO does; only for lack of processes or memory here.
peer_answer ask_peer(const peer_question& question);
/// `cuphoton xdr peer-read FILE HDU TYPE nan|null BYTES`: the child's side. Pixels go to stdout, the reason for a
/// refusal to stderr with exit code 3.
int peer_read_main(int argc, char** argv);

/// One image for make-demo.
struct peer_image {
  std::string codec;  // ZCMPTYPE; empty: plain
  pixel_type type = pixel_type::u8;
  shape extents;
  std::optional<shape> tile;
  std::optional<int> dither;  // floats: 0, 1, 2 quantise with that method; nothing: lossless
  int dither_seed = 1;
  bool has_null = false;  // float pixels equal to `null_marker` are written as undefined
  std::span<const std::uint8_t> pixels;
};
inline constexpr float null_marker = -9.0e30F;

/// The bytes of a FITS file that holds the image. Throws error{unsupported} without CFITSIO or where it refuses.
std::vector<std::uint8_t> peer_write(const peer_image& image);

}  // namespace cuphoton::xdr::cli
