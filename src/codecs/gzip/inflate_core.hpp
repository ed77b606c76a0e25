// inflate_core.hpp: DEFLATE (RFC 1951) for host and device, block after block, each in phases of independent items.
// It accepts exactly the streams that libdeflate 1.14 accepts, the host's fast path; where that differs from zlib the
// place says so. Every store and every distance is bounded here; nothing outside the views is read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "base/bytes.hpp"
#include "base/hd.hpp"
#include "codecs/gzip/inflate_output_core.hpp"
#include "codecs/gzip/word_reader_core.hpp"

#define XDR_FILE_ID 2

namespace cuphoton::xdr {

inline constexpr int max_code_bits = 15;
inline constexpr int literal_symbols = 288;  // 257 + 5 bits of HLIT can name all of them; libdeflate takes them too
inline constexpr int distance_symbols = 32;
inline constexpr int precode_symbols = 19;
inline constexpr int end_of_block = 256;
inline constexpr int literal_table_bits = 10;
inline constexpr int distance_table_bits = 8;
inline constexpr int table_fill_items = 32;   // of the phase that fills a table; divides every table
inline constexpr int precode_table_bits = 7;  // the longest precode: never a slow look-up

/// Canonical code in sorted order. limit[n] is the first value, left-aligned in 15 bits, whose code is longer than n
/// bits.
struct code_shape {
  std::uint32_t limit[max_code_bits + 1];
  std::uint16_t first[max_code_bits + 1];  // index in `sorted` of the first code of n bits
  std::uint16_t used;                      // symbols with a code
};

/// Working storage of one stream, about 4 KiB: thread-local on the host, shared memory on the device. An entry of a
/// look-up table is symbol << 4 | code length; 0 means that the code is longer than the table's index.
struct inflate_tables {
  std::uint16_t literal[1 << literal_table_bits];
  std::uint16_t distance[1 << distance_table_bits];
  std::uint16_t precode[1 << precode_table_bits];
  std::uint16_t literal_sorted[literal_symbols];
  std::uint16_t distance_sorted[distance_symbols];
  std::uint16_t precode_sorted[precode_symbols];
  code_shape literal_shape;
  code_shape distance_shape;
  code_shape precode_shape;
  std::uint8_t lengths[literal_symbols + distance_symbols];
  std::uint8_t precode_lengths[precode_symbols];
};
static_assert(sizeof(inflate_tables) <= 5 * 1024);

/// The lowest `count` bits of `value` in opposite order; count 1 to 16.
XDR_HD constexpr std::uint32_t reverse_bits(std::uint32_t value, int count) {
  value = ((value & 0x5555u) << 1) | ((value >> 1) & 0x5555u);
  value = ((value & 0x3333u) << 2) | ((value >> 2) & 0x3333u);
  value = ((value & 0x0f0fu) << 4) | ((value >> 4) & 0x0f0fu);
  value = ((value & 0x00ffu) << 8) | ((value >> 8) & 0x00ffu);
  return value >> (16 - count);
}

/// One of the three codes of a block: views into inflate_tables.
struct code_view {
  code_shape* shape;
  std::uint16_t* sorted;
  std::uint16_t* table;
  int table_bits;
};

/// Symbol and length of the code at the bottom of `bits`.
XDR_HD inline std::uint32_t find_code(const code_view& code, std::uint64_t bits) {
  const auto window = static_cast<std::uint32_t>(bits);
  const std::uint32_t entry = code.table[window & ((1u << code.table_bits) - 1)];
  if (entry != 0) [[likely]]
    return entry;
  // Only complete codes have empty slots (build_code), so limit[15] = 2^15 is above every value: the search ends.
  const std::uint32_t value = reverse_bits(window & 0x7fffu, max_code_bits);
  int length = code.table_bits + 1;
  while (value >= code.shape->limit[length]) ++length;
  const std::uint32_t place = (value - code.shape->limit[length - 1]) >> (max_code_bits - length);
  return (static_cast<std::uint32_t>(code.sorted[code.shape->first[length] + place]) << 4) |
         static_cast<std::uint32_t>(length);
}

/// Builds a code from the lengths of its symbols, 0 to 15 each.
template <class Lanes>
XDR_HD verdict build_code(Lanes& lanes, const std::uint8_t* lengths, int symbols, const code_view& code) {
  code_shape& shape = *code.shape;
  lanes.phase(max_code_bits, [&](int item) {
    std::uint32_t count = 0;
    for (int symbol = 0; symbol < symbols; ++symbol) count += lengths[symbol] == item + 1 ? 1u : 0u;
    shape.limit[item + 1] = count;
  });
  lanes.phase(1, [&](int) {
    std::uint32_t codes = 0;
    std::uint32_t taken = 0;  // at worst 288 * 2^14: fits
    shape.limit[0] = 0;
    shape.first[0] = 0;
    for (int length = 1; length <= max_code_bits; ++length) {
      const std::uint32_t count = shape.limit[length];
      shape.first[length] = static_cast<std::uint16_t>(codes);
      codes += count;
      taken += count << (max_code_bits - length);
      shape.limit[length] = taken;
    }
    shape.used = static_cast<std::uint16_t>(codes);
  });
  constexpr std::uint32_t complete = 1u << max_code_bits;
  XDR_CHECK(shape.limit[max_code_bits] <= complete, tile_status::bad_data);
  // Incomplete codes, libdeflate's rule: a single code of one bit stands for both values of that bit; no code at all
  // acts as symbol 0 of one bit, in every set. zlib is stricter (no such length set, no match with an empty distance
  // set).
  const bool lone = shape.limit[max_code_bits] < complete;
  XDR_CHECK(!lone || shape.used == 0 || (shape.used == 1 && shape.limit[1] != 0), tile_status::bad_data);

  lanes.phase(max_code_bits, [&](int item) {
    int place = shape.first[item + 1];
    for (int symbol = 0; symbol < symbols; ++symbol) {
      if (lengths[symbol] == item + 1) code.sorted[place++] = static_cast<std::uint16_t>(symbol);
    }
  });
  // Each item fills the slots of a run of values: codes in order, so that their length only grows.
  const int values_per_item = (1 << code.table_bits) / table_fill_items;
  lanes.phase(table_fill_items, [&](int item) {
    int length = 1;
    for (int i = item * values_per_item; i < (item + 1) * values_per_item; ++i) {
      const std::uint32_t value = static_cast<std::uint32_t>(i) << (max_code_bits - code.table_bits);
      std::uint32_t entry = 0;
      if (lone) {
        entry = (shape.used == 0 ? 0u : static_cast<std::uint32_t>(code.sorted[0]) << 4) | 1u;
      } else {
        while (length <= code.table_bits && value >= shape.limit[length]) ++length;
        if (length <= code.table_bits) {
          const std::uint32_t place = (value - shape.limit[length - 1]) >> (max_code_bits - length);
          entry = (static_cast<std::uint32_t>(code.sorted[shape.first[length] + place]) << 4) |
                  static_cast<std::uint32_t>(length);
        }
      }
      code.table[reverse_bits(static_cast<std::uint32_t>(i), code.table_bits)] = static_cast<std::uint16_t>(entry);
    }
  });
  return {};
}

XDR_HD inline code_view literal_code(inflate_tables& tables) {
  return {&tables.literal_shape, tables.literal_sorted, tables.literal, literal_table_bits};
}
XDR_HD inline code_view distance_code(inflate_tables& tables) {
  return {&tables.distance_shape, tables.distance_sorted, tables.distance, distance_table_bits};
}
XDR_HD inline code_view precode_code(inflate_tables& tables) {
  return {&tables.precode_shape, tables.precode_sorted, tables.precode, precode_table_bits};
}

/// How many symbols the two codes of a block have; their lengths stand in inflate_tables one behind the other.
struct code_sizes {
  int literals = literal_symbols;
  int distances = distance_symbols;
};

/// RFC 1951 §3.2.6.
template <class Lanes>
XDR_HD void set_fixed_lengths(Lanes& lanes, inflate_tables& tables) {
  lanes.phase(literal_symbols + distance_symbols, [&](int symbol) {
    tables.lengths[symbol] = static_cast<std::uint8_t>(symbol < 144   ? 8
                                                       : symbol < 256 ? 9
                                                       : symbol < 280 ? 7
                                                       : symbol < 288 ? 8
                                                                      : 5);
  });
}

/// Sets lengths[begin, end) to one value.
template <class Lanes>
XDR_HD void fill_lengths(Lanes& lanes, inflate_tables& tables, int begin, int end, std::uint32_t value) {
  lanes.phase(end - begin, [&](int i) { tables.lengths[begin + i] = static_cast<std::uint8_t>(value); });
}

/// RFC 1951 §3.2.7: HLIT, HDIST, HCLEN, the precode, then all lengths as one sequence.
template <class Lanes, class Reader>
XDR_HD verdict read_dynamic_lengths(Lanes& lanes, Reader& reader, inflate_tables& tables, code_sizes& sizes) {
  reader.refill();
  // HLIT 287, 288 and HDIST 31, 32 are taken as libdeflate takes them; RFC 1951 leaves them out, zlib refuses them.
  sizes.literals = 257 + static_cast<int>(reader.take(5));
  sizes.distances = 1 + static_cast<int>(reader.take(5));
  const int stored_precodes = 4 + static_cast<int>(reader.take(4));
  lanes.phase(precode_symbols, [&](int symbol) { tables.precode_lengths[symbol] = 0; });
  for (int i = 0; i < stored_precodes; ++i) {
    // 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1 15: from 8 outwards behind the first four.
    const int symbol = i < 3 ? 16 + i : i == 3 ? 0 : (i & 1) == 0 ? 6 + i / 2 : 9 - i / 2;
    reader.refill();
    const std::uint32_t length = reader.take(3);
    lanes.phase(1, [&](int) { tables.precode_lengths[symbol] = static_cast<std::uint8_t>(length); });
  }
  XDR_CHECK(!reader.overran(), tile_status::truncated);
  const code_view precode = precode_code(tables);
  XDR_TRY(build_code(lanes, tables.precode_lengths, precode_symbols, precode));

  const int all = sizes.literals + sizes.distances;
  std::uint32_t previous = 0;
  for (int i = 0; i < all;) {  // each turn takes at least one bit and writes at least one length
    reader.refill();
    const std::uint32_t entry = find_code(precode, reader.window());
    reader.skip(static_cast<int>(entry & 15u));
    const std::uint32_t symbol = entry >> 4;
    int count = 1;
    if (symbol < 16) {
      previous = symbol;
    } else if (symbol == 16) {
      XDR_CHECK(i != 0, tile_status::bad_data);  // nothing to repeat
      count = 3 + static_cast<int>(reader.take(2));
    } else {
      previous = 0;
      count = symbol == 17 ? 3 + static_cast<int>(reader.take(3)) : 11 + static_cast<int>(reader.take(7));
    }
    XDR_CHECK(!reader.overran(), tile_status::truncated);
    // A run past the last length is cut off, as libdeflate 1.14 does; zlib refuses it.
    const int end = count < all - i ? i + count : all;
    fill_lengths(lanes, tables, i, end, previous);
    i = end;
  }
  XDR_CHECK(tables.lengths[end_of_block] != 0, tile_status::bad_data);  // the block could never end
  return {};
}

/// RFC 1951 §3.2.4.
template <class Lanes, class Reader, class Output>
XDR_HD verdict copy_stored_block(Lanes& lanes, Reader& reader, Output& out) {
  reader.skip_to_byte();
  reader.refill();
  const std::uint32_t length = reader.take(16);
  const std::uint32_t complement = reader.take(16);
  XDR_CHECK(!reader.overran(), tile_status::truncated);
  XDR_CHECK(length == (complement ^ 0xffffu), tile_status::bad_data);
  const byte_view rest = reader.rest();
  XDR_CHECK(length <= rest.length_bytes, tile_status::truncated);
  XDR_CHECK(length <= out.capacity - out.written, tile_status::output_long);
  std::uint8_t* const target = out.bytes + out.written;
  lanes.phase(static_cast<int>(length), [&](int i) { target[i] = rest.data[i]; });
  out.written += length;
  reader.skip_bytes(length);
  return {};
}

/// LZ77 copy that is right in any order: indices modulo the distance touch only bytes older than this phase.
template <class Lanes>
XDR_HD void copy_match(Lanes& lanes, std::uint8_t* target, int distance, int length) {
  const std::uint8_t* const match = target - distance;
  if (distance >= length) {
    lanes.phase(length, [&](int i) { target[i] = match[i]; });
  } else {
    const auto period = static_cast<std::uint32_t>(distance);
    lanes.phase(length, [&](int i) { target[i] = match[static_cast<std::uint32_t>(i) % period]; });
  }
}

/// Bytes to copy for a length symbol, 257 to 287; 285, 286 and 287 all mean 258, as in libdeflate (zlib refuses the
/// last two). At most 5 extra bits.
template <class Reader>
XDR_HD int read_match_length(Reader& reader, std::uint32_t symbol) {
  if (symbol < 265) return static_cast<int>(symbol) - 254;
  if (symbol >= 285) return 258;
  const auto extra = static_cast<int>((symbol - 261) >> 2);
  const std::uint32_t base = 3 + ((4 + ((symbol - 261) & 3u)) << extra);
  return static_cast<int>(base + reader.take(extra));
}

/// How far back, 1 to 32768, for a distance symbol, 0 to 31; 30 and 31 mean what 29 means, as in libdeflate (zlib
/// refuses them). At most 13 extra bits.
template <class Reader>
XDR_HD int read_match_distance(Reader& reader, std::uint32_t symbol) {
  if (symbol < 4) return static_cast<int>(symbol) + 1;
  if (symbol > 29) symbol = 29;
  const auto extra = static_cast<int>(symbol >> 1) - 1;
  const std::uint32_t base = 1 + ((2 + (symbol & 1u)) << extra);
  return static_cast<int>(base + reader.take(extra));
}

/// Literals and matches up to the end of the block; `out` may hold literals back.
template <class Lanes, class Reader, class Output>
XDR_HD verdict decode_held_symbols(Lanes& lanes, Reader& reader, inflate_tables& tables, Output& out) {
  const code_view literals = literal_code(tables);
  const code_view distances = distance_code(tables);
  constexpr int length_bits = 15 + 5;  // of a code and its extra bits, at most
  constexpr int distance_bits = 15 + 13;
  static_assert(length_bits <= bits_after_refill<Reader> && distance_bits <= bits_after_refill<Reader>);
  for (;;) {
    reader.refill();
    const std::uint32_t entry = find_code(literals, reader.window());
    reader.skip(static_cast<int>(entry & 15u));
    const std::uint32_t symbol = entry >> 4;
    if (symbol < end_of_block) {
      XDR_CHECK(!reader.overran(), tile_status::truncated);
      XDR_CHECK(out.put(lanes, symbol), tile_status::output_long);
      continue;
    }
    if (symbol == end_of_block) {
      XDR_CHECK(!reader.overran(), tile_status::truncated);
      return {};
    }
    out.flush(lanes);  // the match may repeat what is held, and `written` is looked at
    const int length = read_match_length(reader, symbol);
    if constexpr (length_bits + distance_bits > bits_after_refill<Reader>) reader.refill();
    const std::uint32_t distance_entry = find_code(distances, reader.window());
    reader.skip(static_cast<int>(distance_entry & 15u));
    const int distance = read_match_distance(reader, distance_entry >> 4);
    XDR_CHECK(!reader.overran(), tile_status::truncated);
    XDR_CHECK(static_cast<std::uint64_t>(distance) <= out.written, tile_status::bad_data);
    XDR_CHECK(static_cast<std::uint64_t>(length) <= out.capacity - out.written, tile_status::output_long);
    copy_match(lanes, out.bytes + out.written, distance, length);
    out.written += static_cast<std::uint64_t>(length);
  }
}

/// The same; afterwards nothing is held back, whatever the verdict.
template <class Lanes, class Reader, class Output>
XDR_HD verdict decode_symbols(Lanes& lanes, Reader& reader, inflate_tables& tables, Output& out) {
  const verdict outcome = decode_held_symbols(lanes, reader, tables, out);
  out.flush(lanes);
  return outcome;
}

/// Decodes a whole stream. Work is bounded by input and capacity: a block takes at least 10 bits, a symbol at least
/// one.
template <class Lanes, class Reader, class Output>
XDR_HD verdict inflate(Lanes& lanes, Reader& reader, inflate_tables& tables, Output& out) {
  for (bool last = false; !last;) {
    reader.refill();
    last = reader.take(1) != 0;
    const std::uint32_t type = reader.take(2);
    XDR_CHECK(!reader.overran(), tile_status::truncated);
    XDR_CHECK(type != 3, tile_status::bad_data);
    if (type == 0) {
      XDR_TRY(copy_stored_block(lanes, reader, out));
      continue;
    }
    code_sizes sizes;
    if (type == 1) {
      set_fixed_lengths(lanes, tables);
    } else {
      XDR_TRY(read_dynamic_lengths(lanes, reader, tables, sizes));
    }
    XDR_TRY(build_code(lanes, tables.lengths, sizes.literals, literal_code(tables)));
    XDR_TRY(build_code(lanes, tables.lengths + sizes.literals, sizes.distances, distance_code(tables)));
    XDR_TRY(decode_symbols(lanes, reader, tables, out));
  }
  return {};
}

}  // namespace cuphoton::xdr

#undef XDR_FILE_ID
