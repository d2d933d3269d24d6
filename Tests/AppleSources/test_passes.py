"""What a pass refuses: sources of one small module against the declarations of this package."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Scripts/apple-sources.d"))
from compiling import Pass, run_jobs  # noqa: E402
from conditions import Platform  # noqa: E402
from declarations import Interface, interfaces, is_available  # noqa: E402
from package_graph import Target, closure, targets  # noqa: E402
from store import Store, imports, with_apple_part  # noqa: E402

# A symbol of each kind of platform and version.
PROBE = """// swift-interface-format-version: 1.0
// swift-compiler-version: Swift version 6.2
// swift-module-flags: -enable-library-evolution -swift-version 6 -module-name Probe
// module iOS 4.0, macOS 10.7, any thread
import Swift

public func everywhere() -> Swift.Int  // K
public func onPhones() -> Swift.Int  // macOS none, K
public func onDesktops() -> Swift.Int  // iOS none, K
public func new() -> Swift.Int  // iOS 26.0, macOS 26.0, K
// K
public class Camera {
  public init()  // K
}
"""
FRAMEWORKS = ("ARKit", "AVFoundation", "AppleDarwin", "AppleFoundation", "CoreMedia", "CoreVideo", "Darwin", "simd")


class PassTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory(dir=ROOT / ".build") if (ROOT / ".build").exists() else tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.folder = pathlib.Path(made.name).resolve()
        probe = cls.folder / "Probe.swiftinterface"
        probe.write_text(PROBE)
        cls.modules = {name: one for name, one in interfaces(ROOT / "Tests/AppleDeclarations").items() if name in FRAMEWORKS}
        cls.modules["Probe"] = Interface(probe)
        cls.store = Store(cls.folder / "store")

    def messages(self, source: str, os: str, version: str, newest: bool = False) -> str:
        """What is refused of a source; empty where nothing is."""
        declared = frozenset(name for name, one in self.modules.items() if is_available(one.row, os))
        absent = frozenset(self.modules.keys() - declared | {"CLZ4"})
        one = Pass(Platform(os, version, declared, absent, newest=newest), self.store, self.folder)
        one.declare(self.modules)
        self.assertEqual(one.failures, [])
        path = self.folder / "Source.swift"
        path.write_text(source)
        one.add(Target("Tried", "regular", ".", (), ()), [path], [])
        run_jobs([one], 1)
        return "\n".join(failure.message for failure in one.failures)

    def both(self, source: str, os: str) -> tuple[str, str]:
        """The messages of the oldest and the newest system of a platform."""
        old, new = {"iOS": ("18.0", "26.0"), "macOS": ("15.0", "26.0")}[os]
        return self.messages(source, os, old), self.messages(source, os, new, newest=True)

    def test_asking_for_ARKit_alone_is_refused_on_a_mac(self):
        body = "\n  import AVFoundation\n  import ARKit\n  func started() -> ARSession { ARSession() }\n#endif\n"
        self.assertIn("ARSession", self.both("#if canImport(AVFoundation) && canImport(ARKit)" + body, "macOS")[1])
        self.assertEqual(self.both("#if os(iOS)" + body, "macOS"), ("", ""))
        self.assertEqual(self.both("#if os(iOS)" + body, "iOS"), ("", ""))

    def test_phone_only_classes_of_AVFoundation_are_absent_from_a_mac(self):
        source = "import AVFoundation\nfunc made() -> Any { AVCaptureDepthDataOutput() }\n"
        self.assertIn("AVCaptureDepthDataOutput", self.both(source, "macOS")[1])
        self.assertEqual(self.both(source, "iOS"), ("", ""))

    def test_a_symbol_that_is_not_declared_is_refused(self):
        for os in ("iOS", "macOS"):
            for message in self.both("import Probe\nlet a: Int = elsewhere()\n", os):
                self.assertIn("elsewhere", message)

    def test_platforms(self):
        self.assertEqual(self.both("import Probe\nfunc a() -> Int { onPhones() }\n", "iOS"), ("", ""))
        self.assertIn("onPhones", self.both("import Probe\nfunc a() -> Int { onPhones() }\n", "macOS")[0])
        guarded = "import Probe\nfunc a() -> Int {\n#if os(iOS)\nonPhones()\n#else\nonDesktops()\n#endif\n}\n"
        self.assertEqual(self.both(guarded, "iOS") + self.both(guarded, "macOS"), ("",) * 4)

    def test_what_is_newer_than_the_oldest_system_must_be_behind_available(self):
        for os in ("iOS", "macOS"):
            old, new = self.both("import Probe\nfunc a() -> Int { new() }\n", os)
            self.assertIn("new", old)
            self.assertEqual(new, "")
            guarded = f"import Probe\nfunc a() -> Int {{\n  if #available({os} 26, *) {{ return new() }} else {{ return everywhere() }}\n}}\n"
            self.assertEqual(self.both(guarded, os), ("", ""))
            listed = (f"import Probe\nfunc a() -> Int {{\n  guard #available({os} 26, *), new() > 0 else {{ return 1 }}\n"
                      "  let b = new()\n  return b\n}\n")
            self.assertEqual(self.both(listed, os), ("", ""))
        # The lines behind it are checked too.
        wrong = "import Probe\nfunc a() -> Int {\n  if #available(iOS 26, *) { return newer() }\n  return 1\n}\n"
        self.assertIn("newer", self.both(wrong, "iOS")[1])

    def test_data_races_are_refused(self):
        source = "import Probe\nfunc a(_ camera: Camera) {\n  Task.detached { _ = camera }\n  _ = camera\n}\n"
        self.assertIn("data race", self.both(source, "iOS")[1])

    def test_the_widths_are_darwins(self):
        source = "import Darwin\nfunc mode(_ info: stat) -> UInt32 { info.st_mode }\n"
        self.assertIn("mode_t", self.both(source, "macOS")[1])
        self.assertEqual(self.both(source.replace("info.st_mode", "UInt32(info.st_mode)"), "macOS"), ("", ""))
        size = "import Darwin\nfunc size(of path: String) -> Int64? {\n  var info = stat()\n  return stat(path, &info) == 0 ? info.st_size : nil\n}\n"
        self.assertEqual(self.both(size, "iOS"), ("", ""))

    def test_nothing_of_linux_is_seen(self):
        for module in ("Glibc", "FoundationEssentials"):
            self.assertIn(f"imports {module}", self.both(f"import {module}\n", "iOS")[1])
            self.assertEqual(self.both(f"#if canImport({module})\nimport {module}\n#endif\n", "macOS"), ("", ""))
        self.assertIn("memfd_create", self.both("import Darwin\nfunc a() -> Int32 { memfd_create(\"a\", 0) }\n", "macOS")[1])

    def test_members_need_their_module(self):
        source = "import AVFoundation\nfunc seconds(_ data: AVCaptureSynchronizedDepthData) -> Double { data.timestamp.seconds }\n"
        self.assertIn("CoreMedia", self.both(source, "iOS")[1])
        self.assertEqual(self.both("import CoreMedia\n" + source, "iOS"), ("", ""))

    def test_c_sees_only_the_declared_headers(self):
        for source, word in [
            ("#include <math.h>\ndouble a(double b) { return sqrt(b); }\n", ""),
            ("#include <sys/prctl.h>\n", "sys/prctl.h"),
            ("#include <math.h>\ndouble a(double b) { return elsewhere(b); }\n", "elsewhere"),
        ]:
            folder = self.folder / "Sources/C/Tried"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "tried.c").write_text(source)
            for os, version in (("iOS", "18.0"), ("macOS", "15.0")):
                one = Pass(Platform(os, version, frozenset(), frozenset()), self.store, self.folder)
                one.add_c(Target("Tried", "regular", "Sources/C/Tried", (), ()), ROOT / "Tests/AppleDeclarations/include")
                run_jobs([one], 1)
                messages = "\n".join(failure.message for failure in one.failures)
                (self.assertIn if word else self.assertEqual)(word, messages)

    def test_what_has_passed_is_not_compiled_again_and_what_has_failed_is(self):
        wrong = "import Probe\nfunc b() -> Int { elsewhere() }\n"
        self.assertEqual(self.both(wrong, "iOS"), self.both(wrong, "iOS"))
        self.assertIn("elsewhere", self.both(wrong, "iOS")[1])


class ImportTests(unittest.TestCase):
    def test_what_a_platform_adds_to_a_module_is_imported_with_it(self):
        text = "private import Darwin\npublic import Foundation\nimport struct Darwin.stat\n  import Metal\n// import Photos\n"
        both = with_apple_part(text, {"AppleDarwin", "AppleFoundation"})
        self.assertEqual(both.split("\n")[:4], [
            "private import Darwin; private import AppleDarwin", "public import Foundation; import AppleFoundation",
            "import struct Darwin.stat", "  import Metal"])
        self.assertEqual(both.count("\n"), text.count("\n"))
        self.assertEqual(imports(text), {"Darwin", "Foundation", "Metal"})
        self.assertEqual(imports(both), {"Darwin", "AppleDarwin", "Foundation", "AppleFoundation", "Metal"})


class GraphTests(unittest.TestCase):
    DUMP = {"targets": [
        {"name": "C", "type": "system", "path": "Sources/C/C", "dependencies": []},
        {"name": "A", "type": "regular", "path": "Sources/A", "dependencies": [
            {"target": ["C", {"platformNames": ["linux"]}]}, {"product": ["NIO", "swift-nio", None, None]}]},
        {"name": "B", "type": "regular", "path": "Sources/B", "dependencies": [{"byName": ["A", None]}, {"byName": ["Other", None]}]},
    ]}

    def test_a_platform_has_what_its_conditions_name(self):
        self.assertEqual(closure(targets(self.DUMP, "Linux"), ["B"]), ["C", "A", "B"])
        graph = targets(self.DUMP, "iOS")
        self.assertEqual(closure(graph, ["B"]), ["A", "B"])
        self.assertEqual((graph["A"].products, graph["B"].products), (("NIO",), ("Other",)))


if __name__ == "__main__":
    unittest.main()
