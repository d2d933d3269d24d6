"""Reads a GLB with three.js in Chromium, and prints what it finds as JSON.

    three_glb.py FILE.glb

Needs Playwright, and three.js as the wheel of nicegui has it (`pip install --no-deps nicegui`); the browser is
CHROMIUM or /usr/bin/chromium. Ends with 75 and says what is missing where something is.
"""

import importlib.util
import json
import os
import sys
from pathlib import Path

PAGE = """<!doctype html><script type="module">
import { THREE, GLTFLoader } from './three.js';
window.found = new Promise((resolve, reject) => new GLTFLoader().load('./head.glb', (gltf) => {
  const meshes = [];
  gltf.scene.traverse((node) => { if (node.isMesh) meshes.push(node); });
  const mesh = meshes[0];
  const box = new THREE.Box3().setFromObject(mesh);
  const size = box.getSize(new THREE.Vector3());
  const moves = mesh.geometry.morphAttributes.position.map((target) => {
    let most = 0;
    for (let index = 0; index < target.array.length; index++) most = Math.max(most, Math.abs(target.array[index]));
    return most;
  });
  resolve({
    meshes: meshes.length, vertices: mesh.geometry.attributes.position.count,
    triangles: mesh.geometry.index.count / 3, names: Object.keys(mesh.morphTargetDictionary),
    weights: mesh.morphTargetInfluences.length, leastMove: Math.min(...moves),
    normalTargets: mesh.geometry.morphAttributes.normal.length,
    textureWidth: mesh.material.map?.image?.width ?? 0,
    invented: Array.from(mesh.geometry.attributes._invented?.array ?? []).filter((mark) => mark > 0).length,
    height: size.y,
  });
}, undefined, reject));
</script>"""


def missing(what):
    print(what)
    return 75


def main():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return missing("no Playwright for Python: pip install playwright")
    found = importlib.util.find_spec("nicegui")
    if found is None:
        return missing("no three.js: pip install --no-deps nicegui")
    three = Path(found.origin).parent / "elements/scene/dist/index.js"
    if not three.exists():
        return missing(f"no three.js at {three}")
    browser = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    if not os.access(browser, os.X_OK):
        return missing(f"no browser at {browser}: set CHROMIUM")
    files = {
        "/": ("text/html", PAGE.encode()), "/three.js": ("text/javascript", three.read_bytes()),
        "/head.glb": ("model/gltf-binary", Path(sys.argv[1]).read_bytes()),
    }

    def answer(route):
        path = "/" + route.request.url.split("/", 3)[3]
        kind, body = files.get(path, ("text/plain", b""))
        route.fulfill(status=200 if path in files else 404, content_type=kind, body=body)

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page()
        page.route("**/*", answer)
        page.goto("http://head.test/")
        page.wait_for_function("window.found !== undefined")
        print(json.dumps(page.evaluate("window.found")))
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
