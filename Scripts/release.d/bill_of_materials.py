"""A bill of materials in SPDX 2.3 (JSON): what a release is made of, at which version, under which license.

Format: https://spdx.github.io/spdx-spec/v2.3/. Equal releases give equal bytes.
"""
import hashlib
import json
import pathlib
import re

from components import Component
from release_facts import ReleaseFacts

RELATIONS = {"static": "STATIC_LINK", "beside": "DYNAMIC_LINK", "dynamic": "DYNAMIC_LINK"}
# Where documents of this project have their names; nothing is asked there.
NAMESPACE = "https://spdx.org/spdxdocs/plumbline"


def identifier(*words: str) -> str:
    return "SPDXRef-" + "-".join(re.sub(r"[^A-Za-z0-9.-]", "-", word) for word in words)


def package(component: Component) -> dict:
    return {
        "SPDXID": identifier("Package", component.name),
        "name": component.name,
        "versionInfo": component.version,
        "homepage": component.home,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": component.license,
        "copyrightText": "NOASSERTION",
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": component.reference}],
    }


def file_entry(root: pathlib.Path, path: pathlib.Path, license: str) -> dict:
    content = path.read_bytes()
    return {
        "SPDXID": identifier("File", str(path.relative_to(root))),
        "fileName": f"./{path.relative_to(root)}",
        "fileTypes": ["BINARY"],
        "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                      {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}],
        "licenseConcluded": "NOASSERTION",
        "licenseInfoInFiles": [license],
        "copyrightText": "NOASSERTION",
    }


def bill(facts: ReleaseFacts, name: str, found: list, root: pathlib.Path, binaries: dict) -> str:
    """The document.

    - name: of the archive or package, which its namespace has.
    - root: the folder that is released; binaries: its programs and libraries, each with the name of the
      component that it was made from, "plumbline" for the own one.
    """
    licenses = {"plumbline": "Apache-2.0"} | {c.name: c.license for c in found}
    own = identifier("Package", "plumbline")
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own)]
    relations += [(own, RELATIONS[c.linked], identifier("Package", c.name)) for c in found]
    files = []
    for path, component in sorted(binaries.items()):
        files.append(file_entry(root, path, licenses[component]))
        relations.append((files[-1]["SPDXID"], "GENERATED_FROM", identifier("Package", component)))
    plumbline = Component(
        "plumbline", facts.version, "Apache-2.0", "NOASSERTION", "static",
        f"pkg:generic/plumbline@{facts.version}?vcs_revision={facts.commit}", ())
    described = package(plumbline)
    del described["homepage"]
    return json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"{NAMESPACE}/{name}-{facts.commit}",
        "creationInfo": {"created": f"{facts.date:%Y-%m-%dT%H:%M:%SZ}", "creators": ["Tool: plumbline-release"]},
        "packages": [described, *map(package, found)],
        "files": files,
        "relationships": [
            {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations],
    }, indent=2) + "\n"
