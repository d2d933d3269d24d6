"""What the app tells the system about itself: why it needs what it requests, and what it reads."""
import pathlib
import plistlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESOURCES = ROOT / "Apps/PlumblineCamera/Resources"

# Calls whose first use ends the app, or is refused, without a text for the person; and the key of the text.
# Sources: the pages of the keys under https://developer.apple.com/documentation/bundleresources/information-property-list
NEEDS_TEXT = {
    "NSCameraUsageDescription": r"requestAccess\(for: \.video\)|\bARSession\b",
    "NSMicrophoneUsageDescription": r"requestAccess\(for: \.audio\)|\.requestRecordPermission",
    "NSPhotoLibraryAddUsageDescription": r"requestAuthorization\(for: \.addOnly\)",
    "NSPhotoLibraryUsageDescription": r"requestAuthorization\(for: \.readWrite\)|PHPhotoLibrary\.requestAuthorization\(\s*\{",
    "NSMotionUsageDescription": r"\bCMMotionManager\b|\bCMMotionActivityManager\b",
    "NSLocalNetworkUsageDescription": r"\bwebSocketTask\(",
    "NSLocationWhenInUseUsageDescription": r"\bCLLocationManager\b",
    "NSFaceIDUsageDescription": r"\bLAContext\b",
    "NSBluetoothAlwaysUsageDescription": r"\bCBCentralManager\b",
}

# Calls that need a reason, and the reasons that there are.
# Source: https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
NEEDS_REASON = {
    "FileTimestamp": (
        r"\b(?:stat|fstat|lstat|fstatat|getattrlist|fgetattrlist|getattrlistat|getattrlistbulk)\(|"
        r"\.(?:creationDate|modificationDate|contentModificationDateKey|creationDateKey)\b",
        {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"}),
    "DiskSpace": (
        r"\b(?:statfs|fstatfs|statvfs|fstatvfs)\(|volumeAvailableCapacity\w*|volumeTotalCapacity\w*|"
        r"\bsystemFreeSize\b|\bsystemSize\b",
        {"85F4.1", "E174.1", "7D9E.1", "B728.1"}),
    "SystemBootTime": (r"\bsystemUptime\b|\bmach_absolute_time\(", {"35F9.1", "8FFB.1", "3D61.1"}),
    "UserDefaults": (r"\bUserDefaults\b|@AppStorage\b|@SceneStorage\b", {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"}),
    "ActiveKeyboards": (r"\bactiveInputModes\b", {"3EC4.1", "54BD.1"}),
}

# Parts of the package that the app does not link.
OUTSIDE = re.compile(r"Sources/(?:Product/(?:PlumblineCLI|PlumblineServer|PlumblineBatch|PlumblineC)|C/CDecoderSandbox)/")


def code(path: pathlib.Path) -> str:
    """A source without comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(), flags=re.S)


def sources():
    for folder in ("Apps", "Sources"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".swift", ".c", ".h") and not OUTSIDE.search(path.as_posix()) and "Tests" not in path.parts:
                yield path


def callers(pattern: str, texts: dict) -> list:
    return [path for path, text in texts.items() if re.search(pattern, text)]


def text_problems(information: dict, texts: dict) -> list:
    problems = []
    for key, pattern in NEEDS_TEXT.items():
        users = callers(pattern, texts)
        if users and len(information.get(key, "")) < 20:
            problems.append(f"{key} is missing or says nothing; {users[0]} needs it")
        if not users and key in information:
            problems.append(f"{key} is there and nothing needs it")
    return problems


def reason_problems(manifest: dict, texts: dict) -> list:
    problems = []
    stated = {
        one["NSPrivacyAccessedAPIType"].removeprefix("NSPrivacyAccessedAPICategory"):
            set(one["NSPrivacyAccessedAPITypeReasons"])
        for one in manifest["NSPrivacyAccessedAPITypes"]}
    for category, (pattern, reasons) in NEEDS_REASON.items():
        users = callers(pattern, texts)
        if users and not stated.get(category):
            problems.append(f"{category} has no reason; {users[0]} needs one")
        if not users and category in stated:
            problems.append(f"{category} has a reason and nothing needs it")
        if wrong := stated.get(category, set()) - reasons:
            problems.append(f"{category} has no such reason as {', '.join(sorted(wrong))}")
    problems += [f"there is no category {one}" for one in stated.keys() - NEEDS_REASON.keys()]
    return problems


class InformationTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.information = plistlib.loads((RESOURCES / "Info.plist").read_bytes())
        cls.manifest = plistlib.loads((RESOURCES / "PrivacyInfo.xcprivacy").read_bytes())
        cls.texts = {path.relative_to(ROOT): code(path) for path in sources()}

    def test_every_use_has_its_text_and_every_text_its_use(self):
        self.assertEqual(text_problems(self.information, self.texts), [])

    def test_a_missing_text_and_one_too_many_are_found(self):
        less = {key: text for key, text in self.information.items() if key != "NSCameraUsageDescription"}
        self.assertIn("NSCameraUsageDescription is missing", text_problems(less, self.texts)[0])
        more = self.information | {"NSFaceIDUsageDescription": "There is no reason for this text."}
        self.assertIn("nothing needs it", text_problems(more, self.texts)[0])

    def test_it_is_what_the_system_requires(self):
        information = self.information
        self.assertNotIn("UIRequiresFullScreen", information)
        self.assertEqual(information["UILaunchScreen"], {})
        # A second window would want the same camera.
        self.assertEqual(information["UIApplicationSceneManifest"], {"UIApplicationSupportsMultipleScenes": False})
        self.assertEqual(len(information["UISupportedInterfaceOrientations"]), 4)
        self.assertEqual(information["UIRequiredDeviceCapabilities"], ["arm64"])
        self.assertTrue(information["UIFileSharingEnabled"] and information["LSSupportsOpeningDocumentsInPlace"])
        # Servers in the same network have no certificate of an authority; others keep the system's rules.
        self.assertEqual(information["NSAppTransportSecurity"], {"NSAllowsLocalNetworking": True})

    def test_every_reason_has_its_use_and_every_use_its_reason(self):
        self.assertEqual(reason_problems(self.manifest, self.texts), [])
        self.assertFalse(self.manifest["NSPrivacyTracking"])
        self.assertEqual(self.manifest["NSPrivacyTrackingDomains"], [])
        self.assertEqual(self.manifest["NSPrivacyCollectedDataTypes"], [])

    def test_a_missing_reason_and_an_invented_one_are_found(self):
        def changed(change):
            manifest = plistlib.loads(plistlib.dumps(self.manifest))
            change(manifest["NSPrivacyAccessedAPITypes"])
            return reason_problems(manifest, self.texts)
        self.assertIn("has no reason", changed(lambda kinds: kinds.pop())[0])
        self.assertIn("no such reason", changed(
            lambda kinds: kinds[0]["NSPrivacyAccessedAPITypeReasons"].append("AAAA.1"))[0])
        self.assertIn("nothing needs it", changed(lambda kinds: kinds.append({
            "NSPrivacyAccessedAPIType": "NSPrivacyAccessedAPICategoryActiveKeyboards",
            "NSPrivacyAccessedAPITypeReasons": ["3EC4.1"]}))[0])


if __name__ == "__main__":
    unittest.main()
