"""What moving from one layout to another takes."""

from __future__ import annotations

from indexical import _indexical


class LayoutMove(dict):
    """What a move takes: a dictionary with the keys of docs/keys.md, which a
    notebook shows as a picture of what moves."""

    def __init__(self, before, after, found):
        super().__init__(found)
        self._layouts = before, after

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def _repr_svg_(self) -> str | None:
        before, after = self._layouts
        if self["kind"] != "convert":
            return None
        return before._moved_svg(after)


def move(before, after, *, type: str = "", through=None) -> LayoutMove:
    """What moving from one layout to another takes: shuffles, shared memory
    with its conflicts, sectors, or runs of a copy. `through` is a layout of
    shared memory. Either may be a text."""
    def made(layout):
        return _indexical.Layout(layout) if isinstance(layout, str) else layout

    before, after = made(before), made(after)
    through = None if through is None else made(through)
    return LayoutMove(before, after,
                      _indexical.move_of(before, after, type, through))
