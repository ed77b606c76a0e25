// fake_nvcomp.cpp: a library with nvCOMP's names that inflates nothing and remembers what it was asked. Built several
// times by tests/CMakeLists.txt: FAKE_VERSION is what it says of itself, FAKE_SCRATCH_NAME and FAKE_SINCE_6 choose
// between the two forms of the scratch function.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

struct options {
  unsigned char bytes[64];
};
struct alignments {
  std::size_t input, output, scratch;
};
struct properties {
  std::uint32_t version, cuda_runtime;
};

}  // namespace

extern "C" {

/// Read by the tests.
extern unsigned char fake_options[64];
extern std::size_t fake_numbers[4];
extern int fake_status;
extern std::size_t fake_input_alignment;
extern const void* fake_pointers[8];

unsigned char fake_options[64];
std::size_t fake_numbers[4];
int fake_status = 0;
std::size_t fake_input_alignment = 1;
const void* fake_pointers[8];

int nvcompGetProperties(properties* out);
int nvcompGetProperties(properties* out) {
  *out = {FAKE_VERSION, 13000};
  return 0;
}

#define FAKE_SCRATCH(format, end) FAKE_PASTE(nvcompBatched##format##Decompress, end)
#define FAKE_PASTE(begin, end) FAKE_PASTE_AGAIN(begin, end)
#define FAKE_PASTE_AGAIN(begin, end) begin##end
#if FAKE_SINCE_6
#define FAKE_STREAM , void* stream
#define FAKE_KEEP_STREAM fake_pointers[0] = stream
#else
#define FAKE_STREAM
#define FAKE_KEEP_STREAM fake_pointers[0] = fake_options
#endif

#define FAKE_FORMAT(format)                                                                                          \
  int nvcompBatched##format##DecompressGetRequiredAlignments(options wanted, alignments* out);                       \
  int nvcompBatched##format##DecompressGetRequiredAlignments(options wanted, alignments* out) {                      \
    std::memcpy(fake_options, wanted.bytes, 64);                                                                     \
    *out = {fake_input_alignment, 1, 8};                                                                             \
    return fake_status;                                                                                              \
  }                                                                                                                  \
  int FAKE_SCRATCH(format, FAKE_SCRATCH_NAME)(std::size_t count, std::size_t largest, options wanted,                \
                                              std::size_t * out, std::size_t all FAKE_STREAM);                       \
  int FAKE_SCRATCH(format, FAKE_SCRATCH_NAME)(std::size_t count, std::size_t largest, options wanted,                \
                                              std::size_t * out, std::size_t all FAKE_STREAM) {                      \
    std::memcpy(fake_options, wanted.bytes, 64);                                                                     \
    fake_numbers[0] = count;                                                                                         \
    fake_numbers[1] = largest;                                                                                       \
    fake_numbers[2] = all;                                                                                           \
    FAKE_KEEP_STREAM;                                                                                                \
    *out = count + 1000;                                                                                             \
    return fake_status;                                                                                              \
  }                                                                                                                  \
  int nvcompBatched##format##DecompressAsync(const void* const* inputs, const std::size_t* input_bytes,              \
                                             const std::size_t* capacities, std::size_t* written, std::size_t count, \
                                             void* scratch, std::size_t scratch_bytes, void* const* outputs,         \
                                             options wanted, int* statuses, void* stream);                           \
  int nvcompBatched##format##DecompressAsync(const void* const* inputs, const std::size_t* input_bytes,              \
                                             const std::size_t* capacities, std::size_t* written, std::size_t count, \
                                             void* scratch, std::size_t scratch_bytes, void* const* outputs,         \
                                             options wanted, int* statuses, void* stream) {                          \
    std::memcpy(fake_options, wanted.bytes, 64);                                                                     \
    fake_numbers[0] = count;                                                                                         \
    fake_numbers[1] = scratch_bytes;                                                                                 \
    const void* const all[8] = {inputs, input_bytes, capacities, written, scratch, outputs, statuses, stream};       \
    std::memcpy(fake_pointers, all, sizeof all);                                                                     \
    fake_numbers[3] = sizeof(#format);                                                                               \
    return fake_status;                                                                                              \
  }

FAKE_FORMAT(Gzip)
FAKE_FORMAT(Deflate)

}  // extern "C"
