"""Which platforms are checked, and what of the package each compiles."""
import dataclasses
import os
import pathlib

from compiling import Pass
from conditions import Platform
from declarations import Interface, is_available
from package_graph import Target, closure, manifest, targets
from store import Store


@dataclasses.dataclass(frozen=True)
class Setting:
    """A pass: a platform at a version, and whether it has all that the SDK knows."""

    os: str
    version: str
    newest: bool
    roots: tuple[str, ...]
    apps: bool = False

    @property
    def name(self) -> str:
        return f"{self.os} {self.version}"


PHONE = ("Plumbline", "PlumblineScreens", "PlumblineServer", "PlumblineC")
DESKTOP = (*PHONE, "PlumblineBatch", "PlumblineCLI")
# The oldest systems of Package.swift have none of what is newer, so that what is used of it must be behind
# `#available`; the newest have all of it, so that the lines behind `#available` are checked too.
PASSES = (
    Setting("iOS", "18.0", False, PHONE, apps=True),
    Setting("iOS", "26.0", True, PHONE, apps=True),
    Setting("macOS", "15.0", False, DESKTOP),
    Setting("macOS", "26.0", True, DESKTOP),
)


class Package:
    """The package here, and where the modules of other packages are built."""

    def __init__(self, root: pathlib.Path, built: pathlib.Path):
        self.root = root
        self.built = built
        self.dump = manifest(root)

    def graph(self, platform: str) -> dict[str, Target]:
        return targets(self.dump, platform)

    def sources(self, target: Target) -> list[pathlib.Path]:
        return sorted((self.root / target.path).rglob("*.swift"))

    def outside_flags(self, store: Store, graph: dict[str, Target]) -> list[str]:
        """Where the modules of other packages are, and only these: ours are those of the pass."""
        folder = store.place("outside", "modules")
        flags = ["-I", str(folder)]
        with store.lock("outside"):
            folder.mkdir(parents=True, exist_ok=True)
            for module in (self.built / "Modules").glob("*.swiftmodule"):
                link = folder / module.name
                if module.stem not in graph and not link.exists():
                    link.unlink(missing_ok=True)
                    os.symlink(module.resolve(), link)
        made = [path for path in self.built.glob("*.build/module.modulemap") if path.parent.stem not in graph]
        # Others bring their map along.
        brought = (self.built.parent.parent / "checkouts").glob("*/Sources/*/include/module.modulemap")
        for path in sorted((*made, *brought)):
            flags += ["-Xcc", f"-fmodule-map-file={path}"]
        return flags

    def c_flags(self, target: Target) -> list[str]:
        """The module map of one of our C targets."""
        own = self.root / target.path / "module.modulemap"
        place = own if own.exists() else self.built / f"{target.name}.build/module.modulemap"
        include = self.root / target.path / "include"
        folders = ["-Xcc", "-I", "-Xcc", str(include)] if include.exists() else []
        return ["-Xcc", f"-fmodule-map-file={place}", *folders]

    def app_folders(self) -> list[pathlib.Path]:
        return [path for path in sorted((self.root / "Apps").iterdir()) if any(path.rglob(f"{path.name}App.swift"))]

    def unchecked(self, passes: list[Pass]) -> list[str]:
        """The files for Apple that no pass looked into."""
        seen = {file for one in passes for files in one.checked.values() for file in files}
        wanted = [
            *self.root.glob("Sources/*/*/Apple/**/*.swift"), *self.root.glob("Apps/*/**/*.swift"),
            *self.root.glob("Sources/**/*+Apple.swift")]
        missed = {str(path.relative_to(self.root)) for path in wanted} - seen
        return [f"{file} is checked by no pass" for file in sorted(missed)]


def unused(interfaces: dict[str, Interface], passes: list[Pass]) -> list[str]:
    """The declared modules that no source of any pass imports, directly or through another."""
    needed = set().union(*(one.needs[name] for one in passes for name in one.checked if name in one.needs))
    return [f"nothing imports {name}.swiftinterface" for name in sorted(interfaces.keys() - needed)]


def platform_of(
        setting: Setting, interfaces: dict[str, Interface], graph: dict[str, Target], c_modules: set[str]) -> Platform:
    """What can be imported and what cannot."""
    declared = {name for name, one in interfaces.items() if is_available(one.row, setting.os)}
    ours = {name for name, target in graph.items() if not target.is_c} | c_modules
    absent = (set(interfaces) - declared) | {name for name, target in graph.items() if target.is_c} - c_modules
    return Platform(
        setting.os, setting.version, frozenset(declared | ours), frozenset(absent), newest=setting.newest)


def prepare(setting: Setting, package: Package, interfaces: dict[str, Interface], store: Store) -> Pass:
    """Compiles the declarations and what modules show each other; what remains are the pass's jobs."""
    graph = package.graph(setting.os)
    order = closure(graph, [root for root in setting.roots if root in graph])
    c_targets = {name for name in order if graph[name].is_c}
    one = Pass(platform_of(setting, interfaces, graph, c_targets), store, package.root)
    one.declare(interfaces)
    outside = package.outside_flags(store, graph)
    for name in order:
        target = graph[name]
        if target.is_c:
            if target.kind == "regular":
                one.add_c(target, package.root / "Tests/AppleDeclarations/include")
            continue
        flags = ["-package-name", "plumbline", *outside]
        for need in closure(graph, [name]):
            if graph[need].is_c:
                flags += package.c_flags(graph[need])
        one.add(target, package.sources(target), flags)
    if setting.apps:
        add_apps(one, package, outside, [flag for name in sorted(c_targets) for flag in package.c_flags(graph[name])])
    return one


def add_apps(one: Pass, package: Package, outside: list[str], c_flags: list[str]) -> None:
    """The apps with their tests. They see only what is public, and need no conditions since they are for one platform."""
    for folder in package.app_folders():
        sources = sorted(folder.rglob("*.swift"))
        for path in sources:
            if any(line.lstrip().startswith("#if") for line in path.read_text().split("\n")):
                relative = path.relative_to(package.root)
                one.fail(folder.name, f"{relative}: apps are for one platform and need no conditions")
        # Its tests import it, unlike a program.
        target = Target(folder.name, "app", str(folder.relative_to(package.root)), (), ())
        one.add(target, sources, [*outside, *c_flags, "-enable-testing"])
        tests = folder.with_name(f"{folder.name}Tests")
        if tests.exists():
            target = Target(tests.name, "test", str(tests.relative_to(package.root)), (), ())
            one.add(target, sorted(tests.rglob("*.swift")), [*outside, *c_flags])


def failures_of(passes: list[Pass]) -> list[str]:
    """What was refused, the same message of several passes once."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in passes:
        for failure in one.failures:
            found.setdefault((failure.module, failure.message), []).append(failure.platform)
    return [
        f"{module} on {' and '.join(platforms)}:\n{message}" for (module, message), platforms in found.items()]
