// plio_core.hpp: PLIO_1 (FITS 4.0 §10.4.3) for host and device: words of 16 bits, most significant byte first, that
// write runs of pixels.
//
//   header   word 3 > 0: it is the length, and data start at word 4 (counted from 1); else data start behind the number
//            of words that word 2 gives, and the length is word 5 * 2^15 + word 4. Lengths count words from word 1.
//   data     an opcode in the top 4 bits, d in the low 12; `high` is 1 at first
//     0  d zeros                         4  d pixels of the high value
//     1  high = next word * 2^12 + d     5  d pixels: zeros, the last one high
//     2  high += d                       6  high += d, then one high pixel
//     3  high -= d                       7  high -= d, then one high pixel
//   Pixels that no word writes are zero; what would lie behind the last pixel is cut.
//
// Words are taken by chunks. Nothing in a chunk waits for the word before it: whether a word is an operand shows in the
// words before it, where its pixels begin and what is high there are prefix sums over items of four words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/bytes.hpp"
#include "base/hd.hpp"

#define XDR_FILE_ID 6

namespace cuphoton::xdr {

inline constexpr int plio_items = 32;  // of a phase: the lanes of a warp
inline constexpr int plio_item_words = 4;
inline constexpr int plio_chunk_words = plio_items * plio_item_words;
inline constexpr std::uint64_t plio_most_pixels = std::uint64_t{1} << 30;  // of a piece; words of a chunk: under 2^20
inline constexpr std::int32_t plio_highest = (1 << 24) - 1;  // no encoder goes further (FITS 4.0 §10.4.3)

enum class plio_opcode : std::uint32_t { zeros, set, raise, lower, high, zeros_high, raise_high, lower_high };

/// One word of data.
struct plio_word {
  plio_opcode opcode;  // eight of 16 exist
  std::int32_t d;

  XDR_HD explicit plio_word(std::uint16_t word)
      : opcode(static_cast<plio_opcode>(word >> 12)), d(static_cast<std::int32_t>(word & 0xfffU)) {}
  XDR_HD bool known() const { return opcode <= plio_opcode::lower_high; }
  XDR_HD std::int32_t rise() const {
    if (opcode == plio_opcode::raise || opcode == plio_opcode::raise_high) return d;
    if (opcode == plio_opcode::lower || opcode == plio_opcode::lower_high) return -d;
    return 0;
  }
  XDR_HD std::uint32_t pixels() const {
    if (opcode == plio_opcode::raise_high || opcode == plio_opcode::lower_high) return 1;
    const bool run = opcode == plio_opcode::zeros || opcode == plio_opcode::high || opcode == plio_opcode::zeros_high;
    return run ? static_cast<std::uint32_t>(d) : 0;
  }
};

/// What words do to the pixels written and to the high value: associative, so sums of it may be taken in any grouping.
struct plio_effect {
  std::uint32_t pixels;
  std::int32_t high;  // the value set, or what is added
  bool sets;
};
XDR_HD inline plio_effect operator+(const plio_effect& before, const plio_effect& after) {
  return {before.pixels + after.pixels, after.sets ? after.high : before.high + after.high, before.sets || after.sets};
}

/// The pixels of one word: zeros but for the last one or all of them.
struct plio_run {
  std::uint32_t end;  // of its pixels, from the first one of the chunk
  std::int32_t all;
  std::int32_t last;
};

/// Where a chunk stops: the first of such words, or none. The number of the word above the kind.
enum plio_event : std::uint32_t {
  plio_tile_full = 0,
  plio_unknown_opcode = 1,
  plio_no_operand = 2,
  plio_high_out_of_range = 3,
  plio_event_kinds = 4,
  plio_no_event = 0xffffffffU
};

/// Working storage of one tile, shared by its lanes. Never initialised.
struct plio_workspace {
  std::uint16_t word[plio_chunk_words + 2];  // one of the next chunk: it may be an operand
  plio_effect effect[2][plio_items];
  std::uint32_t event[plio_items];
  plio_run run[plio_chunk_words];
  bool operand_follows;
};
static_assert(std::is_trivially_default_constructible_v<plio_workspace>);

/// Pixels [first, first + pixels) of a tile, of `count` runs one behind the other. Runs may be empty and the last ones
/// may go beyond `pixels`.
struct plio_piece {
  const plio_run* run;
  int count;
  std::uint64_t first;
  std::uint32_t pixels;
};

/// Values of a piece at rising offsets.
class plio_cursor {
 public:
  XDR_HD plio_cursor(const plio_piece& piece, std::uint32_t offset) : run_(piece.run) {
    int count = piece.count;  // of the runs that may hold it: the first one whose end lies behind
    while (count > 1) {
      const int half = count / 2;
      if (run_[half - 1].end <= offset) run_ += half;
      count -= half;
    }
    held_ = *run_;
  }
  /// `offset` < piece.pixels, not below that of the call before.
  XDR_HD std::int32_t value(std::uint32_t offset) {
    while (held_.end <= offset) held_ = *++run_;
    return offset + 1 == held_.end ? held_.last : held_.all;
  }

 private:
  const plio_run* run_;
  plio_run held_;
};

/// A sink gets the pieces of a tile in order, each with all lanes, and returns when all of them are done with it. This
/// one stores native 32-bit integers at any address.
struct plio_array_sink {
  std::uint8_t* bytes;
  std::uint32_t zero;  // subtracted from each value, modulo 2^32

  template <class Lanes>
  XDR_HD void operator()(Lanes& lanes, const plio_piece& piece) const {
    constexpr std::uint32_t group = 16;
    lanes.phase(static_cast<int>((piece.pixels + group - 1) / group), [&](int item) {
      const std::uint32_t begin = group * static_cast<std::uint32_t>(item);
      const std::uint32_t end = piece.pixels - begin < group ? piece.pixels : begin + group;
      plio_cursor cursor(piece, begin);
      for (std::uint32_t offset = begin; offset < end; ++offset) {
        const std::uint32_t value = static_cast<std::uint32_t>(cursor.value(offset)) - zero;
        std::memcpy(bytes + (piece.first + offset) * sizeof value, &value, sizeof value);
      }
    });
  }
};

/// The words of data, counted from 0: [begin, end).
struct plio_extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

XDR_HD inline std::uint16_t load_plio_word(byte_view tile, std::uint64_t index) {
  return load_be<std::uint16_t>(tile.data + 2 * index);
}

XDR_HD inline verdict parse_plio_header(byte_view tile, plio_extent& data) {
  const std::uint64_t stored = tile.length_bytes / 2;
  XDR_CHECK(stored >= 3, tile_status::truncated);
  const int short_length = load_be<std::int16_t>(tile.data + 4);
  if (short_length > 0) {
    data = {3, static_cast<std::uint64_t>(short_length)};
  } else {
    XDR_CHECK(stored >= 7, tile_status::truncated);
    const int header_words = load_be<std::int16_t>(tile.data + 2);
    XDR_CHECK(header_words >= 3, tile_status::bad_data);
    const int low = load_be<std::int16_t>(tile.data + 6);
    const int high = load_be<std::int16_t>(tile.data + 8);
    XDR_CHECK(low >= 0 && high >= 0, tile_status::bad_data);
    data = {static_cast<std::uint64_t>(header_words), static_cast<std::uint64_t>((high << 15) + low)};
  }
  XDR_CHECK(data.end >= data.begin, tile_status::bad_data);  // the length counts the header
  XDR_CHECK(data.end <= stored, tile_status::truncated);
  return {};
}

/// Whether word `index` of the chunk is the operand of the word before it: it is, where an odd number of words that
/// look like plio_opcode::set stand before it. Looks back no further than the chunk.
XDR_HD inline bool plio_is_operand(const plio_workspace& work, int index, bool first_is_operand) {
  const int begin = first_is_operand ? 1 : 0;
  if (index < begin) return true;
  int before = index;
  while (before > begin && plio_word(work.word[before - 1]).opcode == plio_opcode::set) --before;
  return (index - before) % 2 != 0;
}

/// What is carried from chunk to chunk.
struct plio_state {
  std::uint64_t word = 0;    // the next one
  std::uint64_t pixels = 0;  // written
  std::int32_t high = 1;     // 0 to plio_highest
  bool operand_is_next = false;
};

/// A chunk: where it lies in the words that are loaded.
struct plio_chunk {
  int words;      // of it, 1 to plio_chunk_words
  int available;  // with the one behind, where it exists
};

/// The words of `item`, one after the other: visit(index, word, the word behind it or 0). An operand is visited as
/// zeros of length 0, which change nothing. Returns whether the word behind the last one is an operand.
template <class Visit>
XDR_HD bool visit_plio_item(const plio_workspace& work, const plio_chunk& chunk, int item, bool first_is_operand,
                            Visit visit) {
  const int begin = item * plio_item_words;
  if (begin >= chunk.words) return false;
  const int end = begin + plio_item_words < chunk.words ? begin + plio_item_words : chunk.words;
  bool operand = plio_is_operand(work, begin, first_is_operand);
  for (int index = begin; index < end; ++index) {
    const plio_word word(operand ? std::uint16_t{0} : work.word[index]);
    visit(index, word, std::uint32_t{index + 1 < chunk.available ? work.word[index + 1] : std::uint16_t{0}});
    operand = word.opcode == plio_opcode::set;
  }
  return operand;
}

XDR_HD inline plio_effect effect_of(const plio_word& word, std::uint32_t next) {
  if (word.opcode == plio_opcode::set) return {0, static_cast<std::int32_t>(next << 12) + word.d, true};
  return {word.pixels(), word.rise(), false};
}

/// Effects of the chunk's items, summed from the first one on, into work.effect[1].
template <class Lanes>
XDR_HD void sum_plio_effects(Lanes& lanes, plio_workspace& work, const plio_chunk& chunk, bool first_is_operand) {
  lanes.phase(plio_items, [&](int item) {
    plio_effect sum{};
    visit_plio_item(work, chunk, item, first_is_operand,
                    [&](int, const plio_word& word, std::uint32_t next) { sum = sum + effect_of(word, next); });
    work.effect[0][item] = sum;
  });
  int from = 0;
  for (int distance = 1; distance < plio_items; distance *= 2) {
    lanes.phase(plio_items, [&](int item) {
      const plio_effect own = work.effect[from][item];
      work.effect[1 - from][item] = item < distance ? own : work.effect[from][item - distance] + own;
    });
    from = 1 - from;
  }
  static_assert(plio_items == 32);  // five rounds end in [1]
}

/// Runs of one item, and the first of its words at which the tile stops. `left`: pixels that are not written yet.
XDR_HD inline void place_plio_item(plio_workspace& work, const plio_chunk& chunk, int item, const plio_state& state,
                                   std::uint32_t left) {
  plio_effect sum{0, state.high, true};
  if (item > 0) sum = sum + work.effect[1][item - 1];
  std::uint32_t event = plio_no_event;
  const auto place = [&](int index, const plio_word& word, std::uint32_t next) {
    const bool reached = sum.pixels < left;
    sum = sum + effect_of(word, next);
    work.run[index] = {sum.pixels, word.opcode == plio_opcode::high ? sum.high : 0,
                       word.opcode == plio_opcode::zeros ? 0 : sum.high};
    if (!reached || event != plio_no_event) return;
    std::uint32_t kind = plio_event_kinds;
    if (sum.pixels >= left) kind = plio_tile_full;
    if (sum.high < 0 || sum.high > plio_highest) kind = plio_high_out_of_range;
    if (word.opcode == plio_opcode::set && index + 1 >= chunk.available) kind = plio_no_operand;
    if (!word.known()) kind = plio_unknown_opcode;
    if (kind != plio_event_kinds) event = static_cast<std::uint32_t>(index) * plio_event_kinds + kind;
  };
  const bool operand_follows = visit_plio_item(work, chunk, item, state.operand_is_next, place);
  work.event[item] = event;
  if (item == (chunk.words - 1) / plio_item_words) work.operand_follows = operand_follows;
}

/// One chunk: its words into runs, those before the fault where there is one.
template <class Lanes>
XDR_HD verdict read_plio_chunk(Lanes& lanes, plio_workspace& work, byte_view tile, std::uint64_t end,
                               std::uint64_t pixels, plio_state& state, plio_piece& piece) {
  const std::uint64_t words_left = end - state.word;
  plio_chunk chunk{plio_chunk_words, plio_chunk_words + 1};
  if (words_left < plio_chunk_words + 1) {
    chunk.available = static_cast<int>(words_left);
    chunk.words = chunk.available < plio_chunk_words ? chunk.available : plio_chunk_words;
  }
  const std::uint64_t pixels_left = pixels - state.pixels;
  const auto left = static_cast<std::uint32_t>(pixels_left < plio_most_pixels ? pixels_left : plio_most_pixels);
  lanes.phase(chunk.available, [&](int index) {
    work.word[index] = load_plio_word(tile, state.word + static_cast<std::uint64_t>(index));
  });
  sum_plio_effects(lanes, work, chunk, state.operand_is_next);
  lanes.phase(plio_items, [&](int item) { place_plio_item(work, chunk, item, state, left); });

  std::uint32_t event = plio_no_event;
  for (int item = 0; item < plio_items; ++item) event = work.event[item] < event ? work.event[item] : event;
  const auto at = static_cast<int>(event / plio_event_kinds);  // if there is one
  const std::uint32_t kind = event == plio_no_event ? plio_event_kinds : event % plio_event_kinds;
  const plio_effect whole = work.effect[1][plio_items - 1];
  piece = {work.run, chunk.words, state.pixels, whole.pixels};
  int used_words = chunk.words;
  if (kind == plio_tile_full) {
    piece.pixels = left;
    used_words = at + 1;
  } else if (kind != plio_event_kinds) {
    piece.pixels = at == 0 ? 0 : work.run[at - 1].end;
    used_words = at;
  }
  state.word += static_cast<std::uint64_t>(used_words);
  state.high = whole.sets ? whole.high : state.high + whole.high;  // no more used after an event
  state.operand_is_next = work.operand_follows;
  XDR_CHECK(kind != plio_unknown_opcode, tile_status::bad_data);
  XDR_CHECK(kind != plio_no_operand, tile_status::truncated);
  XDR_CHECK(kind != plio_high_out_of_range, tile_status::bad_data);
  return {};
}

/// Pixels that no word wrote, or as many as a piece holds.
template <class Lanes>
XDR_HD plio_piece rest_of_plio(Lanes& lanes, plio_workspace& work, std::uint64_t pixels, const plio_state& state) {
  const std::uint64_t left = pixels - state.pixels;
  const auto count = static_cast<std::uint32_t>(left < plio_most_pixels ? left : plio_most_pixels);
  lanes.phase(1, [&](int) { work.run[0] = {count, 0, 0}; });
  return {work.run, 1, state.pixels, count};
}

template <class Lanes, class Sink>
XDR_HD verdict decode_plio_stream(Lanes& lanes, plio_workspace& work, byte_view tile, std::uint64_t pixels,
                                  std::uint64_t room_bytes, plio_state& state, Sink& sink) {
  XDR_CHECK(pixels <= room_bytes / sizeof(std::int32_t), tile_status::output_long);
  plio_extent data;
  XDR_TRY(parse_plio_header(tile, data));
  state.word = data.begin;
  while (state.pixels < pixels) {
    plio_piece piece{};
    verdict outcome;
    if (state.word < data.end) {
      outcome = read_plio_chunk(lanes, work, tile, data.end, pixels, state, piece);
    } else {
      piece = rest_of_plio(lanes, work, pixels, state);
    }
    if (piece.pixels != 0) sink(lanes, piece);
    state.pixels += piece.pixels;
    XDR_TRY(outcome);
  }
  return {};
}

/// Decodes one tile of `pixels` integers; the sink gets all of them once, those before the fault where there is one.
/// `room_bytes`: what somebody has provided for them at four bytes each. Time is bounded by words and pixels.
template <class Lanes, class Sink>
XDR_HD tile_result decode_plio(Lanes& lanes, plio_workspace& work, byte_view tile, std::uint64_t pixels,
                               std::uint64_t room_bytes, Sink& sink) {
  tile_result result;
  if (pixels == 0 && tile.length_bytes == 0) {  // no pixels in no bytes
    result.status = tile_status::ok;
    result.element_bytes = sizeof(std::int32_t);
    return result;
  }
  plio_state state;
  const verdict outcome = decode_plio_stream(lanes, work, tile, pixels, room_bytes, state, sink);
  result.status = outcome.status;
  result.check = outcome.check;
  result.bits_used = 16 * state.word;
  result.bytes_written = sizeof(std::int32_t) * state.pixels;
  if (!outcome.ok()) return result;
  result.element_bytes = sizeof(std::int32_t);
  result.surplus_input = 2 * state.word < tile.length_bytes;
  return result;
}

/// The same into native integers at `room`; nothing behind the last pixel is touched. `zero` is subtracted from each
/// value (codec_parameters::plio_zero).
template <class Lanes>
XDR_HD tile_result decode_plio_tile(Lanes& lanes, plio_workspace& work, byte_view tile, std::uint32_t zero,
                                    std::uint64_t pixels, std::uint8_t* room, std::uint64_t room_bytes) {
  plio_array_sink sink{room, zero};
  return decode_plio(lanes, work, tile, pixels, room_bytes, sink);
}

}  // namespace cuphoton::xdr

#undef XDR_FILE_ID
