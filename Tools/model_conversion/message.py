"""Reads a protobuf message without a schema: its fields by their numbers. Source: protobuf.dev, Encoding."""
import struct

from .refusal import Refusal

FIXED = {1: 8, 5: 4}


def varint(data, at):
    """A number of variable length, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if at == len(data):
            raise Refusal("", "a number of protobuf", "the end of its message")
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128 and value < 1 << 64:
            return value, at
    raise Refusal("", "a number of 64 bits", "a longer one")


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Message:
    """The fields of one message; messages inside stay bytes, which are not copied."""

    def __init__(self, data=memoryview(b"")):
        self.fields = {}
        at = 0
        while at < len(data):
            tag, at = varint(data, at)
            number, kind = tag >> 3, tag & 7
            if kind == 0:
                value, at = varint(data, at)
            else:
                count, at = varint(data, at) if kind == 2 else (FIXED.get(kind), at)
                if number == 0 or count is None or count > len(data) - at:
                    raise Refusal("", "a field of protobuf", f"other bytes, at {at} of a message")
                value = data[at:at + count]
                at += count
            self.fields.setdefault(number, []).append((kind, value))

    def __contains__(self, number):
        return number in self.fields

    @property
    def numbers(self):
        return sorted(self.fields)

    def all(self, number, *kinds):
        """The values of a repeated field, which must be of some wire types."""
        fields = self.fields.get(number, [])
        if any(kind not in kinds for kind, _ in fields):
            raise Refusal("", f"another type of field {number}", f"{fields[-1][0]}")
        return [value for _, value in fields]

    def messages(self, number):
        return [Message(value) for value in self.all(number, 2)]

    def message(self, number):
        """A message inside; the last where there are several, as protobuf has it."""
        values = self.all(number, 2)
        return Message(values[-1]) if values else None

    def data(self, number):
        """The bytes of a field, or of all numbers of a repeated one."""
        values = self.all(number, 2, 5)
        return values[0] if len(values) == 1 else b"".join(values)

    def texts(self, number):
        try:
            return [bytes(value).decode() for value in self.all(number, 2)]
        except UnicodeDecodeError:
            raise Refusal("", "a name in UTF-8", "other bytes") from None

    def integers(self, number):
        """Whole numbers, packed or one by one."""
        result = []
        for value in self.all(number, 0, 2):
            if isinstance(value, int):
                result.append(signed(value))
                continue
            at = 0
            while at < len(value):
                item, at = varint(value, at)
                result.append(signed(item))
        return result

    def integer(self, number):
        """A whole number; 0 where it is left out."""
        values = self.all(number, 0)
        return signed(values[-1]) if values else 0

    def float(self, number, default=0.0):
        values = self.all(number, 5)
        return struct.unpack("<f", values[-1])[0] if values else default
