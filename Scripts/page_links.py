"""The fragments of headings and the code in pages, for the scripts that check links or make a site of the pages."""
import re

FENCE = re.compile(r"^(```|~~~).*?^\1", re.S | re.M)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.M)


def blank(text: str, pattern: re.Pattern) -> str:
    """The text with spaces in place of what the pattern finds, so that positions stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def fragment(heading: str, earlier: list) -> str:
    """The fragment that GitHub makes of a heading, in Markdown, after EARLIER ones of its page."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
    unique, number = slug, 0
    while unique in earlier:
        number += 1
        unique = f"{slug}-{number}"
    return unique


def fragments(text: str) -> list:
    """The fragments of the headings of a page, in their order."""
    found = []
    for heading in HEADING.findall(blank(text, FENCE)):
        found.append(fragment(heading, found))
    return found
