// options.hpp: everything a caller may choose. No environment variable is read below this line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <cuphoton/xdr/types.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// `scaled`: physical values with Astropy's type and bits. `stored`: the array as the file holds it
/// (quantised floats restored, nulls NaN), BSCALE, BZERO and BLANK reported but not applied.
enum class pixel_values : std::uint8_t { scaled, stored };

/// `automatic`: GPU, else host, with reasons. `gpu` and `host` require that engine.
enum class engine_choice : std::uint8_t { automatic, gpu, host };

/// How the GPU engine makes pixels of raw elements; the host engine has one way. `fused`: in the kernel that decodes.
/// `separate`: one launch for each stage, with a second array of the section between; the same bits, slower.
enum class restore_variant : std::uint8_t { fused, separate };

/// Which decoder inflates gzip tiles on the GPU; nothing else asks. `automatic` is `builtin`: our own, safe for any
/// bytes. `gzip` and `deflate` name nvCOMP (docs/nvcomp.md), for trusted files only.
enum class gzip_decoder_choice : std::uint8_t { automatic, builtin, gzip, deflate };
/// What nvCOMP runs on. `hardware`: the decompression engine of the GPU and nothing behind it.
enum class decompression_backend_choice : std::uint8_t { automatic, cuda, hardware };

/// The words of the two, as options and receipts write them ("auto" for automatic), and back; nothing for no such word.
std::string_view name(gzip_decoder_choice choice) noexcept;
std::string_view name(decompression_backend_choice choice) noexcept;
std::optional<gzip_decoder_choice> gzip_decoder_named(std::string_view word) noexcept;
std::optional<decompression_backend_choice> decompression_backend_named(std::string_view word) noexcept;
/// False for pairs that no machine can honour: `hardware` takes gzip members only, and is never our own decoder.
bool can_go_together(gzip_decoder_choice decoder, decompression_backend_choice backend) noexcept;

/// Caps that are checked before memory is allocated.
struct limits {
  std::uint64_t max_header_bytes = std::uint64_t{64} << 20;   // one HDU's header
  std::uint64_t max_bytes = std::uint64_t{16} << 30;          // one delivered array
  std::uint64_t max_unpacked_bytes = std::uint64_t{4} << 30;  // a .gz or .bz2 file; counts where a source is opened
};

struct read_options {
  std::optional<strided_box> section;  // nothing: the whole image
  pixel_values values = pixel_values::scaled;
  engine_choice engine = engine_choice::automatic;
  unsigned threads = 0;  // workers that read and, in the host engine, decode; 0: one for each core of the process
  // Where the array is delivered, whichever engine decodes it; nothing: where that engine has it.
  std::optional<memory_space> space = memory_space::host;
  int device = 0;  // CUDA device, for the GPU engine and for device arrays
  restore_variant restore = restore_variant::fused;
  bool gzip_crc32 = true;  // verified by the GPU engine too; the host engine always verifies
  bool checksum = false;   // DATASUM and CHECKSUM of the HDU, before its pixels are read; a bad one is an error
  limits caps;
  gzip_decoder_choice gzip_decoder = gzip_decoder_choice::automatic;
  decompression_backend_choice decompression_backend = decompression_backend_choice::automatic;
  // Where libnvcomp.so.5 or .6 is, in the folder or its lib64; empty: where the loader looks. The first that was loaded
  // stays for the process.
  std::string nvcomp_folder;
};

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
