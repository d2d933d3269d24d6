"""Checks the links of a built site: what a browser would follow must be there."""
import html.parser
import pathlib
import re
import urllib.parse


class Addresses(html.parser.HTMLParser):
    """What a page links to, and the names that links can end with."""

    def __init__(self, text: str):
        super().__init__()
        self.links, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value is not None:
                self.links.append(value)
            elif name == "id":
                self.names.add(value)


def complaints(site: pathlib.Path, pages: list) -> list:
    """Links of the PAGES that lead to no file of the site or to no name of its page."""
    parsed = {page: Addresses((site / page).read_text()) for page in pages}
    found = []
    for page, addresses in parsed.items():
        for link in addresses.links:
            if re.match(r"[a-z][a-z0-9+.-]*:", link):
                continue
            path, _, anchor = urllib.parse.unquote(link).partition("#")
            goal = (site / page).parent / path if path else site / page
            goal = goal.resolve()
            goal = goal / "index.html" if goal.is_dir() else goal
            if not goal.is_file():
                # The list of versions lies above; it is written last.
                if goal != site.resolve().parent / "index.html":
                    found.append(f"{page}: {link} is not there")
                continue
            relative = goal.relative_to(site.resolve()) if goal.is_relative_to(site.resolve()) else None
            if anchor and relative in parsed and anchor not in parsed[relative].names:
                found.append(f"{page}: {link} has no such heading")
    return found
