"""A gallery whose files have hostile names: they are shown as text, and nothing in them acts."""
import os
import shutil

from report_page import expect
from served import Served
from served_views import PHOTOS
from viewer_page import DESKTOP, PHONE, ViewerPage

# As far as a file's name can hold them: no slash, no NUL, 255 bytes.
NAMES = [
    b"<img src=x onerror=globalThis.hit=1>.jpg",
    b"\"><svg onload=globalThis.hit=1>.jpg",
    b"&lt;b&gt;&amp;#60;.jpg",
    b"`${globalThis.hit=1}`.jpg",
    b"\x1b]0;title\x07\x1b[31mred.jpg",
    b"line\nbreak\r\ttab.jpg",
    "photo\u202egpj.exe.jpg".encode(),
    "\u2066isolated\u2069\u200f\u200b.jpg".encode(),
    b"#item=0&frame=0?a=b%2F..%2f.jpg",
    b"javascript:globalThis.hit=1.jpg",
    "\u0041\u030a\u00e5 \u6f22\u5b57 \u05e9\u05dc\u05d5\u05dd \U0001f600.jpg".encode(),
    b"n" * 251 + b".jpg",
    ("\u202e" * 83 + "a.jpg").encode(),
]
# What must reach no page as it is: it steers a terminal or the direction of text.
STEERING = "/[\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f]/"


def check_hostile_names(checks, browser, temporary):
    folder = os.fsencode(temporary / "names")
    os.mkdir(folder)
    photo = PHOTOS / "healthy-truedepth.jpg"
    for name in NAMES:
        shutil.copyfile(photo, os.path.join(folder, name))
    # What no one can read lies beside them.
    shutil.copyfile(photo, os.path.join(folder, b"caf\xe9.jpg"))
    os.mkfifo(os.path.join(folder, b"pipe.jpg"))
    os.symlink("nowhere", os.path.join(folder, b"gone.jpg"))
    with Served("view", os.fsdecode(folder)) as served:
        for size, viewport in (("desktop", DESKTOP), ("phone", PHONE)):
            viewer = ViewerPage(browser, served.url, viewport)
            page = viewer.page

            def shown():
                viewer.until(f"document.querySelectorAll('.item').length === {len(NAMES)}", "the photos")
                texts = page.locator("#gallery-list .item-name").all_inner_texts()
                expect(sum("<img src=x onerror=" in text for text in texts) == 1, f"{texts}")
                expect(any("photo\\u{202e}gpj.exe.jpg" in text for text in texts), f"{texts}")
                expect(any("\\u{1b}]0;title\\u{7}" in text for text in texts), f"{texts}")
                expect(any("\u05e9\u05dc\u05d5\u05dd \U0001f600" in text for text in texts), f"{texts}")
                harmless()
                viewer.expect_width()

            def harmless():
                expect(page.evaluate("globalThis.hit === undefined"), "a name was run")
                made = page.evaluate(
                    "[...document.querySelectorAll('img, svg, b')].filter((node) => node.getAttribute('src') === 'x'"
                    " || node.hasAttribute('onload') || node.localName === 'b' && node.textContent === '').length")
                expect(made == 0, f"{made} elements were made by names")
                steered = page.evaluate(
                    "() => { const texts = [document.title]; for (const node of document.querySelectorAll('*')) {"
                    " for (const child of node.childNodes) if (child.nodeType === 3 && child.data.trim()) "
                    "texts.push(child.data.trim()); for (const { value } of node.attributes) texts.push(value); }"
                    f" return texts.filter((text) => {STEERING}.test(text.replace(/[\\n\\t]/g, ' '))).slice(0, 3); }}")
                expect(not steered, f"raw in the page: {steered}")

            def each():
                """Each is found by its number, whatever it is called."""
                for index in range(len(NAMES)):
                    opened = ViewerPage(browser, f"{served.url}#item={index}", viewport)
                    opened.until("plumblineViewer.hasFrame", f"photo {index}")
                    name = opened.page.evaluate(
                        "(index) => fetch('/api/view').then((response) => response.json())"
                        ".then((view) => view.items[index].name)", index)
                    expect(opened.text("title") == name, f"{opened.text('title')!r}, not {name!r}")
                    expect(opened.page.evaluate("globalThis.hit === undefined"), f"{name} was run")
                    opened.expect_width()
                    opened.expect_quiet()
                    opened.close()

            checks.run(f"hostile names, {size}: shown as text, harmless, where they belong", shown)
            if size == "phone":
                checks.run("hostile names: each photo opens by its number", each)
            checks.run(f"hostile names, {size}: quiet", viewer.expect_quiet)
            viewer.close()

        def reported():
            text = "\n".join(served.lines)
            expect("3 of the folder's entries cannot be read" in text and "caf\\xE9.jpg" in text, text)
            expect("pipe.jpg" in text and "gone.jpg" in text and "\x1b" not in text, text)

        checks.run("hostile names: what cannot be read is reported", reported)
        checks.run("hostile names: Control-C ends it well", lambda: expect(served.end() == 0, "exit code"))
