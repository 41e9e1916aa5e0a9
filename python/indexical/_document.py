"""Documents of the command as objects."""

from __future__ import annotations

import keyword
from dataclasses import fields
from typing import Any, ClassVar

from indexical._errors import Unanswered


class Answer:
    """Keys and values, as attributes, and by name as in JSON.

    `answer["line"]` and `answer.get("line")` are `answer.line`; `to_dict()` is
    all of it as dictionaries and lists. Keys that are absent are `None` as
    attributes, and are in no dictionary.
    """

    _parts: ClassVar[dict[str, type]] = {}

    def keys(self) -> list[str]:
        """The keys that are there."""
        return [field.name.removesuffix("_")
                for field in fields(self)  # type: ignore[arg-type]
                if field.default is not None
                or getattr(self, field.name) is not None]

    def __getitem__(self, key: Any) -> Any:
        if key not in self.keys():
            raise KeyError(key)
        return getattr(self, _attribute(key))

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or `default` if it is absent."""
        value = getattr(self, _attribute(key), None)
        return default if value is None else value

    def to_dict(self) -> dict[str, Any]:
        """The answer as dictionaries, lists and plain values."""
        return {key: _plain(self[key]) for key in self.keys()}


class Document(Answer):
    """What a call answered. `print` shows its text, a notebook its page or
    picture."""

    _page = None  # a call that makes its HTML
    _picture = None  # a call that makes its SVG
    _text = None  # a call that makes its text

    def __str__(self) -> str:
        return self._text() if self._text else repr(self)

    def __getstate__(self):
        # Calls cannot be kept in a file; what was answered can.
        return {key: value for key, value in self.__dict__.items()
                if key not in ("_page", "_picture", "_text")}

    def picture(self):
        """What a notebook draws, as a `Picture`; `None` if there is none."""
        from indexical._calls import Picture

        return Picture(self._picture()) if self._picture else None

    def _repr_html_(self) -> str | None:
        if self._page is None:
            return None
        import html

        # A page of its own, so that its styles and scripts do not affect
        # others.
        return ('<iframe style="width: 100%%; height: 40em; border: 0" '
                'srcdoc="%s"></iframe>' % html.escape(self._page(), quote=True))

    def _repr_svg_(self) -> str | None:
        return self._picture() if self._picture else None


class Verdict(Document):
    """An answer that is `equal`, `different` or `undecided`.

    As a condition: whether it is equal; of an undecided one that is an
    `Unanswered`, as for a `Decision`.
    """

    answer: str

    def __bool__(self) -> bool:
        if self.answer == "undecided":
            raise Unanswered("undecided: print() says what would decide it")
        return self.answer != "different"


class ReportDocument(Document):
    """A report: its kernels one after another, or its groups."""

    kernels: list[Any] | None
    groups: list[Any] | None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The kernels, or groups, as dictionaries: what `pandas.DataFrame`
        takes."""
        return [row.to_dict() for row in self]

    def __iter__(self):
        return iter(self.kernels or self.groups or [])

    def __len__(self) -> int:
        return len(self.kernels or self.groups or [])

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, slice)):
            return (self.kernels or self.groups or [])[key]
        return super().__getitem__(key)


def _attribute(key: str) -> str:
    return key + "_" if keyword.iskeyword(key) else key


def _plain(value):
    if isinstance(value, Answer):
        return value.to_dict()
    return [_plain(each) for each in value] if isinstance(value, list) else value


def made(kind: type, values):
    """An object of the class, or a list of such objects, also of lists; values
    in it become objects of theirs."""
    if isinstance(values, list):
        return [made(kind, each) for each in values]
    parts = kind._parts
    for key in parts.keys() & values.keys():
        if values[key] is not None:
            values[key] = made(parts[key], values[key])
    return kind(**{_attribute(key): value for key, value in values.items()})
