"""The files of this repository, for the scripts that check them."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def files(*patterns: str) -> list:
    """Sorted paths from the root of the files that git tracks, or does not track yet and does not ignore.

    Patterns are git's: folders, names, `*.md`.
    """
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")
    return [pathlib.Path(name) for name in sorted(filter(None, listed)) if (ROOT / name).is_file()]


def entries(path: pathlib.Path) -> list:
    """The lines of a list but the empty ones and those that start with `#`."""
    lines = (line.strip() for line in path.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("#")]
