import { bytesOf } from './base64.js';
import { byID, plainText } from './element.js';
import { Expressions } from './expressions.js';
import { FaceTables } from './facetables.js';
import { Findings } from './findings.js';
import { HeadLegend } from './headlegend.js';
import { HeadMarks } from './headmarks.js';
import { HeadMesh } from './headmesh.js';
import { HeadRuler } from './headruler.js';
import { HeadView } from './headview.js';
import { SurfacePage } from './surfacepage.js';
import { Theme } from './theme.js';

// Reads what the page carries, shows it, and offers it to tests as `window.plumblineFace`.
class FacePage extends SurfacePage {
  noun = 'head';

  constructor() {
    super();
    this.report = FacePage.parsed(byID('plumbline-document').textContent);
    this.view = null;
  }

  static parsed(text) {
    try {
      const value = JSON.parse(text);
      return value && typeof value === 'object' ? value : {};
    } catch {
      return { headline: 'The document of this page cannot be read.' };
    }
  }

  async start() {
    Theme.attach(() => this.view?.request());
    this.mesh = this.readMesh();
    new FaceTables(this.report, this.mesh?.area ?? { whole: NaN, measured: NaN }).show();
    new Findings(this.report.findings).show();
    for (const name of ['landmarks', 'residual']) FacePage.showImage(name);
    byID('images').hidden = byID('figure-landmarks').hidden && byID('figure-residual').hidden;
    byID('stage').hidden = !this.mesh;
    if (this.mesh) await this.startStage();
  }

  readMesh() {
    try {
      return HeadMesh.fromPage();
    } catch (error) {
      byID('scene-missing').hidden = false;
      byID('scene-missing').textContent = plainText(`The head cannot be shown: ${error.message}`);
      return null;
    }
  }

  static blob(id) {
    const text = byID(id).textContent.trim();
    return text ? new Blob([bytesOf(text)], { type: 'image/jpeg' }) : null;
  }

  static showImage(name) {
    const blob = FacePage.blob(`plumbline-${name}`);
    byID(`figure-${name}`).hidden = !blob;
    if (blob) byID(`image-${name}`).src = URL.createObjectURL(blob);
  }

  async startStage() {
    const { mesh, report } = this;
    this.view = new HeadView(byID('head'), mesh);
    this.view.onFailure = () => this.explain();
    this.ruler = new HeadRuler(this.view, report.scale === 'measured');
    this.marks = new HeadMarks(byID('head-marks'), this.view, this.ruler);
    this.view.afterDraw = () => this.marks.draw();
    const missing = Array.isArray(report.missingShapes) ? report.missingShapes : [];
    this.expressions = new Expressions(mesh, missing, () => {
      this.view.meshMoved();
      this.ruler.show();
    });
    byID('expressions-panel').hidden = !mesh.targets.length;
    this.ruler.show();
    if (!this.view.isAvailable) {
      this.explain();
      return;
    }
    this.attach();
    this.choosePaints();
    this.chooseShown();
    const blob = FacePage.blob('plumbline-texture');
    const photo = blob && mesh.coordinates ? await createImageBitmap(blob).catch(() => null) : null;
    if (photo) this.view.setPhoto(photo);
    this.setAvailable('photo', Boolean(photo));
    this.paint(photo ? 'photo' : mesh.residuals ? 'measured' : 'plain');
  }

  explain() {
    byID('head-missing').hidden = false;
    byID('head-controls').hidden = byID('head-readout').hidden = byID('expressions-panel').hidden = true;
    byID('paint-words').textContent = '';
  }

  // Of what there is nothing of, no choice is offered.
  choosePaints() {
    const { mesh } = this;
    this.setAvailable('residual', Boolean(mesh.residuals));
    this.setAvailable('sigma', Boolean(mesh.sigmas));
    this.setAvailable('measured', Boolean(mesh.residuals));
  }

  // The completed head, or the face that a photo shows.
  chooseShown() {
    byID('shown').hidden = !this.mesh.hasParts;
    for (const input of document.querySelectorAll('input[name=shown]')) {
      input.addEventListener('change', () => {
        this.view.showParts(input.value === 'head');
        this.clear();
        this.showLegend();
      });
    }
  }

  setAvailable(paint, isAvailable) {
    this.paintInputs.find(({ value }) => value === paint).disabled = !isAvailable;
  }

  showLegend() {
    HeadLegend.show(this.view);
  }
}

{
  const page = new FacePage();
  const ready = page.start();
  window.plumblineFace = {
    ready,
    get hasHead() { return Boolean(page.view?.isAvailable); },
    get isMoving() { return Boolean(page.pilot?.isFlying); },
    get camera() { return page.view.orbit.state; },
    get paint() { return page.view.paint; },
    get weights() { return [...page.mesh.weights]; },
    get showsParts() { return page.mesh.showsParts; },
    get shownTriangles() { return page.mesh.triangles.length / 3; },
    get area() { return page.mesh.area; },
    get points() { return page.ruler.points; },
    get measured() { return page.ruler.measured; },
    get scales() { return { residual: page.view.residualScale, sigma: page.view.sigmaScale }; },
    // Where a vertex lies, meters in the camera frame, and where it is seen, in CSS pixels of the head.
    vertex: (index) => [...page.mesh.positions.slice(3 * index, 3 * index + 3)],
    canvasPoint: (index) => page.view.canvasPoint(page.mesh.positions.slice(3 * index, 3 * index + 3)),
    // The distance of two vertices with its standard uncertainty.
    distance: (a, b) => {
      const corner = (vertex) => {
        const found = page.mesh.triangles.findIndex((index) => page.mesh.sources[index] === vertex);
        const first = found - found % 3;
        return page.mesh.point({ corner: first, shares: [0, 1, 2].map((next) => Number(first + next === found)) });
      };
      return page.mesh.distance(corner(a), corner(b));
    },
  };
}
