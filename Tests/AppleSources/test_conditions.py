"""Conditions are resolved as a compiler for the stated platform resolves them, and no line changes its number."""
import itertools
import pathlib
import random
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Scripts/apple-sources.d"))
from conditions import Condition, ConditionError, Platform, resolved  # noqa: E402

MODULES = frozenset(("ARKit", "UIKit", "AVFoundation"))
PHONE = Platform("iOS", "18.0", MODULES, frozenset(("CLZ4",)))
NEW_PHONE = Platform("iOS", "26.0", MODULES, frozenset(("CLZ4",)), newest=True)
DESKTOP = Platform("macOS", "26.0", frozenset(("ARKit", "AVFoundation")), frozenset(("UIKit", "CLZ4")), newest=True)


def lines(text: str, platform: Platform) -> list[str]:
    """The lines that remain, without empty ones."""
    return [line.strip() for line in resolved(text, platform).split("\n") if line.strip()]


class ConditionTests(unittest.TestCase):
    def value(self, text: str, platform: Platform = PHONE) -> bool:
        return Condition(text, platform).value()

    def test_what_compilers_know(self):
        for text, phone, desktop in [
            ("os(iOS)", True, False), ("os(macOS)", False, True), ("os(Linux)", False, False),
            ("canImport(ARKit)", True, True), ("canImport(UIKit)", True, False), ("canImport(UIKit.UIView)", True, False),
            ("canImport(CLZ4)", False, False), ("canImport(Glibc)", False, False),
            ("canImport(FoundationEssentials)", False, False), ("arch(arm64)", True, True), ("arch(x86_64)", False, False),
            ("targetEnvironment(simulator)", False, False), ("targetEnvironment(macCatalyst)", False, False),
            ("compiler(>=6.2)", True, True), ("swift(<6.0)", False, False), ("!os(iOS)", False, True),
            ("os(iOS) && canImport(CLZ4) || os(macOS)", False, True), ("!(os(iOS) || os(macOS))", False, False),
            ("true", True, True), ("false || !false", True, True),
        ]:
            with self.subTest(text):
                self.assertEqual(self.value(text), phone)
                self.assertEqual(self.value(text, DESKTOP), desktop)

    def test_simulator(self):
        simulator = Platform("iOS", "18.0", MODULES, frozenset(), simulator=True)
        self.assertTrue(self.value("targetEnvironment(simulator)", simulator))

    def test_what_is_unknown_is_refused(self):
        for text in ["canImport(Nothing)", "FLAG", "hasWings()", "os(iOS", "os(iOS))", "&&", "os(iOS) &&", "", "os(iOS) os(iOS)"]:
            with self.subTest(text), self.assertRaises(ConditionError):
                self.value(text)

    def test_every_formula_has_the_value_of_its_logic(self):
        """Formulas of three variables, made with a seed, against Python's own operators."""
        chance = random.Random(24)
        atoms = {"os(iOS)": True, "os(macOS)": False, "canImport(UIKit)": True}

        def formula(depth: int) -> tuple[str, bool]:
            kind = chance.choice(["atom"] if depth == 0 else ["atom", "not", "and", "or"])
            if kind == "atom":
                return chance.choice(sorted(atoms.items()))
            one, value = formula(depth - 1)
            if kind == "not":
                return f"!({one})", not value
            other, second = formula(depth - 1)
            if kind == "and":
                return f"({one}) && ({other})", value and second
            return f"({one}) || ({other})", value or second

        for _ in range(300):
            text, value = formula(4)
            self.assertEqual(self.value(text), value, text)


class DirectiveTests(unittest.TestCase):
    def test_one_branch_of_each_remains_and_lines_keep_their_numbers(self):
        text = "a\n#if os(macOS)\nb\n#elseif os(iOS)\nc\n#elseif canImport(ARKit)\nd\n#else\ne\n#endif\nf"
        self.assertEqual(resolved(text, PHONE), "a\n\n\n\nc\n\n\n\n\n\nf")
        self.assertEqual(resolved(text, DESKTOP), "a\n\nb\n\n\n\n\n\n\n\nf")

    def test_nested(self):
        text = "#if os(iOS)\n  #if canImport(CLZ4)\n  a\n  #else\n  b\n  #endif\n#else\n  #if canImport(CLZ4)\n  c\n  #endif\n  d\n#endif"
        self.assertEqual(lines(text, PHONE), ["b"])
        self.assertEqual(lines(text, DESKTOP), ["d"])

    def test_what_is_not_compiled_may_ask_for_unknown_modules(self):
        self.assertEqual(lines("#if os(Linux)\n#if canImport(Unknown)\na\n#endif\n#endif\nb", PHONE), ["b"])
        with self.assertRaises(ConditionError):
            resolved("#if os(iOS)\n#if canImport(Unknown)\n#endif\n#endif", PHONE)

    def test_texts_and_comments_are_no_directives(self):
        text = 'let a = """\n#if os(macOS)\n"""\n// #endif\n/*\n#if os(macOS)\n*/\nlet b = 1'
        self.assertEqual(resolved(text, PHONE), text)

    def test_unbalanced(self):
        for text in ["#if os(iOS)", "#endif", "#else\n#endif"]:
            with self.subTest(text), self.assertRaises(ConditionError):
                resolved(text, PHONE)

    def test_line_numbers_of_every_nesting(self):
        """All ways to choose three conditions: as many lines come out as went in, and the right ones."""
        conditions = ["os(iOS)", "os(macOS)", "true"]
        for one, two, three in itertools.product(conditions, repeat=3):
            text = f"#if {one}\n1\n#if {two}\n2\n#elseif {three}\n3\n#else\n4\n#endif\n#else\n5\n#endif\n6"
            result = resolved(text, PHONE)
            self.assertEqual(result.count("\n"), text.count("\n"))
            true = {"os(iOS)": True, "os(macOS)": False, "true": True}
            inner = "2" if true[two] else "3" if true[three] else "4"
            self.assertEqual(lines(text, PHONE), (["1", inner] if true[one] else ["5"]) + ["6"])


class AvailabilityTests(unittest.TestCase):
    def test_what_needs_a_newer_system_is_left_out_for_the_oldest(self):
        text = "if #available(iOS 26, *) {\n  new()\n} else {\n  old()\n}"
        self.assertEqual(lines(text, NEW_PHONE), ["if #available(iOS 26, *) {", "new()", "} else {", "old()", "}"])
        self.assertEqual(lines(text, PHONE), ["if #available(iOS 26, *) { fatalError()", "} else {", "old()", "}"])
        self.assertEqual(lines(text, DESKTOP), lines(text, NEW_PHONE))
        self.assertEqual(resolved(text, PHONE).count("\n"), text.count("\n"))

    def test_what_the_oldest_has_stays(self):
        text = "if #available(iOS 17.2, macOS 26, *) { a() }"
        self.assertEqual(resolved(text, PHONE), text)

    def test_guard(self):
        text = "func f() {\n  guard #available(iOS 26, *) else { return }\n  new { $0 }\n}\nlet a = 1"
        self.assertEqual(
            lines(text, PHONE),
            ["func f() {", "guard #available(iOS 26, *) else { return }; fatalError()", "}", "let a = 1"])

    def test_conditions_that_follow(self):
        self.assertEqual(
            lines("if #available(iOS 26, *), let a = new(),\n  a > 1 {\n  a.use()\n}", PHONE),
            ["if #available(iOS 26, *)", "{ fatalError()", "}"])
        self.assertEqual(
            lines("func f() {\n  guard #available(iOS 26, *), new else { return }\n  use()\n}", PHONE),
            ["func f() {", "guard #available(iOS 26, *) else { return }; fatalError()", "}"])

    def test_declarations(self):
        for declaration in [
            "func f() {\n  new()\n}", "func f(\n  a: Int,\n  b: Int\n) -> Int {\n  1\n}", "var a: Int { 1 }", "let a: New = new()",
            "struct A<B>\nwhere B: New {\n  func f() {}\n}", "@MainActor\nfinal class A {\n}", "case a", "extension A: New {}",
            "typealias A = New",
        ]:
            text = f"let first = 1\n@available(iOS 26, *)\n{declaration}\nlet last = 1"
            with self.subTest(declaration):
                self.assertEqual(lines(text, PHONE), ["let first = 1", "let last = 1"])
                self.assertEqual(resolved(text, NEW_PHONE), text)
                self.assertEqual(resolved(text, PHONE).count("\n"), text.count("\n"))

    def test_unavailable(self):
        self.assertEqual(lines("@available(macOS, unavailable)\nlet a = 1\nlet b = 1", DESKTOP), ["let b = 1"])
        self.assertEqual(len(lines("@available(macOS, unavailable)\nlet a = 1\nlet b = 1", PHONE)), 3)

    def test_what_cannot_be_resolved_is_refused(self):
        for text in ["if #unavailable(iOS 26) {\n}", "while #available(iOS 26, *) {\n}"]:
            with self.subTest(text), self.assertRaises(ConditionError):
                resolved(text, PHONE)


if __name__ == "__main__":
    unittest.main()
