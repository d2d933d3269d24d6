"""The rows of declared symbols: what is read from them, what is refused, and what a platform sees."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Scripts/apple-sources.d"))
from declarations import Interface, RowError, interfaces  # noqa: E402

HEAD = "// swift-interface-format-version: 1.0\n// module iOS 4.0, macOS 10.7, any thread\nimport Swift\n"


class InterfaceTests(unittest.TestCase):
    def interface(self, text: str, head: str = HEAD) -> Interface:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "AVFoundation.swiftinterface"
            path.write_text(head + text)
            return Interface(path)

    def symbol(self, text: str, path: str):
        return next(symbol for symbol in self.interface(text).symbols if symbol.path == path)

    def test_a_member_takes_platforms_and_isolation_of_its_type(self):
        text = "// iOS 11.1, macOS none, H objc2\nopen class A {\n  public var b: Swift.Int { get }  // K\n  // iOS 17.0, D\n  public func c()\n}"
        b, c = self.symbol(text, "A.b"), self.symbol(text, "A.c()")
        self.assertEqual((b.row.ios, b.row.macos, b.row.isolation, b.row.mark), ("11.1", "none", "any thread", "K"))
        self.assertEqual((c.row.ios, c.row.macos, c.row.mark), ("17.0", "none", "D"))
        self.assertEqual(self.interface(text).problems(), [])

    def test_an_extension_takes_those_of_what_it_extends(self):
        text = "// main actor, iOS 13.0, K\n@MainActor public protocol View {\n}\nextension AVFoundation.View {\n  public func a()  // K\n}"
        self.assertEqual((self.symbol(text, "View.a()").row.ios, self.symbol(text, "View.a()").row.isolation), ("13.0", "main actor"))

    def test_names_and_pages_are_apples(self):
        text = """// K
open class AVCaptureDevice {
  // K
  public class func `default`(_ type: Swift.String, for media: (Swift.Int, Swift.Int) -> Swift.Int, position: Swift.Int) -> A?
  public init(device: [Swift.String : Any]) throws  // K
  // K
  @discardableResult
  public static func make<T>(_ value: T) -> T
  // Sendable, K
  public enum Position : Swift.Int, Swift.Sendable {
    case front  // K
    case other(Swift.Int)  // K
  }
}
"""
        page = "https://developer.apple.com/documentation/avfoundation/avcapturedevice"
        found = {symbol.path: symbol.row.page for symbol in self.interface(text).symbols}
        self.assertEqual(found["AVCaptureDevice"], page)
        self.assertEqual(found["AVCaptureDevice.default(_:for:position:)"], page + "/default(_:for:position:)")
        self.assertEqual(found["AVCaptureDevice.init(device:)"], page + "/init(device:)")
        self.assertIn("AVCaptureDevice.make(_:)", found)
        self.assertEqual(found["AVCaptureDevice.Position.front"], page + "/position/front")
        self.assertIn("AVCaptureDevice.Position.other(_:)", found)

    def test_problems(self):
        for text, word in [
            ("public func a()", "has no row"),
            ("// iOS 13.0\npublic func a()", "has no row"),
            ("// H\npublic func a()", "name what was read"),
            ("// C\npublic func a()", "name what was read"),
            ("@_exported import Swift\n", "exports an import"),
            ("// K\n@MainActor public class A {\n}", "is declared @MainActor"),
            ("// main actor, K\npublic class A {\n}", "is not declared @MainActor"),
            ("// K\npublic struct A : Swift.Sendable {\n}", "is declared Sendable"),
            ("// Sendable, K\npublic struct A {\n}", "is not declared Sendable"),
        ]:
            with self.subTest(text):
                problems = self.interface(text).problems()
                self.assertEqual(len(problems), 1, problems)
                self.assertIn(word, problems[0])

    def test_what_is_no_row_is_refused(self):
        for text in [
            "// iOS 13.0, spring, K\npublic func a()", "// K, D\npublic func a()", "// K\n\npublic func a()",
            "// K\nimport Swift", "// K\npublic func a()  // D", "// K\n", "// Sendable, K\npublic enum A {\n  case a, b  // K\n}",
        ]:
            with self.subTest(text), self.assertRaises(RowError):
                self.interface(text)

    def test_the_head_is_needed(self):
        for head in ["import Swift\n", "// module iOS 4.0, any thread\n", HEAD + "// module iOS 4.0, macOS 10.7, any thread\n"]:
            with self.subTest(head), self.assertRaises(RowError):
                self.interface("// K\npublic func a()", head)

    def test_a_platform_sees_only_what_it_has(self):
        text = """// macOS none, K
open class A {
  public func b()  // K
}
// A note.
// iOS 26.0, macOS 26.0, K
@discardableResult
public func c() -> Swift.Int
// K
public class D {
  // iOS none, K
  public enum E {
    case f  // K
  }
  public init()  // iOS 17.0, K
}
"""
        interface = self.interface(text)

        def seen(*platform) -> set[str]:
            code = [line.split("//")[0].strip() for line in interface.filtered(*platform).split("\n")]
            return {name for name in ("class A", "func b", "func c", "class D", "enum E", "case f", "init()") for line in code if name in line}

        self.assertEqual(seen("iOS"), {"class A", "func b", "func c", "class D", "init()"})
        self.assertEqual(seen("iOS", "18.0"), {"class A", "func b", "class D", "init()"})
        self.assertEqual(seen("iOS", "9.2"), {"class A", "func b", "class D"})
        self.assertEqual(seen("macOS"), {"func c", "class D", "enum E", "case f", "init()"})
        for platform in [("iOS",), ("macOS",), ("iOS", "18.0")]:
            result = interface.filtered(*platform)
            self.assertEqual(result.count("\n"), (HEAD + text).count("\n"))
            self.assertEqual(result.count("{"), result.count("}"))
        self.assertNotIn("discardableResult", interface.filtered("macOS", "15.0"))

    def test_the_declarations_of_this_package_have_their_rows(self):
        modules = interfaces(ROOT / "Tests/AppleDeclarations")
        self.assertIn("AVFoundation", modules)
        self.assertEqual([problem for one in modules.values() for problem in one.problems()], [])


if __name__ == "__main__":
    unittest.main()
