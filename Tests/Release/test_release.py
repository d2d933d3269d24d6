"""The parts of Scripts/release that need no build, each against a reader that is not of this project.

What a build makes is tried by Scripts/check-release, in fresh systems.
"""
import dataclasses
import gzip
import io
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Scripts/release.d"), str(ROOT / "Scripts/docs-site.d")]
try:
    import check_jsonschema  # noqa: F401
    import markdown_it  # noqa: F401
    from spdx_tools.spdx.parser.parse_anything import parse_file
    from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
except ImportError as missing:
    print(f"no Python package {missing.name}")
    sys.exit(77)
from bill_of_materials import bill  # noqa: E402
from built_links import complaints  # noqa: E402
from components import C_LIBRARIES, SWIFT_LICENSES, Component  # noqa: E402
from release_facts import ReleaseFacts  # noqa: E402

FACTS = ReleaseFacts("1.2.3", "0123456789abcdef" * 2 + "01234567", 1_700_000_000, True, False, "x86_64")


class Folder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)


class PackTests(Folder):
    """Scripts/release.d/pack."""

    def pack(self, folder, epoch="1700000000"):
        """The exit status and the bytes of the archive of a folder."""
        archive = self.folder / "archive.tar.gz"
        archive.unlink(missing_ok=True)
        environment = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
        if epoch is not None:
            environment["SOURCE_DATE_EPOCH"] = epoch
        run = subprocess.run([ROOT / "Scripts/release.d/pack", folder, archive], env=environment, capture_output=True)
        return run.returncode, archive.read_bytes() if run.returncode == 0 else None

    def fill(self, name, order, content=b"text", mode=0o755):
        """A folder `name/tree` of three files and a link, made in the given order."""
        tree = self.folder / name / "tree"
        steps = [
            lambda: (tree / "bin/program").write_bytes(content),
            lambda: (tree / "bin/program.txt").write_bytes(b"b"),
            lambda: (tree / "a file").write_bytes(b"a"),
            lambda: (tree / "link").symlink_to("bin/program")]
        (tree / "bin").mkdir(parents=True)
        for index in order:
            steps[index]()
        (tree / "bin/program").chmod(mode)
        return tree

    def test_bytes_depend_on_names_contents_and_who_may_run_them_alone(self):
        draws = random.Random(22)
        first = self.pack(self.fill("first", [0, 1, 2, 3]))
        self.assertEqual(first[0], 0)
        for case in range(8):
            order = draws.sample(range(4), 4)
            tree = self.fill(f"case{case}", order, mode=draws.choice([0o755, 0o700, 0o777]))
            for path in tree.rglob("*"):
                moment = draws.randrange(1, 2_000_000_000)
                os.utime(path, (moment, moment), follow_symlinks=False)
            self.assertEqual(self.pack(tree), first)
        self.assertNotEqual(self.pack(self.fill("other", range(4), content=b"tekst")), first)
        self.assertNotEqual(self.pack(self.fill("unrunnable", range(4), mode=0o644)), first)
        self.assertNotEqual(self.pack(self.folder / "first/tree", epoch="1700000001"), first)

    def test_entries_as_tarfile_reads_them(self):
        _, packed = self.pack(self.fill("one", range(4)))
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(packed))) as tar:
            entries = {entry.name: entry for entry in tar.getmembers()}
            self.assertEqual(tar.extractfile("tree/bin/program").read(), b"text")
        self.assertEqual(list(entries), ["tree", *sorted(set(entries) - {"tree"})])
        self.assertEqual({(e.uid, e.gid, e.uname, e.gname, e.mtime) for e in entries.values()}, {(0, 0, "", "", 1_700_000_000)})
        self.assertEqual(entries["tree/bin/program"].mode, 0o755)
        self.assertEqual(entries["tree/a file"].mode, 0o644)
        self.assertEqual(entries["tree/link"].linkname, "bin/program")

    def test_refuses_links_that_lead_out_and_a_missing_date(self):
        tree = self.fill("one", range(4))
        self.assertEqual(self.pack(tree, epoch=None)[0], 64)
        self.assertEqual(self.pack(self.folder / "absent")[0], 66)
        for goal in ("/etc/hosts", "../../outside"):
            (tree / "way out").symlink_to(goal)
            self.assertEqual(self.pack(tree)[0], 65, goal)
            (tree / "way out").unlink()


class FactsTests(unittest.TestCase):
    """Versions in names of files."""

    @unittest.skipUnless(shutil.which("dpkg"), "no dpkg, which says what is newer")
    def test_debian_versions_sort_as_commits_do(self):
        untagged = dataclasses.replace(FACTS, is_tagged=False)
        later = dataclasses.replace(untagged, epoch=FACTS.epoch + 1, commit="0" * 40)
        next_version = dataclasses.replace(untagged, version="1.10.0")
        versions = [facts.debian_version for facts in (untagged, later, FACTS, next_version)]
        for older, newer in zip(versions, versions[1:]):
            subprocess.run(["dpkg", "--compare-versions", older, "lt", newer], check=True)

    def test_only_the_tagged_commit_has_the_bare_version(self):
        self.assertEqual(FACTS.label, "1.2.3")
        self.assertEqual(dataclasses.replace(FACTS, is_tagged=False).label, "1.2.3-01234567")
        self.assertEqual(dataclasses.replace(FACTS, is_changed=True).label, "1.2.3-changed")


class BillTests(Folder):
    """The bill of materials, as spdx-tools reads it."""

    def test_is_valid_and_says_what_is_linked_how(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin/plumbline").write_bytes(b"program")
        found = [Component(name, "1.0+a~b", license, "https://example.org", linked, f"pkg:generic/{name}@1.0", ())
                 for (name, license), linked in zip(
                     [*SWIFT_LICENSES.items(), *((name, license) for name, license, _ in C_LIBRARIES)],
                     ["static", "beside", "dynamic"] * 4)]
        text = bill(FACTS, "plumbline-1.2.3.tar.gz", found, self.folder, {self.folder / "bin/plumbline": "plumbline"})
        self.assertEqual(text, bill(FACTS, "plumbline-1.2.3.tar.gz", found, self.folder,
                                    {self.folder / "bin/plumbline": "plumbline"}))
        (self.folder / "bill.spdx.json").write_text(text)
        document = parse_file(str(self.folder / "bill.spdx.json"))
        self.assertEqual(validate_full_spdx_document(document), [])
        self.assertEqual({p.name for p in document.packages}, {"plumbline"} | {c.name for c in found})
        kinds = {r.related_spdx_element_id: r.relationship_type.name for r in document.relationships
                 if r.spdx_element_id == "SPDXRef-Package-plumbline"}
        for component in found:
            expected = "STATIC_LINK" if component.linked == "static" else "DYNAMIC_LINK"
            self.assertEqual(kinds[f"SPDXRef-Package-{component.name}"], expected)


class SiteTests(Folder):
    """Scripts/docs-site without a build."""

    def test_every_page_and_link_is_there(self):
        run = subprocess.run([sys.executable, ROOT / "Scripts/docs-site", self.folder], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("every link resolves", run.stdout)
        site = next(path for path in self.folder.iterdir() if path.is_dir())
        for page in ("index.html", "Documentation/cli.html", "Documentation/formats/index.html", "search-index.js"):
            self.assertTrue((site / page).is_file(), page)
        self.assertIn("<table>", (site / "Documentation/tasks.html").read_text())
        self.assertIn(site.name, (self.folder / "index.html").read_text())

    def test_a_broken_link_is_found(self):
        pages = {"a.html": '<a href="b.html#there">', "b.html": '<h1 id="there">', "c.html": '<a href="gone.html">',
                 "d.html": '<a href="b.html#gone"><img src="gone.png"><a href="https://example.org">'}
        for name, text in pages.items():
            (self.folder / name).write_text(text)
        found = complaints(self.folder, [pathlib.Path(name) for name in pages])
        self.assertEqual(found, ["c.html: gone.html is not there", "d.html: b.html#gone has no such heading",
                                 "d.html: gone.png is not there"])


class WorkflowTests(unittest.TestCase):
    """What GitHub would read: its schema only, since nothing has run there."""

    def test_workflows_fit_the_schema(self):
        workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
        self.assertTrue(workflows)
        run = subprocess.run(
            [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows],
            capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


class DemoTests(Folder):
    """Scripts/demo with a program that is there already."""

    def demo(self, program):
        return subprocess.run([ROOT / "Scripts/demo", self.folder / "out"], capture_output=True, text=True,
                              env=os.environ | {"PLUMBLINE_PROGRAM": str(program)})

    def test_uses_the_program_and_refuses_wrong_verdicts(self):
        self.assertEqual(self.demo(self.folder / "absent").returncode, 66)
        program = self.folder / "program"
        # What the demo relies on: the status, and a report in the folder that -o names.
        program.write_text('#!/bin/sh\nmkdir -p "$4"; echo report > "$4/report.html"\n'
                           'case $2 in *healthy*) exit 0 ;; esac\nexit "$(cat "$(dirname "$0")/status")"\n')
        program.chmod(0o755)
        for status, expected in ((1, 0), (0, 1), (70, 1)):
            (self.folder / "status").write_text(str(status))
            run = self.demo(program)
            self.assertEqual(run.returncode, expected, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
