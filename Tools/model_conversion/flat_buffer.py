"""Reads a FlatBuffer whose every offset is checked before it is followed.

Source: google/flatbuffers, FlatBuffer Internals.
"""
import struct

import numpy as np

from .refusal import Refusal


class FlatBuffer:
    def __init__(self, data):
        self.data = data

    def number(self, place, kind):
        size = struct.calcsize("<" + kind)
        if place < 0 or place > len(self.data) - size:
            raise Refusal(f"byte {place}", f"{size} bytes", "the end of the file")
        return struct.unpack_from("<" + kind, self.data, place)[0]

    def target(self, place):
        return place + self.number(place, "I")

    def root(self):
        return Table(self, self.target(0))


class Table:
    """The fields of one table; those that are left out have their default."""

    def __init__(self, buffer, start):
        self.buffer, self.start = buffer, start
        self.fields = start - buffer.number(start, "i")
        self.size = buffer.number(self.fields, "H")

    def place(self, field):
        entry = 4 + 2 * field
        if entry + 2 > self.size:
            return None
        offset = self.buffer.number(self.fields + entry, "H")
        return self.start + offset if offset else None

    def integer(self, field, kind, default=0):
        place = self.place(field)
        return default if place is None else self.buffer.number(place, kind)

    def vector(self, field, size):
        """Where the items of a vector begin, and how many there are."""
        place = self.place(field)
        if place is None:
            return 0, 0
        start = self.buffer.target(place)
        count = self.buffer.number(start, "I")
        if count * size > len(self.buffer.data) - start - 4:
            raise Refusal(f"byte {start}", f"{count} items of {size} bytes", "the end of the file")
        return start + 4, count

    def tables(self, field):
        start, count = self.vector(field, 4)
        return [Table(self.buffer, self.buffer.target(start + 4 * index)) for index in range(count)]

    def integers(self, field):
        """Whole numbers of 32 bits."""
        start, count = self.vector(field, 4)
        return np.frombuffer(self.buffer.data, "<i4", count, start).tolist() if count else []

    def bytes(self, field):
        start, count = self.vector(field, 1)
        return self.buffer.data[start:start + count]

    def text(self, field):
        return bytes(self.bytes(field)).decode("utf-8", "replace")

    def table(self, field):
        place = self.place(field)
        return None if place is None else Table(self.buffer, self.buffer.target(place))
