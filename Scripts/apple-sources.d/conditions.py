"""Resolves what depends on the platform in Swift sources, as a compiler for a stated platform would.

Lines keep their numbers: what is not compiled becomes empty lines, so that an error names the line of the source.
"""
import dataclasses
import re

from declarations import version_numbers

# Modules of other platforms. Apple's SDKs have none of them, and a condition may ask for them.
FOREIGN_MODULES = frozenset((
    "Glibc", "Musl", "Android", "Bionic", "WinSDK", "ucrt", "CRT", "WASILibc", "FoundationEssentials", "FoundationXML",
    "FoundationNetworking", "FoundationInternationalization"))
# What every compilation can import.
LANGUAGE_MODULES = frozenset((
    "Swift", "_Concurrency", "Synchronization", "RegexBuilder", "Foundation", "Dispatch"))


class ConditionError(Exception):
    """A condition that cannot be resolved, with its line."""


@dataclasses.dataclass(frozen=True)
class Platform:
    """What a compilation is for."""

    os: str                      # iOS or macOS
    version: str                 # of the deployment, such as 18.0
    modules: frozenset[str]      # that its SDK and the package's own targets have
    absent: frozenset[str]       # that a condition may ask for and that it lacks
    simulator: bool = False
    newest: bool = False         # whether the system that runs it has all that the SDK knows
    compiler: str = "6.3"

    @property
    def name(self) -> str:
        return f"{self.os} {self.version}"

    def can_import(self, module: str) -> bool:
        """Whether `canImport(module)` is true; a module that nothing is known of is an error."""
        if module in self.modules or module in LANGUAGE_MODULES:
            return True
        if module in self.absent or module in FOREIGN_MODULES:
            return False
        raise ConditionError(f"canImport({module}): neither declared nor known to be absent from {self.os}")


TOKEN = re.compile(r"\s*(&&|\|\||!|\(|\)|>=|<|==|[\w.]+|,|:)")


class Condition:
    """A condition of `#if`, read from left to right."""

    def __init__(self, text: str, platform: Platform):
        self.platform = platform
        self.text = text.strip()
        self.tokens: list[str] = []
        position = 0
        while position < len(self.text):
            found = TOKEN.match(self.text, position)
            if not found:
                raise ConditionError(f"“{self.text}” cannot be read")
            self.tokens.append(found[1])
            position = found.end()
        self.next = 0

    def value(self) -> bool:
        """Whether the platform's compiler takes what follows."""
        value = self._any()
        if self.next != len(self.tokens):
            raise ConditionError(f"“{self.text}” cannot be read")
        return value

    def _take(self, expected: str | None = None) -> str:
        token = self.tokens[self.next] if self.next < len(self.tokens) else ""
        if not token or expected not in (None, token):
            raise ConditionError(f"“{self.text}” cannot be read")
        self.next += 1
        return token

    def _follows(self, token: str) -> bool:
        return self.next < len(self.tokens) and self.tokens[self.next] == token

    def _any(self) -> bool:
        value = self._all()
        while self._follows("||"):
            self._take()
            other = self._all()
            value = value or other
        return value

    def _all(self) -> bool:
        value = self._one()
        while self._follows("&&"):
            self._take()
            other = self._one()
            value = value and other
        return value

    def _one(self) -> bool:
        token = self._take()
        if token == "!":
            return not self._one()
        if token == "(":
            value = self._any()
            self._take(")")
            return value
        if not self._follows("("):
            return self._flag(token)
        self._take("(")
        arguments = []
        while not self._follows(")"):
            arguments.append(self._take())
        self._take(")")
        return self._call(token, arguments)

    def _flag(self, name: str) -> bool:
        if name in ("true", "false"):
            return name == "true"
        if name == "DEBUG":
            return True
        raise ConditionError(f"“{name}” is set by nothing that is known")

    def _call(self, name: str, arguments: list[str]) -> bool:
        platform, argument = self.platform, arguments[-1] if arguments else ""
        if name == "canImport":
            # Of `Module.Submodule` the module decides.
            return platform.can_import(arguments[0].split(".")[0])
        if name in ("compiler", "swift"):
            stated, wanted = version_numbers(platform.compiler), version_numbers(argument)
            return stated >= wanted if arguments[0] == ">=" else stated < wanted
        known = {
            "os": {platform.os}, "arch": {"arm64"}, "_endian": {"little"}, "_runtime": {"_ObjC"},
            "targetEnvironment": {"simulator"} if platform.simulator else set(),
            "_pointerBitWidth": {"_64"}, "hasFeature": set(),
        }
        if name not in known:
            raise ConditionError(f"“{name}({argument})” cannot be resolved")
        return argument in known[name]


# Texts and comments, whose inside is no code. A text of several lines keeps its line breaks.
INSIDE = re.compile(
    r'#*"""(?:\\.|[^\\])*?"""#*|#"(?:[^"]|"(?!#))*"#'
    r'|"(?:\\\((?:[^()"]|"[^"]*"|\((?:[^()"]|"[^"]*")*\))*\)|\\.|[^"\\\n])*"'
    r"|//[^\n]*|/\*.*?\*/", re.S)
DIRECTIVE = re.compile(r"^\s*#(if|elseif|else|endif)\b(.*)$")


def blanked(text: str) -> str:
    """As many empty lines as the text has line breaks."""
    return "\n" * text.count("\n")


def code_only(text: str) -> str:
    """The text with spaces for what is in texts and comments; positions and lines stay."""
    return INSIDE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def resolved(text: str, platform: Platform, place: str = "") -> str:
    """A source as the platform's compiler sees it."""
    text = resolved_directives(text, platform, place)
    return resolved_availability(text, platform, place)


def resolved_directives(text: str, platform: Platform, place: str = "") -> str:
    """The lines between `#if` and `#endif` that the platform's compiler takes."""
    result = []
    # Of each `#if` that is open: whether its lines are taken, and whether a part of it was already.
    states: list[tuple[bool, bool]] = []
    for number, (line, code) in enumerate(zip(text.split("\n"), code_only(text).split("\n")), 1):
        directive = DIRECTIVE.match(code)
        if not directive:
            result.append(line if all(taken for taken, _ in states) else "")
            continue
        result.append("")
        kind, condition = directive.groups()
        try:
            outside = all(taken for taken, _ in states[: len(states) if kind == "if" else -1])
            if kind == "if":
                taken = outside and Condition(condition, platform).value()
                states.append((taken, taken))
            elif not states:
                raise ConditionError(f"#{kind} without #if")
            elif kind == "endif":
                states.pop()
            else:
                done = states[-1][1]
                taken = outside and not done and (kind == "else" or Condition(condition, platform).value())
                states[-1] = (taken, done or taken)
        except ConditionError as error:
            raise ConditionError(f"{place}:{number}: {error}") from error
    if states:
        raise ConditionError(f"{place}: #if without #endif")
    return "\n".join(result)


CHECK = re.compile(r"#(available|unavailable)\s*\(([^)]*)\)")
ATTRIBUTE = re.compile(r"@available\s*\(([^)]*)\)")


def is_satisfied(arguments: str, platform: Platform) -> bool:
    """Whether a list such as `iOS 26, macOS 26, *` is true on the oldest system that the platform stands for."""
    for argument in arguments.split(","):
        parts = argument.split()
        if len(parts) == 2 and parts[0] == platform.os:
            return platform.newest or version_numbers(parts[1]) <= version_numbers(platform.version)
    return True


def resolved_availability(text: str, platform: Platform, place: str = "") -> str:
    """The source without what needs a newer system than the platform's oldest."""
    text = without_unavailable_declarations(text, platform, place)
    position = 0
    while found := CHECK.search(code_only(text), position):
        position = found.end()
        number = text.count("\n", 0, found.start()) + 1
        if is_satisfied(found[2], platform):
            continue
        if found[1] == "unavailable":
            raise ConditionError(f"{place}:{number}: #unavailable cannot be resolved; write #available")
        code = code_only(text)
        line_start = max(code.rfind("\n", 0, found.start()), code.rfind(";", 0, found.start())) + 1
        word = re.findall(r"\b(if|guard|while)\b", code[line_start:found.start()])
        if not word or word[-1] == "while":
            raise ConditionError(f"{place}:{number}: #available after neither `if` nor `guard`")
        opening = code.index("{", found.end())
        # Conditions that follow in the list may need the newer system too.
        last = code.rindex("else", found.end(), opening) if word[-1] == "guard" else opening
        text = text[:found.end()] + " " + blanked(text[found.end():last]) + text[last:]
        code = code_only(text)
        opening = code.index("{", found.end())
        closing, separator = matching_brace(code, opening), ""
        if word[-1] == "guard":
            # What follows up to the end of the block needs the newer system.
            opening, closing, separator = closing, end_of_block(code, closing + 1), ";"
        # A call that does not return stands in any place: of a value, of a `return`.
        text = f"{text[:opening + 1]}{separator} fatalError() {blanked(text[opening + 1:closing])}{text[closing:]}"
    return text


def without_unavailable_declarations(text: str, platform: Platform, place: str = "") -> str:
    position = 0
    while found := ATTRIBUTE.search(code_only(text), position):
        position = found.end()
        arguments = [argument.strip() for argument in found[1].split(",")]
        is_absent = arguments[0] in (platform.os, "*") and "unavailable" in arguments
        if not is_absent and is_satisfied(found[1], platform):
            continue
        end = end_of_declaration(code_only(text), found.end())
        text = text[:found.start()] + blanked(text[found.start():end]) + text[end:]
        position = found.start()
    return text


def matching_brace(code: str, opening: int) -> int:
    """The position of the brace that closes the one at a position."""
    depth = 0
    for position in range(opening, len(code)):
        depth += {"{": 1, "}": -1}.get(code[position], 0)
        if depth == 0:
            return position
    raise ConditionError("a brace is not closed")


def end_of_block(code: str, position: int) -> int:
    """The position of the brace that closes the block around a position."""
    depth = 0
    for position in range(position, len(code)):
        depth += {"{": 1, "}": -1}.get(code[position], 0)
        if depth < 0:
            return position
    return len(code)


DECLARES = re.compile(
    r"\b(?:func|var|let|class|struct|enum|protocol|extension|actor|init|subscript|case|typealias|deinit|import)\b")


def end_of_declaration(code: str, position: int) -> int:
    """The position after the declaration that follows an attribute."""
    word = DECLARES.search(code, position)
    if not word:
        return len(code)
    position, depth = word.end(), 0
    while position < len(code):
        character = code[position]
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if character == "{":
            return matching_brace(code, position) + 1
        if character == "\n" and depth == 0:
            following = code[position:].lstrip()
            if not following.startswith(("{", "where ", "->", "=", ",", ":")) \
                    and not re.search(r"(?:[,=:]|->|where|class|func)\s*$", code[word.start():position]):
                return position
        if character == "}":
            return position
        position += 1
    return position
