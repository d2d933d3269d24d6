"""Exceptions: one class for each kind of failure, by who can act on it."""

from __future__ import annotations

import json
from typing import Any, Dict, Optional, Type, cast


class PlumblineError(Exception):
    """What Plumbline could not do, and why.

    Attributes:
        message: The failure in one sentence.
        file: The file or folder that it is about; ``None`` where it is about none.
        place: Where in the file, outermost structure first, such as ``meta/iloc (byte 231)``.
        expected: What was expected there.
        found: What was found there.
        code: The exit code that the command has for this kind of failure.

    A part that is not known is ``None``.
    """

    code: int = 70

    def __init__(
        self,
        message: str,
        *,
        file: Optional[str] = None,
        place: Optional[str] = None,
        expected: Optional[str] = None,
        found: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.place = place
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        if self.file is None or self.file in self.message:
            return self.message
        return f"{self.file}: {self.message}"

    def __reduce__(self) -> Any:
        # An exception of a worker process reaches its parent by pickle, with every part.
        return _again, (type(self), self.message, self.file, self.place, self.expected, self.found)


class NotMeasurableError(PlumblineError):
    """The file is sound, but what was asked for cannot be measured in it."""

    code = 1


class UsageError(PlumblineError, ValueError):
    """Settings that contradict each other, or the input."""

    code = 64


class UnusableInputError(PlumblineError, ValueError):
    """A file that is damaged, unsupported or over a limit, or that lacks what was asked for."""

    code = 65


class MissingInputError(PlumblineError, OSError):
    """A file, a model or a program that is not there, or may not be read."""

    code = 66


class ProgramFaultError(PlumblineError, RuntimeError):
    """A fault of Plumbline itself; please report it."""

    code = 70


class CannotCreateError(PlumblineError, OSError):
    """An output whose name is taken, or that cannot be made there."""

    code = 73


class StorageError(PlumblineError, OSError):
    """Reading or writing failed: the disk, or the network behind it."""

    code = 74


class CancelledError(PlumblineError):
    """A progress function ended the work; there is no output."""

    code = 130


_CLASSES: Dict[int, Type[PlumblineError]] = {
    each.code: each
    for each in (
        NotMeasurableError,
        UsageError,
        UnusableInputError,
        MissingInputError,
        ProgramFaultError,
        CannotCreateError,
        StorageError,
        CancelledError,
    )
}


def error(
    code: int,
    message: str,
    *,
    file: Optional[str] = None,
    place: Optional[str] = None,
    expected: Optional[str] = None,
    found: Optional[str] = None,
) -> PlumblineError:
    """The exception for an exit code; a code that is not known counts as a fault of Plumbline."""
    return _CLASSES.get(code, ProgramFaultError)(
        message, file=file, place=place, expected=expected, found=found
    )


def error_from_document(document: Dict[str, Any]) -> PlumblineError:
    """The exception for a document ``plumbline.error/1``."""
    return error(
        int(document.get("code") or ProgramFaultError.code),
        str(document.get("message") or "failed without a message"),
        file=_text(document.get("file")),
        place=_text(document.get("place")),
        expected=_text(document.get("expected")),
        found=_text(document.get("found")),
    )


def error_from_json(text: str) -> PlumblineError:
    """The exception for the text of a document ``plumbline.error/1``."""
    return error_from_document(cast(Dict[str, Any], json.loads(text)))


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)


def _again(
    kind: Type[PlumblineError],
    message: str,
    file: Optional[str],
    place: Optional[str],
    expected: Optional[str],
    found: Optional[str],
) -> PlumblineError:
    return kind(message, file=file, place=place, expected=expected, found=found)
