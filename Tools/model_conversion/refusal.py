"""Why a file is not converted."""


class Refusal(Exception):
    """Something in a file that is damaged, or that ONNX is not made of here."""

    def __init__(self, place, expected, found):
        super().__init__(place, expected, found)
        self.place, self.expected, self.found = place, expected, found

    def inside(self, name):
        """The same with a structure named around its place."""
        return Refusal(f"{name}/{self.place}" if self.place else name, self.expected, self.found)

    def __str__(self):
        place = f"/{self.place}" if self.place else ""
        return f"{place}: expected {self.expected}, found {self.found}"


def printable(text):
    """A text of a file as it may be shown, without control characters."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
