"""What is wrong with an input, and where."""


class Error(ValueError):
    """An input is wrong.

    `message` says what would be right. `path`, `line` and `column` (counted
    from 1, in bytes) and `suggestion` are None where they are not known.
    """

    def __init__(self, message, path=None, line=None, column=None,
                 suggestion=None):
        super().__init__(message, path, line, column, suggestion)
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.suggestion = suggestion

    def __str__(self):
        place = [str(part) for part in (self.path, self.line, self.column)
                 if part is not None]
        text = ": ".join([":".join(place), self.message] if place
                         else [self.message])
        if self.suggestion:
            text += "; did you mean `%s`?" % self.suggestion
        return text


class Unanswered(Error, RuntimeError):
    """The budget did not suffice, or the question was stopped."""
