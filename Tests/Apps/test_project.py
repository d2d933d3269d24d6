"""The Xcode project of the app, read by a parser that is not of this project; nothing here runs Xcode."""
import json
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

try:
    import openstep_parser  # noqa: F401
    from PIL import Image
except ImportError as missing:
    print(f"no Python package {missing.name}")
    sys.exit(77)
from xcode_project import Project

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
APP = ROOT / "Apps/PlumblineCamera"
PROJECT = APP / "PlumblineCamera.xcodeproj"
CONFIGURATIONS = ("Debug", "Release")


class ProjectTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.project = Project.at(PROJECT)
        cls.app = cls.project.named("PBXNativeTarget", "PlumblineCamera")
        cls.tests = cls.project.named("PBXNativeTarget", "PlumblineCameraTests")
        dump = subprocess.run(
            ["swift", "package", "dump-package"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
        cls.package = json.loads(dump)

    def test_nothing_is_wrong_with_it(self):
        self.assertEqual(self.project.problems(), [])
        self.assertEqual(self.project.tree["objectVersion"], "77")
        self.assertEqual(self.project.objects[self.project.tree["rootObject"]]["preferredProjectObjectVersion"], "77")

    def test_each_fault_is_found(self):
        text = (PROJECT / "project.pbxproj").read_text()
        app = next(key for key, value in self.project.objects.items() if value is self.app)
        faults = {
            "is not there": text.replace(f"target = {app}", "target = 504C4D42000000000000FFFF"),
            "a PBXGroup": text.replace(f"\t\t\t\t{app} /* PlumblineCamera */,", "\t\t\t\t504C4D420000000000000003,"),
            "nothing refers to": text.replace("path = Streamer;", "path = Streamer; leftover = 1;", 1).replace(
                "\t\t\t\t504C4D420000000000000107 /* Streamer */,\n", ""),
            "there is no folder": text.replace("path = Streams;", "path = Rivers;"),
            "belongs to 0 folders": text.replace("path = Streams;", "path = Streamer;"),
            "would become a resource": text.replace("\t\t\t\tInfo.plist,\n", ""),
            "leaves out": text.replace("\t\t\t\tInfo.plist,\n", "\t\t\t\tInfo.plist,\n\t\t\t\tgone.txt,\n"),
        }
        for words, broken in faults.items():
            self.assertNotEqual(broken, text, words)
            found = Project(broken, self.project.folder).problems()
            self.assertTrue(any(words in problem for problem in found), f"{words}: {found}")

    def test_settings_are_those_of_the_package_and_the_check(self):
        ios = next(one["version"] for one in self.package["platforms"] if one["platformName"] == "ios")
        for target in (self.app, self.tests):
            for configuration in CONFIGURATIONS:
                settings = self.project.settings(target, configuration)
                self.assertEqual(settings["IPHONEOS_DEPLOYMENT_TARGET"], ios)
                self.assertEqual(settings["SWIFT_VERSION"], "6.0")
                self.assertEqual(settings["TARGETED_DEVICE_FAMILY"], "1,2")
                # The features that Scripts/check-apple-sources compiles with.
                for feature in ("EXISTENTIAL_ANY", "INTERNAL_IMPORTS_BY_DEFAULT", "MEMBER_IMPORT_VISIBILITY"):
                    self.assertEqual(settings[f"SWIFT_UPCOMING_FEATURE_{feature}"], "YES")
                self.assertNotIn("DEVELOPMENT_TEAM", settings)
        for configuration in CONFIGURATIONS:
            settings = self.project.settings(self.app, configuration)
            self.assertTrue((APP / settings["INFOPLIST_FILE"]).is_file())
            self.assertEqual(settings["GENERATE_INFOPLIST_FILE"], "YES")
            catalog = APP / "Resources/Assets.xcassets"
            self.assertTrue((catalog / f"{settings['ASSETCATALOG_COMPILER_APPICON_NAME']}.appiconset").is_dir())
            accent = settings["ASSETCATALOG_COMPILER_GLOBAL_ACCENT_COLOR_NAME"]
            self.assertTrue((catalog / f"{accent}.colorset").is_dir())

    def test_the_package_has_what_is_linked_and_the_app_imports_no_more(self):
        reference = next(iter(self.project.of_kind("XCLocalSwiftPackageReference").values()))
        self.assertEqual((APP / reference["relativePath"]).resolve(), ROOT)
        linked = {self.project.objects[key]["productName"] for key in self.app["packageProductDependencies"]}
        libraries = {one["name"] for one in self.package["products"] if "library" in one["type"]}
        self.assertLessEqual(linked, libraries)
        phase = next(
            self.project.objects[key] for key in self.app["buildPhases"]
            if self.project.objects[key]["isa"] == "PBXFrameworksBuildPhase")
        built = {
            self.project.objects[self.project.objects[key]["productRef"]]["productName"] for key in phase["files"]}
        self.assertEqual(built, linked)
        targets = {one["name"] for one in self.package["targets"]}
        imported = set()
        for path in APP.rglob("*.swift"):
            imported |= set(re.findall(r"^import (\w+)", path.read_text(), re.M))
        self.assertEqual(imported & targets, linked)

    def test_the_tests_run_inside_of_the_app(self):
        dependency = self.project.objects[self.tests["dependencies"][0]]
        self.assertIs(self.project.objects[dependency["target"]], self.app)
        for configuration in CONFIGURATIONS:
            settings = self.project.settings(self.tests, configuration)
            self.assertTrue(settings["TEST_HOST"].endswith("/PlumblineCamera"))
            self.assertEqual(settings["BUNDLE_LOADER"], "$(TEST_HOST)")
        self.assertEqual(self.project.settings(self.app, "Debug")["ENABLE_TESTABILITY"], "YES")

    def test_the_scheme_builds_runs_and_tests_the_targets(self):
        scheme = xml.etree.ElementTree.parse(PROJECT / "xcshareddata/xcschemes/PlumblineCamera.xcscheme").getroot()
        found = scheme.findall(".//BuildableReference")
        self.assertGreaterEqual(len(found), 3)
        for reference in found:
            target = self.project.objects[reference.get("BlueprintIdentifier")]
            self.assertEqual(target["name"], reference.get("BlueprintName"))
            product = self.project.objects[target["productReference"]]
            self.assertEqual(product["path"], reference.get("BuildableName"))
            self.assertEqual(reference.get("ReferencedContainer"), f"container:{PROJECT.name}")
        for action in scheme:
            configuration = action.get("buildConfiguration")
            self.assertTrue(configuration is None or configuration in CONFIGURATIONS, action.tag)
        self.assertIsNotNone(scheme.find("./TestAction/Testables/TestableReference"))
        # Unoptimized, the package is too slow for live images.
        self.assertEqual(scheme.find("./LaunchAction").get("buildConfiguration"), "Release")


class CatalogTests(unittest.TestCase):
    def test_each_file_of_the_catalog_is_named_and_there(self):
        for contents in (APP / "Resources/Assets.xcassets").rglob("Contents.json"):
            document = json.loads(contents.read_text())
            self.assertEqual(document["info"], {"author": "xcode", "version": 1}, contents)
            named = {image["filename"] for image in document.get("images", [])}
            there = {path.name for path in contents.parent.iterdir() if path.is_file()} - {"Contents.json"}
            self.assertEqual(named, there, contents)

    def test_the_icon_is_what_the_store_takes(self):
        with Image.open(APP / "Resources/Assets.xcassets/AppIcon.appiconset/icon.png") as icon:
            self.assertEqual((icon.size, icon.mode, icon.format), ((1024, 1024), "RGB", "PNG"))
        run = subprocess.run([sys.executable, ROOT / "Scripts/app-icon", "--check"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)


if __name__ == "__main__":
    unittest.main()
