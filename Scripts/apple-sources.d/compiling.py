"""Compiles declarations and sources for a platform that this compiler has no library of, as far as checks go.

What is compiled is kept by a digest of all that goes into it, so that platforms share what is equal for them and
nothing is compiled twice.
"""
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from conditions import FOREIGN_MODULES, ConditionError, Platform, resolved, resolved_directives
from declarations import Interface
from package_graph import Target
from store import Store, digest, imports, with_apple_part

# Macros of the standard library, which the compiler's driver would find by itself.
PLUGINS = pathlib.Path(shutil.which("swiftc") or "/usr/bin/swiftc").resolve().parent.parent / "lib/swift/host/plugins"
SWIFT = ("swiftc", "-frontend")
FEATURES = ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility")


class LinuxPlatform(Platform):
    """What the package is built for here: each module that a source imports is there or not, and none is unknown."""

    def can_import(self, module: str) -> bool:
        return module in self.modules


LINUX = LinuxPlatform(
    "Linux", "0", frozenset((
        "Swift", "Synchronization", "Foundation", "Dispatch", "Glibc", "FoundationEssentials", "FoundationXML",
        "FoundationNetworking", "CLZ4", "CZstd", "COpenVINO", "CONNXRuntime", "CTensors", "CLibDE265", "CTurboJPEG",
        "CExpat", "CSQLite", "CZlib", "CDecoderSandbox")), frozenset(), newest=True)


@dataclasses.dataclass(frozen=True)
class Failure:
    """What a compiler refused."""

    platform: str
    module: str
    message: str


def primary(files: list[str]) -> list[str]:
    """The arguments by which a compiler looks into the functions of these files."""
    return [part for file in files for part in ("-primary-file", file)]


def compiler_output(command: list[str], folder: pathlib.Path) -> str | None:
    """What a compiler says where it fails; None where it succeeds."""
    with tempfile.TemporaryDirectory() as outputs:
        if "-emit-sil" in command:
            # Not /dev/null: the compiler removes what a failed run was to write, which as root removes the device.
            count = command.count("-primary-file")
            command = command + [part for number in range(count) for part in ("-o", f"{outputs}/{number}.sil")]
        run = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            cwd=folder, env=os.environ | {"SWIFT_BACKTRACE": "enable=no"}, stdin=subprocess.DEVNULL)
    return None if run.returncode == 0 else run.stdout


class Pass:
    """One platform: its declarations, then the package's modules, one after the other."""

    def __init__(self, platform: Platform, store: Store, package: pathlib.Path):
        self.platform = platform
        self.store = store
        self.package = package
        self.modules: dict[str, pathlib.Path] = {}     # compiled, by name
        self.digests: dict[str, str] = {}
        self.needs: dict[str, set[str]] = {}
        self.failures: list[Failure] = []
        self.broken: set[str] = set()                  # modules that others cannot import
        self.jobs: list[tuple[str, str, list[str]]] = []  # module, name of what shows success, command
        self.checked: dict[str, list[str]] = {}        # the files of each module, relative to the package
        self.special: dict[str, list[str]] = {}        # those that are other than on Linux
        self.declared: set[str] = set()

    def fail(self, module: str, message: str) -> None:
        self.failures.append(Failure(self.platform.name, module, message))

    def flags(self) -> list[str]:
        """Where the modules are. Only those of this pass are seen, besides the language's own."""
        flags = ["-swift-version", "6", "-plugin-path", str(PLUGINS)]
        for path in sorted({str(path.parent) for path in self.modules.values()}):
            flags += ["-I", path]
        return flags

    def declare(self, interfaces: dict[str, Interface]) -> None:
        """Compiles the declarations that the platform has, each after what it imports."""
        newest = None if self.platform.newest else self.platform.version
        texts = {
            name: interface.filtered(self.platform.os, newest) for name, interface in interfaces.items()
            if name in self.platform.modules}
        self.declared = set(texts)
        for name, text in texts.items():
            for other in imports(text) & (interfaces.keys() - texts.keys()):
                texts[name] = re.sub(rf"^(@_exported )?import {other}$", "", texts[name], flags=re.M)
        done: set[str] = set()

        def compile_one(name: str) -> None:
            if name in done:
                return
            done.add(name)
            for other in sorted(imports(texts[name]) & texts.keys()):
                compile_one(other)
            self._declare_one(name, texts[name])

        for name in texts:
            compile_one(name)

    def _declare_one(self, name: str, text: str) -> None:
        key = digest("declared", name, text, *(self.digests[other] for other in self.needed_by(name, [text])))
        folder = self.store.place("modules", key)
        output = folder / f"{name}.swiftmodule"
        source = self.store.place("sources", key) / f"{name}.swiftinterface"
        self.modules[name], self.digests[name] = output, key
        with self.store.lock(key):
            if output.exists():
                return
            for path in (folder, source.parent):
                path.mkdir(parents=True, exist_ok=True)
            source.write_text(text)
            message = compiler_output([
                *SWIFT, "-compile-module-from-interface", str(source), "-o", str(output), "-module-name", name,
                "-enable-library-evolution", *self.flags()], self.package)
        if message:
            self.fail(name, self.readable(message))

    def add(self, target: Target, files: list[pathlib.Path], flags: list[str]) -> None:
        """Compiles what other modules see of a target, and notes what remains to be checked of it."""
        texts, special = {}, []
        try:
            for path in files:
                text = path.read_text()
                relative = str(path.relative_to(self.package))
                texts[relative] = with_apple_part(resolved(text, self.platform, relative), self.declared)
                if texts[relative] != resolved_directives(text, LINUX, relative) or imports(text) & self.declared:
                    special.append(relative)
                for foreign in sorted(imports(texts[relative]) & FOREIGN_MODULES):
                    self.fail(target.name, f"{relative}: imports {foreign}, which {self.platform.os} lacks")
        except ConditionError as error:
            self.fail(target.name, str(error))
            self.broken.add(target.name)
            return
        self.checked[target.name], self.special[target.name] = sorted(texts), special
        source_key = digest("sources", target.name, *(part for item in sorted(texts.items()) for part in item))
        folder = self.store.place("sources", source_key)
        with self.store.lock(source_key):
            for relative, text in texts.items():
                place = folder / relative
                if not place.exists():
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(text)
        needs = self.needed_by(target.name, texts.values())
        key = digest(source_key, *flags, *(self.digests[name] for name in needs))
        self._compile(target, key, folder, sorted(texts), special, flags)

    def needed_by(self, name: str, texts) -> list[str]:
        """The modules that the texts import, and those that are loaded with them."""
        direct = set().union(*(imports(text) for text in texts)) & (self.digests.keys() | self.broken)
        self.needs[name] = direct.union(*(self.needs.get(other, set()) for other in direct))
        return sorted(self.needs[name] - self.broken)

    def _compile(self, target: Target, key: str, folder: pathlib.Path, files: list[str], special: list[str],
                 flags: list[str]) -> None:
        output = self.store.place("modules", key) / f"{target.name}.swiftmodule"
        arguments = ["-module-name", target.name, "-parse-as-library", *self.flags(), *flags]
        if not self.platform.newest:
            # Lines that need a newer system are left out here: what only they use seems unused.
            arguments.append("-suppress-warnings")
        else:
            arguments.append("-warnings-as-errors")
        for feature in FEATURES:
            arguments += ["-enable-upcoming-feature", feature]
        sources = [str(folder / file) for file in files]
        broken = self.needs[target.name] & self.broken
        if broken:
            self.broken.add(target.name)
            return
        if target.kind != "executable":
            message = self._emit(key, output, [*arguments, *sources])
            if message:
                self.fail(target.name, self.readable(message))
                self.broken.add(target.name)
                return
        self.modules[target.name] = output
        # Where only what functions hold has changed, what depends on the module need not be checked again.
        self.digests[target.name] = digest(output.read_bytes()) if output.exists() else key
        chosen = {str(folder / file) for file in special}
        ordinary = [source for source in sources if source not in chosen]
        if ordinary:
            self.jobs.append((target.name, digest("types", key), [
                *SWIFT, "-typecheck", *arguments, *sorted(chosen), *primary(ordinary)]))
        if chosen:
            # Data races and missing returns show only in SIL.
            self.jobs.append((target.name, digest("bodies", key), [
                *SWIFT, "-emit-sil", *arguments, *ordinary, *primary(sorted(chosen))]))

    def _emit(self, key: str, output: pathlib.Path, arguments: list[str]) -> str | None:
        """Compiles what others see of a module, without what its functions hold, unless that is there already."""
        with self.store.lock(key):
            if output.exists():
                return None
            output.parent.mkdir(parents=True, exist_ok=True)
            return compiler_output(
                [*SWIFT, "-emit-module", "-experimental-skip-non-inlinable-function-bodies", "-o", str(output), *arguments],
                self.package)

    def add_c(self, target: Target, headers: pathlib.Path) -> None:
        """Notes a C target to be checked by clang, for the platform's own processor and against declared headers."""
        folder = self.package / target.path
        files = sorted(str(path.relative_to(self.package)) for path in folder.rglob("*.c"))
        if not files:
            return
        seen = [path for place in (folder, headers) for path in sorted(place.rglob("*.[ch]"))]
        key = digest("C", self.platform.name, *(part for path in seen for part in (str(path), path.read_bytes())))
        system = {"iOS": "ios", "macOS": "macosx"}[self.platform.os]
        self.jobs.append((target.name, key, [
            "clang", "-fsyntax-only", "-Wall", "-Werror", "-target", f"arm64-apple-{system}{self.platform.version}",
            "-nostdlibinc", "-isystem", str(headers), "-I", str(folder / "include"), *files]))
        self.checked[target.name], self.special[target.name] = files, files

    def readable(self, message: str) -> str:
        """A compiler's message with the paths of the sources."""
        return re.sub(re.escape(str(self.store.folder)) + r"/sources/\w+/", "", message)


def run_jobs(passes: list[Pass], workers: int, modules: list[str] | None = None,
             is_special: bool = False) -> None:
    """Checks what remains of all passes, each digest once, and adds what fails to the pass that asked first."""
    seen: set[str] = set()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        running = []
        for one in passes:
            for module, key, command in one.jobs:
                if modules and module not in modules or is_special and "-typecheck" in command:
                    continue
                passed = one.store.place("passed", key)
                if key not in seen and not passed.exists():
                    running.append((one, module, passed, pool.submit(compiler_output, command, one.package)))
                seen.add(key)
        for one, module, passed, result in running:
            message = result.result()
            if message:
                one.fail(module, one.readable(message))
            else:
                passed.parent.mkdir(parents=True, exist_ok=True)
                passed.touch()
