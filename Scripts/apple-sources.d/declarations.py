"""Reads Tests/AppleDeclarations: which symbols are declared, and what the row of each says of it.

A row is a comment above a declaration or at its end; the README beside the declarations says what is in it.
"""
import dataclasses
import pathlib
import re

MARKS = ("H", "D", "C", "K", "stand-in")
ISOLATIONS = ("main actor", "any thread", "Sendable")
PLATFORMS = ("iOS", "macOS")
# What a conformance brings along: these need no row.
OF_CONFORMANCES = {"rawValue", "init(rawValue:)", "RawValue", "Body", "body"}
SITE = "https://developer.apple.com/documentation/"

ATTRIBUTES = r"(?:@[\w.]+(?:\([^)]*\))?\s+)*"
MODIFIERS = (
    r"(?:(?:public|open|final|static|override|mutating|nonmutating|convenience|required|weak|indirect|optional|"
    r"nonisolated(?:\(unsafe\))?|class(?=\s+(?:func|var|subscript)\b))\s+)*")
DECLARATION = re.compile(
    rf"^\s*(?P<attributes>{ATTRIBUTES}){MODIFIERS}"
    r"(?P<kind>class|struct|enum|protocol|extension|actor|func|var|let|init|subscript|case|typealias|associatedtype)\b\s*(?P<rest>.*)$")
ATTRIBUTE_LINE = re.compile(rf"^\s*(?:@[\w.]+(?:\([^)]*\))?\s*)+$")
VERSION = re.compile(r"^(iOS|macOS) (none|\d+(?:\.\d+)*)$")
MARK = re.compile(r"^(H|D|C|K|stand-in)(?: (\S.*))?$")


class RowError(Exception):
    """What is wrong in a file of declarations, with its line."""


@dataclasses.dataclass(frozen=True)
class Row:
    """What one comment says. None where it leaves something to the type or module around."""

    ios: str | None = None
    macos: str | None = None
    isolation: str | None = None
    mark: str | None = None
    source: str | None = None
    page: str | None = None

    @staticmethod
    def parse(text: str, place: str) -> "Row | None":
        """The row in a comment; None where the comment is an ordinary one."""
        fields: list[str] = []
        for field in text.split(", "):
            # A comma in the name of a source.
            if fields and Row._field(field.strip()) is None and MARK.match(fields[-1]) and " " in fields[-1]:
                fields[-1] += ", " + field
            else:
                fields.append(field.strip())
        kinds = [Row._field(field) for field in fields]
        if kinds[0] is None or kinds[0].keys() == {"page"} and len(kinds) == 1:
            return None
        values: dict[str, str] = {}
        for field, kind in zip(fields, kinds):
            if kind is None:
                raise RowError(f"{place}: “{field}” is no part of a row")
            if kind.keys() & values.keys():
                raise RowError(f"{place}: “{field}” is said twice")
            values.update(kind)
        return Row(**values)

    @staticmethod
    def _field(field: str) -> dict[str, str] | None:
        if version := VERSION.match(field):
            return {version[1].lower(): version[2]}
        if field in ISOLATIONS:
            return {"isolation": field}
        if mark := MARK.match(field):
            return {"mark": mark[1]} | ({"source": mark[2]} if mark[2] else {})
        if field.startswith("https://") and " " not in field:
            return {"page": field}
        return None

    def availability(self, platform: str) -> str | None:
        """The first version of a platform (`iOS`, `macOS`), or `none`."""
        return self.ios if platform == "iOS" else self.macos


@dataclasses.dataclass
class Symbol:
    """A declaration with what its row and those around it say."""

    module: str
    path: str             # AVCaptureDevice.Format.isVideoBinned
    kind: str
    line: int             # of the declaration, from 1
    first: int            # the first of its lines: rows and attributes above
    last: int             # the last of its lines: the closing brace
    row: Row              # complete but for the mark and its source, which are never inherited
    own: Row | None
    text: str

    @property
    def needs_row(self) -> bool:
        return self.kind != "extension" and self.path.rsplit(".", 1)[-1] not in OF_CONFORMANCES


def argument_names(rest: str) -> str:
    """`(_:for:)` of what follows a function's name; empty where nothing is in parentheses."""
    start = rest.find("(")
    if start < 0:
        return ""
    names, depth, part, parts = [], 0, "", []
    for character in rest[start + 1:]:
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and not part.endswith("-")):
            depth -= 1
            if depth < 0:
                break
        if character == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    parts.append(part)
    for part in parts:
        label = re.sub(ATTRIBUTES, "", part.strip()).split(":")[0].split()
        if part.strip():
            names.append((label[0] if ":" in part else "_") + ":")
    return "(" + "".join(names) + ")"


def declared_name(kind: str, rest: str, place: str) -> str:
    """The name of a declaration as Apple's pages write it."""
    if kind in ("init", "subscript"):
        return kind + argument_names(rest)
    found = re.match(r"`?([\w.]+|[^\w\s(]+)`?", rest)
    if not found:
        raise RowError(f"{place}: a declaration without a name")
    name = found[1]
    if kind == "func" or (kind == "case" and rest[found.end():].startswith("(")):
        return name + argument_names(re.sub(r"^[^(]*?(?=\()", "", rest[found.end():]))
    if kind == "case" and "," in rest:
        raise RowError(f"{place}: one case a line")
    return name


class Interface:
    """One .swiftinterface with its rows."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.module = path.name.removesuffix(".swiftinterface")
        self.lines = path.read_text().split("\n")
        self.symbols: list[Symbol] = []
        self.row: Row | None = None
        self._read()

    def place(self, line: int) -> str:
        return f"{self.path.name}:{line}"

    def _read(self) -> None:
        open_symbols: list[Symbol] = []
        pending: Row | None = None
        first = None
        for number, line in enumerate(self.lines, 1):
            code, _, comment = line.partition("//") if not re.search(r'"[^"]*//', line) else (line, "", "")
            if "https:" in code:
                raise RowError(f"{self.place(number)}: an address outside of a comment")
            row = Row.parse(comment.removeprefix(" module ").strip(), self.place(number)) if comment else None
            if comment.startswith(" module "):
                self._take_module_row(row, number)
                continue
            if row and pending:
                raise RowError(f"{self.place(number)}: a second row for one declaration")
            if not code.strip():
                if comment:
                    first = first or number
                    pending = row or pending
                elif pending:
                    raise RowError(f"{self.place(number)}: a row without a declaration")
                else:
                    first = None
                continue
            if ATTRIBUTE_LINE.match(code):
                first = first or number
                pending = row or pending
                continue
            found = DECLARATION.match(code)
            if found:
                self._add(found, number, first or number, row or pending, open_symbols)
                pending = first = None
            elif row or pending:
                raise RowError(f"{self.place(number)}: a row without a declaration")
            else:
                first = None
            self._close(code, number, open_symbols, found)
        if self.row is None:
            raise RowError(f"{self.place(1)}: no line `// module …`")

    def _take_module_row(self, row: Row | None, number: int) -> None:
        if self.row or not row or None in (row.ios, row.macos, row.isolation) or row.mark:
            raise RowError(f"{self.place(number)}: `// module iOS …, macOS …, any thread` is expected, once")
        self.row = dataclasses.replace(row, page=row.page or SITE + self.module.lower())

    def _add(self, found, number: int, first: int, own: Row | None, open_symbols: list[Symbol]) -> None:
        if self.row is None:
            raise RowError(f"{self.place(number)}: `// module …` must come before the declarations")
        around = open_symbols[-1] if open_symbols else None
        kind, rest = found["kind"], found["rest"]
        name = declared_name(kind, rest, self.place(number))
        page = around.row.page if around else self.row.page
        if kind == "extension":
            module, _, path = name.partition(".")
            name = path or module
            page = SITE + (module.removeprefix("Apple").lower() + "/" if path else "") + name.replace(".", "/").lower()
        extended = [symbol.row for symbol in self.symbols if symbol.path == name and symbol.kind != "extension"]
        inherited = around.row if around else extended[0] if kind == "extension" and extended else self.row
        own_row = own or Row()
        row = Row(
            own_row.ios or inherited.ios, own_row.macos or inherited.macos, own_row.isolation or inherited.isolation,
            own_row.mark, own_row.source,
            own_row.page or (page if kind == "extension" else f"{page}/{name.lower()}"))
        path = f"{around.path}.{name}" if around else name
        symbol = Symbol(self.module, path, kind, number, first, number, row, own, found.string.strip())
        self.symbols.append(symbol)
        if found.string.count("{") > found.string.count("}"):
            open_symbols.append(symbol)

    @staticmethod
    def _close(code: str, number: int, open_symbols: list[Symbol], found) -> None:
        if not found and code.count("}") > code.count("{") and open_symbols:
            open_symbols.pop().last = number

    def problems(self) -> list[str]:
        """What a symbol lacks: a row, or one that agrees with the declaration."""
        found = [
            f"{self.place(number)}: exports an import, which hides that a source lacks it"
            for number, line in enumerate(self.lines, 1)
            if line.startswith("@_exported") and not self.module.startswith("Apple")]
        for symbol in self.symbols:
            place = f"{self.place(symbol.line)}: {symbol.path}"
            if symbol.own and symbol.row.page and not symbol.row.page.startswith("https://"):
                found.append(f"{place}: the page is no address")
            if not symbol.needs_row:
                continue
            if not symbol.own or not symbol.row.mark:
                found.append(f"{place} has no row")
            elif symbol.row.mark in ("H", "C") and not symbol.row.source:
                found.append(f"{place}: {symbol.row.mark} must name what was read")
            elif symbol.row.mark == "stand-in" and not symbol.row.source:
                found.append(f"{place}: a stand-in must say for what")
            elif problem := isolation_problem(symbol):
                found.append(f"{place}: {problem}")
        return found

    def filtered(self, platform: str, newest: str | None = None) -> str:
        """The interface with what the platform has, up to a version where one is given; lines keep their numbers."""
        lines = list(self.lines)
        for symbol in self.symbols:
            if not is_available(symbol.row, platform, newest):
                lines[symbol.first - 1:symbol.last] = [""] * (symbol.last - symbol.first + 1)
        return "\n".join(lines)


def isolation_problem(symbol: Symbol) -> str | None:
    """What the row says of threads against the declaration, for types."""
    if symbol.kind not in ("class", "struct", "enum", "protocol", "actor"):
        return None
    is_sendable = re.search(r"\bSendable\b", symbol.text) is not None
    is_main = "@MainActor" in symbol.text
    said = symbol.row.isolation
    if is_main and said != "main actor":
        return f"is declared @MainActor, the row says “{said}”"
    if said == "main actor" and not is_main:
        return "is not declared @MainActor"
    if is_sendable and said == "any thread":
        return "is declared Sendable, the row says “any thread”"
    if said == "Sendable" and not is_sendable:
        return "is not declared Sendable"
    return None


def version_numbers(text: str) -> tuple[int, ...]:
    """`10.2` as (10, 2), so that versions compare."""
    return tuple(int(part) for part in text.split("."))


def is_available(row: Row, platform: str, newest: str | None = None) -> bool:
    """Whether a platform has it, at a version where one is given."""
    first = row.availability(platform)
    if first in (None, "none"):
        return False
    return newest is None or version_numbers(first) <= version_numbers(newest)


def interfaces(folder: pathlib.Path) -> dict[str, Interface]:
    """Every module that is declared in a folder, by name."""
    found = [Interface(path) for path in sorted(folder.glob("*.swiftinterface"))]
    return {interface.module: interface for interface in found}
