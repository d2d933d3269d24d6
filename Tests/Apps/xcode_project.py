"""Reads an Xcode project and says what is wrong with it."""
import collections
import pathlib
import re

from openstep_parser import OpenStepDecoder

IDENTIFIER = re.compile(r"[0-9A-F]{24}")

# What a field may refer to; a list is one of such references.
EXPECTED = {
    "rootObject": {"PBXProject"},
    "mainGroup": {"PBXGroup"}, "productRefGroup": {"PBXGroup"},
    "children": {"PBXGroup", "PBXFileReference", "PBXFileSystemSynchronizedRootGroup"},
    "targets": {"PBXNativeTarget"}, "target": {"PBXNativeTarget"},
    "packageReferences": {"XCLocalSwiftPackageReference"}, "package": {"XCLocalSwiftPackageReference"},
    "packageProductDependencies": {"XCSwiftPackageProductDependency"},
    "productRef": {"XCSwiftPackageProductDependency"}, "productReference": {"PBXFileReference"},
    "buildConfigurationList": {"XCConfigurationList"}, "buildConfigurations": {"XCBuildConfiguration"},
    "buildPhases": {"PBXSourcesBuildPhase", "PBXFrameworksBuildPhase", "PBXResourcesBuildPhase"},
    "files": {"PBXBuildFile"}, "dependencies": {"PBXTargetDependency"}, "targetProxy": {"PBXContainerItemProxy"},
    "containerPortal": {"PBXProject"}, "remoteGlobalIDString": {"PBXNativeTarget"}, "TestTargetID": {"PBXNativeTarget"},
    "fileSystemSynchronizedGroups": {"PBXFileSystemSynchronizedRootGroup"},
    "exceptions": {"PBXFileSystemSynchronizedBuildFileExceptionSet"},
}


def references(value, field=""):
    """Yields the field and the identifier of every reference in an object."""
    if isinstance(value, dict):
        for key, part in value.items():
            if IDENTIFIER.fullmatch(key):
                yield field, key
            yield from references(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from references(part, field)
    elif IDENTIFIER.fullmatch(value):
        yield field, value


class Project:
    """A project file, and the folder that it stands in."""

    def __init__(self, text: str, folder: pathlib.Path):
        self.tree = OpenStepDecoder.ParseFromString(text)
        self.objects = self.tree["objects"]
        self.folder = folder

    @classmethod
    def at(cls, path: pathlib.Path) -> "Project":
        return cls((path / "project.pbxproj").read_text(), path.parent)

    def of_kind(self, isa: str) -> dict:
        return {key: value for key, value in self.objects.items() if value.get("isa") == isa}

    def named(self, isa: str, name: str) -> dict:
        return next(value for value in self.of_kind(isa).values() if value.get("name") == name)

    def settings(self, target: dict, configuration: str) -> dict:
        """The build settings of a target, on top of those of the project."""
        merged = {}
        root = self.objects[self.tree["rootObject"]]
        for owner in (root, target):
            configurations = self.objects[owner["buildConfigurationList"]]["buildConfigurations"]
            for key in configurations:
                if self.objects[key]["name"] == configuration:
                    merged |= self.objects[key]["buildSettings"]
        return merged

    def synchronized(self, target: dict) -> dict:
        """The folders of a target, with the paths in them that it leaves out."""
        found = {}
        for key in target.get("fileSystemSynchronizedGroups", []):
            group = self.objects[key]
            left_out = set()
            for exception in group.get("exceptions", []):
                exception = self.objects[exception]
                if self.objects[exception["target"]] is target:
                    left_out |= set(exception["membershipExceptions"])
            found[(self.folder / group["path"]).resolve()] = left_out
        return found

    def problems(self) -> list:
        # Folders are found by references, so those have to be sound.
        return [*self.broken_references()] or [*self.unreached(), *self.folder_problems()]

    def broken_references(self):
        for key, value in [("the file", {"rootObject": self.tree["rootObject"]}), *self.objects.items()]:
            for field, identifier in references(value):
                if identifier not in self.objects:
                    yield f"{key}: {field} refers to {identifier}, which is not there"
                elif field == "TargetAttributes":
                    if self.objects[identifier]["isa"] != "PBXNativeTarget":
                        yield f"{key}: attributes of {identifier}, which is no target"
                elif self.objects[identifier].get("isa") not in EXPECTED.get(field, ()):
                    yield f"{key}: {field} refers to {identifier}, a {self.objects[identifier].get('isa')}"

    def unreached(self):
        """Objects that nothing refers to: leftovers of an edit."""
        seen, open_keys = set(), [self.tree["rootObject"]]
        while open_keys:
            key = open_keys.pop()
            if key not in seen and key in self.objects:
                seen.add(key)
                open_keys += [identifier for _, identifier in references(self.objects[key])]
        for key in self.objects.keys() - seen:
            yield f"nothing refers to {key}, a {self.objects[key].get('isa')}"

    def folder_problems(self):
        """A synchronized folder has to be there, and every source has to be in one folder of one target."""
        owners = collections.Counter()
        for target in self.of_kind("PBXNativeTarget").values():
            for folder, left_out in self.synchronized(target).items():
                if not folder.is_dir():
                    yield f"{target['name']}: there is no folder {folder}"
                    continue
                for path in left_out:
                    if not (folder / path).exists():
                        yield f"{target['name']}: leaves out {folder / path}, which is not there"
                for path in folder.rglob("*"):
                    if path.name in ("Info.plist",) or path.suffix in (".md", ".py"):
                        if str(path.relative_to(folder)) not in left_out:
                            yield f"{target['name']}: {path} would become a resource"
                    if path.suffix == ".xcodeproj":
                        yield f"{target['name']}: {folder} holds a project"
                    if path.suffix == ".swift":
                        owners[path] += 1
        for path in sorted(self.folder.rglob("*.swift")):
            if owners[path.resolve()] != 1:
                yield f"{path} belongs to {owners[path.resolve()]} folders of targets"
