"""Headers as read-only mappings. Cards become values in C++; here are Python's manners, and the keywords of a cut-out."""
from collections.abc import Mapping
from typing import NamedTuple

from cuphoton.xdr import _native
from cuphoton.xdr._cutout import cutout_keywords, with_keywords


class Card(NamedTuple):
    """One value of a header. `text` is what the file holds: 80 characters a card, CONTINUE cards included."""

    keyword: str
    value: object
    comment: str
    text: str


def _folded(key):
    """How keywords are compared: without regard to case, to blanks around them and to the word HIERARCH."""
    if not isinstance(key, str):
        raise TypeError(f"a header is asked by keyword, a str, not {type(key).__name__}")
    words = key.upper().strip()
    return words.removeprefix("HIERARCH ").lstrip()


class Comments(Mapping):
    """Comments by keyword: of duplicates the last, "" where there is none."""

    def __init__(self, header):
        self._header = header

    def __getitem__(self, key):
        return self._header._last(key).comment

    def __iter__(self):
        return iter(self._header)

    def __len__(self):
        return len(self._header)


class Header(Mapping):
    """The header of one HDU; of a compressed image that of the image, without the keywords of table and compression.

    Keywords are found without regard to case, HIERARCH ones with or without that word. A value is a bool, int (of any
    length), float, complex, str, or None for a card without value; what follows no rule is the str as written. Of
    duplicates the last counts; COMMENT, HISTORY and blank cards are joined by newlines. `.cards` has everything, in
    order. It never changes: `.to_astropy()` makes a header that can.
    """

    def __init__(self, texts):
        self._texts = tuple(texts)
        self._parsed = None
        self._places = None

    @property
    def cards(self):
        """Every value as a `Card`, in order, duplicates and commentary included."""
        if self._parsed is None:
            values = _native.load().parse_header(list(self._texts))
            self._kinds = tuple(kind for _, kind, *_ in values)
            self._parsed = tuple(Card(keyword, value, comment, "".join(self._texts[first:first + count]))
                                 for keyword, _, value, comment, first, count in values)
        return self._parsed

    def _index(self):
        if self._places is None:
            places = {}
            for place, card in enumerate(self.cards):
                places.setdefault(_folded(card.keyword), []).append(place)
            self._places = places
        return self._places

    def _last(self, key):
        places = self._index().get(_folded(key))
        if places is None:
            raise KeyError(key)
        return self.cards[places[-1]]

    def __getitem__(self, key):
        value = self._last(key).value
        places = self._index()[_folded(key)]
        if self._kinds[places[-1]] == "commentary":
            return "\n".join(self.cards[place].value for place in places if self._kinds[place] == "commentary")
        return value

    def __setitem__(self, key, value):
        raise TypeError("a header of cuphoton.xdr is read-only: change the copy that .to_astropy() makes")

    __delitem__ = __setitem__

    def __contains__(self, key):
        return isinstance(key, str) and _folded(key) in self._index()

    def __iter__(self):
        return (self.cards[places[0]].keyword for places in self._index().values())

    def __len__(self):
        return len(self._index())

    @property
    def comments(self):
        """Comments by keyword."""
        return Comments(self)

    def for_section(self, section):
        """The header of a cut-out: `section` as for `read`, a slice for each axis, slowest first.

        Moves CRPIXn of every coordinate system, LTVn (added where absent) and NAXISn; steps scale CDn_m, PCn_m or CDELTn,
        LTMn_m and SIP coefficients. Sums of the data are left out; keywords that hold regions as text (DATASEC) stay.
        ValueError as for a read, UnsupportedError where the WCS needs tables of other HDUs.
        """
        values = {keyword.upper(): self[keyword] for keyword in self}
        axes = values.get("NAXIS", 0)
        shape = tuple(values.get(f"NAXIS{axis}", 0) for axis in range(axes, 0, -1))
        ranges = _native.load().section_ranges(section, shape)
        return Header(with_keywords(self.cards, cutout_keywords(values, ranges)))

    def tostring(self, sep="\n"):
        """The cards as text, 80 characters each."""
        return sep.join(self._texts)

    def __repr__(self):
        return "\n".join(text.rstrip() for text in self._texts)

    def __reduce__(self):
        return Header, (self._texts,)

    def to_astropy(self):
        """A copy as `astropy.io.fits.Header`, of the same cards. ImportError where Astropy is not installed."""
        try:
            from astropy.io import fits
        except ImportError as absent:
            raise ImportError("header.to_astropy() needs Astropy: pip install 'cuphoton-xdr[all]' or astropy") from absent
        return fits.Header.fromstring("".join(text.ljust(80) for text in self._texts))
