"""What is inside a release, or beside it: names, exact versions, licenses and the texts of these."""
import dataclasses
import pathlib
import re

from release_facts import ROOT, output, resolved_packages

DEBIAN_DOCUMENTS = pathlib.Path("/usr/share/doc")
COMMON_LICENSES = pathlib.Path("/usr/share/common-licenses")
# License of each Swift package, by what its files say; dependencies.md says what each is for.
SWIFT_LICENSES = {
    "swift-argument-parser": "Apache-2.0 WITH Swift-exception",
    "swift-atomics": "Apache-2.0 WITH Swift-exception",
    "swift-collections": "Apache-2.0 WITH Swift-exception",
    "swift-system": "Apache-2.0 WITH Swift-exception",
    # With llhttp (MIT) and the SHA-1 of the WIDE project (BSD) inside.
    "swift-nio": "Apache-2.0 AND MIT AND BSD-3-Clause",
    # With BoringSSL inside, which is Apache-2.0 but for the curves of fiat-crypto.
    "swift-nio-ssl": "Apache-2.0 AND (MIT OR Apache-2.0 OR BSD-1-Clause)",
}
# Where a Swift package keeps notices of what it has from others, beside LICENSE.txt and NOTICE.txt.
INNER_NOTICES = {"swift-nio": ("Sources/CNIOLLHTTP/LICENSE", "Sources/CNIOSHA1/c_nio_sha1.c")}
# Debian's package with the library, its license, its home.
C_LIBRARIES = (
    ("libde265-0", "LGPL-3.0-or-later", "https://github.com/strukturag/libde265"),
    ("libturbojpeg0", "IJG AND BSD-3-Clause AND Zlib", "https://libjpeg-turbo.org"),
    ("libexpat1", "MIT", "https://libexpat.github.io"),
    ("zlib1g", "Zlib", "https://zlib.net"),
    ("liblz4-1", "BSD-2-Clause", "https://lz4.org"),
    ("libzstd1", "BSD-3-Clause", "https://facebook.github.io/zstd/"),
    ("libsqlite3-0", "blessing", "https://sqlite.org"),
)


@dataclasses.dataclass(frozen=True)
class Component:
    """One project whose code a release has, or loads."""

    name: str
    version: str
    license: str    # an SPDX expression
    home: str
    linked: str     # "static": inside; "beside": a file of the release; "dynamic": the system's
    reference: str  # a package URL
    texts: tuple    # paths of its license and notices


def swift_runtime() -> Component:
    compiler = pathlib.Path(output("sh", "-c", "command -v swift")).resolve()
    version = re.search(r"Swift version ([0-9.]+)", output("swift", "--version"))[1]
    text = compiler.parent.parent / "share/swift/LICENSE.txt"
    return Component(
        "swift-runtime", version, "Apache-2.0 WITH Swift-exception", "https://www.swift.org", "static",
        f"pkg:github/swiftlang/swift@swift-{version}-RELEASE", (text,))


def linked_modules(scratch: pathlib.Path) -> set:
    """The modules of which the program of this build has objects."""
    list_of_objects = next(scratch.glob("*/release/plumbline.product/Objects.LinkFileList"))
    return set(re.findall(r"/([^/]+)\.build/", list_of_objects.read_text()))


def swift_packages(scratch: pathlib.Path) -> list:
    """The packages that are in the program: of those that are resolved, some are only for tests of others."""
    modules, found = linked_modules(scratch), []
    for identity, location, version, revision in resolved_packages():
        # A checkout is called as its repository, an identity is in lowercase.
        home = location.removesuffix(".git")
        folder = scratch / "checkouts" / home.rsplit("/", 1)[1]
        if not any(target.name in modules for target in (folder / "Sources").iterdir()):
            continue
        texts = [path for name in ("LICENSE.txt", "LICENSE", "NOTICE.txt") if (path := folder / name).is_file()]
        texts += [folder / name for name in INNER_NOTICES.get(identity, ())]
        found.append(Component(
            identity, version, SWIFT_LICENSES[identity], home, "static",
            f"pkg:github/{'/'.join(home.lower().split('/')[-2:])}@{version or revision}", tuple(texts)))
    return found


def c_libraries(link: str) -> list:
    """The seven libraries of the system, as a release with this link has them."""
    found = []
    for package, license, home in C_LIBRARIES:
        version = output("dpkg-query", "-W", "-f", "${Version}", package)
        architecture = output("dpkg-query", "-W", "-f", "${Architecture}", package)
        linked = "dynamic" if link == "dynamic" else "beside" if package == "libde265-0" else "static"
        texts = (DEBIAN_DOCUMENTS / package / "copyright",)
        if linked == "beside":
            texts += (COMMON_LICENSES / "LGPL-3", COMMON_LICENSES / "GPL-3")
        found.append(Component(
            package, version, license, home, linked,
            f"pkg:deb/debian/{package}@{version.replace('+', '%2B')}?arch={architecture}", texts))
    return found


def components(link: str, scratch: pathlib.Path) -> list:
    """All of them for the link `static` or `dynamic` of the build in SCRATCH.

    A text that is missing is an error: no release goes out without the notices of what is in it.
    """
    found = [swift_runtime(), *swift_packages(scratch), *c_libraries(link)]
    for component in found:
        missing = [str(text) for text in component.texts if not text.is_file()]
        if missing or not component.texts:
            raise FileNotFoundError(f"no license text of {component.name}: {', '.join(missing) or 'none in its checkout'}")
    return found


def write_license_texts(found: list, folder: pathlib.Path):
    """Copies the texts of what is in the release to FOLDER, named by component."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plumbline-LICENSE.txt").write_bytes((ROOT / "LICENSE").read_bytes())
    for component in found:
        if component.linked == "dynamic":
            continue
        for text in component.texts:
            name = "-".join([component.name, *([text.parent.name] if "Sources" in text.parts else []), text.stem])
            content = text.read_text()
            if text.suffix == ".c":
                content = content[:content.index("\n#")].rstrip() + "\n"  # the notices above the code
            (folder / f"{name}.txt").write_text(content)
