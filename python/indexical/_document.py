"""Documents of the command as objects."""

from __future__ import annotations

import keyword


class Document:
    """What a call answered. A notebook shows `_picture` of it."""

    _page = None  # a call that makes its HTML
    _picture = None  # a call that makes its SVG

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


def made(kind: type, values: dict):
    """An object of the class; values in it become objects of theirs."""
    parts = kind._parts
    for key in parts.keys() & values.keys():
        value, inner = values[key], parts[key]
        if isinstance(value, list):
            values[key] = [made(inner, each) for each in value]
        elif value is not None:
            values[key] = made(inner, value)
    return kind(**{key + "_" if keyword.iskeyword(key) else key: value
                   for key, value in values.items()})
