"""Keywords that have had another name."""

import functools
import warnings


def renamed(**names):
    """Takes keywords by their old names, too: `renamed(old="new")`."""
    def of(function):
        @functools.wraps(function)
        def call(*arguments, **keywords):
            for old, new in names.items():
                if old in keywords:
                    warnings.warn(
                        "the keyword `%s` of `%s` is `%s` now; the old name "
                        "works until 1.0" % (old, function.__qualname__, new),
                        FutureWarning, stacklevel=2)
                    keywords[new] = keywords.pop(old)
            return function(*arguments, **keywords)
        return call
    return of
