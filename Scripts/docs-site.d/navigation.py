"""The order in which the site lists the pages."""
import fnmatch
import html
import pathlib

# Patterns are tried in order; a page belongs to the first that fits, and to the last group if none does.
GROUPS = (
    ("Start", ("README.md", "Documentation/tasks.md", "Documentation/cli.md", "Documentation/findings.md",
               "Documentation/report.md", "Documentation/releasing.md")),
    ("Many captures", ("Documentation/batch.md", "Documentation/batch-results.md", "Documentation/batch-*.md")),
    ("Photos and maps", tuple(f"Documentation/{name}.md" for name in (
        "corrections", "measure", "filters", "write", "colors", "effects", "estimate", "models", "stereo",
        "corners", "verify"))),
    ("Recordings and scans", ("Documentation/recordings.md", "Documentation/capture.md", "Documentation/serve.md",
                              "Documentation/scan.md", "Documentation/scan/*.md", "Documentation/proximity.md")),
    ("Faces", ("Documentation/face*.md",)),
    ("Devices and sensors", ("Documentation/devices.md", "Documentation/sensors.md", "Documentation/simulator.md",
                             "Documentation/robustness.md")),
    ("Formats", ("Documentation/formats/README.md", "Documentation/formats/*.md")),
    ("Decisions", ("Documentation/decisions/README.md", "Documentation/decisions/*.md")),
    ("Development", ("CHANGELOG.md", "CONTRIBUTING.md", "Documentation/architecture.md",
                     "Documentation/conventions.md", "*")),
)


def grouped(pages: list) -> list:
    """Titles of groups, each with its pages; every page is in one."""
    left, result = list(pages), []
    for title, patterns in GROUPS:
        members = []
        for pattern in patterns:
            fitting = [page for page in left if fnmatch.fnmatchcase(str(page), pattern)]
            members += fitting
            left = [page for page in left if page not in fitting]
        result.append((title, members))
    return result


def navigation(groups: list, titles: dict, current: pathlib.Path, href) -> str:
    """The list of pages as HTML; HREF gives the address of a page from the current one."""
    parts = []
    for title, members in groups:
        if not members:
            continue
        items = "".join(
            f'<li><a href="{html.escape(href(page))}"{" aria-current=page" if page == current else ""}>'
            f"{html.escape(titles[page])}</a></li>" for page in members)
        is_open = " open" if current in members or title == "Start" else ""
        parts.append(f"<details{is_open}><summary>{html.escape(title)}</summary><ul>{items}</ul></details>")
    return "".join(parts)
