"""A header that Astropy read, with the face of `cuphoton.xdr`'s, without importing either."""
from collections.abc import Mapping
from typing import NamedTuple

_COMMENTARY = ("COMMENT", "HISTORY", "")


class Card(NamedTuple):
    """One card; `text` is what the file holds."""

    keyword: str
    value: object
    comment: str
    text: str


class AstropyHeader(Mapping):
    """Read-only; keywords in any case, HIERARCH ones with or without that word. None for a card without a value.

    Of duplicates the last counts; COMMENT, HISTORY and blank cards are joined by newlines. Cards become values when they
    are first asked for, so that a broken one is no obstacle to reading the pixels.
    """

    def __init__(self, header):
        self._header = header.copy()
        self._cards = self._places = None

    @property
    def cards(self):
        """Every card in order, duplicates and commentary included."""
        if self._cards is None:
            self._cards = tuple(
                Card(card.keyword, None if type(card.value).__name__ == "Undefined" else card.value, card.comment, str(card))
                for card in self._header.cards)
        return self._cards

    def _index(self):
        if self._places is None:
            self._places = {}
            for card in self.cards:
                self._places.setdefault(card.keyword.upper(), []).append(card)
        return self._places

    def _found(self, key):
        if not isinstance(key, str):
            raise TypeError(f"a header is asked by keyword, a str, not {type(key).__name__}")
        cards = self._index().get(key.upper().strip().removeprefix("HIERARCH ").lstrip())
        if cards is None:
            raise KeyError(key)
        return cards

    def __getitem__(self, key):
        cards = self._found(key)
        if cards[-1].keyword in _COMMENTARY:
            return "\n".join(str(card.value) for card in cards)
        return cards[-1].value

    def __contains__(self, key):
        return isinstance(key, str) and key.upper().strip().removeprefix("HIERARCH ").lstrip() in self._index()

    def __iter__(self):
        return (cards[0].keyword for cards in self._index().values())

    def __len__(self):
        return len(self._index())

    @property
    def comments(self):
        """Comments by keyword."""
        return _Comments(self)

    def __repr__(self):
        return repr(self._header)

    def to_astropy(self):
        """A copy, as astropy.io.fits.Header."""
        return self._header.copy()


class _Comments(Mapping):
    def __init__(self, header):
        self._header = header

    def __getitem__(self, key):
        return self._header._found(key)[-1].comment

    def __iter__(self):
        return iter(self._header)

    def __len__(self):
        return len(self._header)
