"""Markdown pages become HTML, with the fragments that GitHub gives headings, and sections for the search."""
import html
import os
import pathlib
import re
import sys
import urllib.parse

import markdown_it

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from page_links import fragment  # noqa: E402
from repository_files import ROOT  # noqa: E402

# What a browser shows as an image keeps its name; any other file that is linked is shown as text.
IMAGES = {".png", ".jpg", ".svg"}


def page_path(page: pathlib.Path) -> pathlib.Path:
    """Where a page lies in the site: README.md is its folder's index, and the one of the repository is its first page."""
    return page.with_name("index.html") if page.name == "README.md" else page.with_suffix(".html")


def address(goal: pathlib.Path, source: pathlib.Path) -> str:
    """The relative address of one path of the site from the page at another."""
    return urllib.parse.quote(os.path.relpath(goal, source.parent))


class PageRenderer:
    """Renders one page after another and collects what they link to: files to copy, sections to search."""

    def __init__(self, pages: list):
        self.pages = set(pages)
        self.copied = {}    # files of the repository that a page links to, and where they lie in the site
        self.sections = []  # what the search finds
        self.parser = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

    def link(self, text: str, page: pathlib.Path):
        """The address in the site of a link in PAGE; None where the site has no such place, as for folders of sources."""
        if re.match(r"[a-z][a-z0-9+.-]*:", text) or text.startswith("#"):
            return text
        path, _, anchor = text.partition("#")
        goal = pathlib.Path(os.path.normpath(page.parent / urllib.parse.unquote(path)))
        if goal in self.pages:
            place = page_path(goal)
        elif (ROOT / goal / "README.md").is_file() and goal / "README.md" in self.pages:
            place = page_path(goal / "README.md")
        elif (ROOT / goal).is_file():
            place = goal if goal.suffix in IMAGES else goal.with_name(goal.name + ".txt")
            self.copied[goal] = place
        else:
            return None
        return address(place, page_path(page)) + (f"#{anchor}" if anchor else "")

    def rewrite_links(self, tokens: list, page: pathlib.Path):
        """In inline tokens: links and images lead to places of the site; a link without one keeps its text only."""
        kept, dropped = [], 0
        for token in tokens:
            if token.type == "link_open":
                place = self.link(token.attrGet("href"), page)
                if place is None:
                    dropped += 1
                    continue
                token.attrSet("href", place)
            elif token.type == "link_close" and dropped:
                dropped -= 1
                continue
            elif token.type == "image":
                token.attrSet("src", self.link(token.attrGet("src"), page) or "")
                token.attrSet("loading", "lazy")
            kept.append(token)
        return kept

    def render(self, page: pathlib.Path) -> tuple:
        """Title and HTML of a page."""
        tokens = self.parser.parse((ROOT / page).read_text())
        title, earlier, section = None, [], None
        for index, token in enumerate(tokens):
            if token.type == "inline":
                text = plain_text(token)
                opening = tokens[index - 1]
                if opening.type == "heading_open":
                    name = fragment(token.content, earlier)
                    earlier.append(name)
                    opening.attrSet("id", name)
                    title = title or text
                    place = str(page_path(page)) + (f"#{name}" if len(earlier) > 1 else "")
                    section = {"title": title, "heading": text, "address": place, "text": ""}
                    self.sections.append(section)
                elif section:
                    section["text"] += text + " "
                token.children = self.rewrite_links(token.children, page)
                if opening.type == "heading_open":
                    token.children += self.parser.parseInline(
                        f'<a class="here" href="#{name}" aria-label="Link to this section">#</a>')[0].children
            elif token.type in ("fence", "code_block") and section:
                section["text"] += token.content + " "
        body = self.parser.renderer.render(tokens, self.parser.options, {})
        return title or page.stem, body.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")


def plain_text(token) -> str:
    """The text of an inline token, without marks."""
    parts = {"text": lambda t: t.content, "code_inline": lambda t: t.content, "softbreak": lambda t: " ",
             "image": lambda t: t.content}
    return "".join(parts[child.type](child) for child in token.children if child.type in parts)


def filled(template: str, values: dict) -> str:
    """The template with each @NAME@ replaced; values are HTML but for TITLE and VERSION."""
    escaped = {"TITLE", "VERSION"}
    return re.sub(r"@([A-Z]+)@", lambda m: html.escape(values[m[1]]) if m[1] in escaped else values[m[1]], template)
