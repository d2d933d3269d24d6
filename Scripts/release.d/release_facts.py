"""What the files of a release say of themselves: version, commit, moment, machine."""
import dataclasses
import datetime
import json
import pathlib
import platform
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VERSION_SOURCE = ROOT / "Sources/Product/Plumbline/PlumblineVersion.swift"


def output(*command: str) -> str:
    """What a program prints, without the end of its last line; it must end with 0."""
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return run.stdout.rstrip("\n")


@dataclasses.dataclass(frozen=True)
class ReleaseFacts:
    """Facts of one commit on one machine: equal commits and machines give equal facts."""

    version: str      # of PlumblineVersion.swift, such as 0.1.0
    commit: str       # 40 digits
    epoch: int        # seconds since 1970 of the commit: the date of every file
    is_tagged: bool   # whether the commit has the tag v0.1.0
    is_changed: bool  # whether a tracked file differs from the commit
    machine: str      # x86_64 or aarch64

    @property
    def label(self) -> str:
        """The version in names of files; a commit without its tag says which one it is."""
        label = self.version if self.is_tagged else f"{self.version}-{self.commit[:8]}"
        return label + ("-changed" if self.is_changed else "")

    @property
    def debian_version(self) -> str:
        """Sorts before the version where the commit has no tag, as `~` does, and by date among those."""
        if self.is_tagged and not self.is_changed:
            return f"{self.version}-1"
        changed = "+changed" if self.is_changed else ""
        return f"{self.version}~{self.date:%Y%m%d%H%M%S}.{self.commit[:8]}{changed}-1"

    @property
    def date(self) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self.epoch, datetime.timezone.utc)


def release_facts() -> ReleaseFacts:
    version = re.search(r'static let text = "([^"]+)"', VERSION_SOURCE.read_text())
    return ReleaseFacts(
        version=version[1],
        commit=output("git", "rev-parse", "HEAD"),
        epoch=int(output("git", "log", "-1", "--format=%ct")),
        is_tagged=f"v{version[1]}" in output("git", "tag", "--points-at", "HEAD").splitlines(),
        is_changed=output("git", "status", "--porcelain", "--untracked-files=no") != "",
        machine=platform.machine())


def resolved_packages() -> list:
    """The Swift packages as this build resolved them: identity, location, version, revision."""
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    return [(pin["identity"], pin["location"], pin["state"].get("version", ""), pin["state"]["revision"])
            for pin in sorted(pins, key=lambda pin: pin["identity"])]
