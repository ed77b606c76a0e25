// bind_header.cpp: header cards as Python values. Cards are Latin-1 on this side, so that every byte survives.
#include <string>
#include <vector>

#include "bind.hpp"

namespace cuphoton::xdr::python {
namespace {

nb::object latin1(const std::string& text) {
  return nb::steal<nb::object>(PyUnicode_DecodeLatin1(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr));
}

std::vector<std::string> bytes_of(const nb::list& cards) {
  std::vector<std::string> texts;
  for (const nb::handle card : cards) {
    const nb::object encoded = nb::steal<nb::object>(PyUnicode_AsLatin1String(card.ptr()));
    if (!encoded.is_valid()) throw nb::python_error();
    texts.emplace_back(nb::cast<nb::bytes>(encoded).c_str(), nb::cast<nb::bytes>(encoded).size());
  }
  return texts;
}

/// Integers of any length are Python's; what follows no rule stays text.
nb::object value_of(const header_card& card) {
  switch (card.kind) {
    case card_kind::undefined: return nb::none();
    case card_kind::logical: return nb::bool_(card.logical);
    case card_kind::integer:
      if (card.fits_int64) return nb::int_(card.integer);
      return nb::steal<nb::object>(PyLong_FromString(card.text.c_str(), nullptr, 10));
    case card_kind::real: return nb::float_(card.real);
    case card_kind::complex: return nb::steal<nb::object>(PyComplex_FromDoubles(card.real, card.imaginary));
    case card_kind::commentary:
    case card_kind::string:
    case card_kind::text: break;
  }
  return latin1(card.text);
}

nb::list parse(const nb::list& cards) {
  nb::list values;
  for (const header_card& card : parse_header(bytes_of(cards))) {
    values.append(nb::make_tuple(latin1(card.keyword), std::string(name(card.kind)).c_str(), value_of(card),
                                 latin1(card.comment), card.first_card, card.card_count));
  }
  return values;
}

nb::list image_cards(const nb::list& cards) {
  nb::list image;
  for (const std::string& card : image_header(bytes_of(cards))) image.append(latin1(card));
  return image;
}

}  // namespace

void bind_header(nb::module_& module) {
  module.def("parse_header", &parse, nb::arg("cards"),
             "(keyword, kind, value, comment, first card, number of cards) for each value, in order.");
  module.def("image_header", &image_cards, nb::arg("cards"), "Cards of the image inside a compressed HDU.");
}

}  // namespace cuphoton::xdr::python
