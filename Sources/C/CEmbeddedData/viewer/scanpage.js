import { Catalog } from './catalog.js';
import { byID, plainText } from './element.js';
import { HeadMarks } from './headmarks.js';
import { ScanMesh } from './scanmesh.js';
import { ScanRuler } from './scanruler.js';
import { ScanStatus } from './scanstatus.js';
import { ScanView } from './scanview.js';
import { Session } from './session.js';
import { SurfacePage } from './surfacepage.js';
import { Theme } from './theme.js';

// Follows a scan while it runs, shows the finished one, and offers what it shows to tests as `window.plumblineScan`.
class ScanPage extends SurfacePage {
  noun = 'surface';
  static pollMilliseconds = 400;
  static retryMilliseconds = 2000;

  constructor() {
    super();
    Object.assign(this, { state: null, path: [], generation: null, surfaceNumber: 0, shownCount: 0, isPaintChosen: false });
  }

  async start() {
    Theme.attach(() => this.view?.request());
    this.view = new ScanView(byID('scan'));
    this.view.onFailure = () => this.explain();
    this.ruler = new ScanRuler(this.view);
    this.marks = new HeadMarks(byID('scan-marks'), this.view, this.ruler);
    this.view.afterDraw = () => this.marks.draw();
    if (!this.view.isAvailable) this.explain();
    this.attach();
    this.paint('plain');
    this.ruler.show();
    await Session.open();
    await this.follow();
  }

  // Asks until the scan is finished and its surface is here.
  async follow() {
    for (;;) {
      let wait = ScanPage.pollMilliseconds;
      try {
        await this.update();
        this.complain('');
      } catch (error) {
        this.complain(error instanceof TypeError ? 'The program has ended or cannot be reached.' : error.message);
        wait = ScanPage.retryMilliseconds;
      }
      if (this.isComplete) return;
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  get isComplete() {
    const { state } = this;
    return state?.stage === 'finished' && this.path.length === 3 * state.path.count
      && (!state.surface || state.surface.isTooLarge || state.surface.number === this.surfaceNumber);
  }

  async update() {
    const state = await Catalog.json(`/api/scan/${this.path.length / 3}`);
    if (state.path.generation !== this.generation) {
      this.generation = state.path.generation;
      this.path = [];
    }
    if (3 * state.path.from === this.path.length) this.path.push(...state.path.points);
    this.state = state;
    document.title = `${plainText(state.title)} · Plumbline`;
    byID('title').textContent = plainText(state.title);
    await this.takeSurface(state);
    this.view.setPath(this.path, state.stage === 'finished' ? null : state.path.camera);
    ScanStatus.show(state, this.pathMeters);
  }

  async takeSurface({ surface, scaleSigma }) {
    if (surface && !surface.isTooLarge && surface.number !== this.surfaceNumber) {
      let bytes;
      try {
        bytes = await Catalog.bytes(`/api/scan/surface/${surface.number}`);
      } catch (error) {
        // A newer one has come meanwhile; the next answer names it.
        if (error instanceof TypeError) throw error;
        return;
      }
      const mesh = new ScanMesh(bytes);
      this.surfaceNumber = surface.number;
      this.shownCount++;
      // Points lie on triangles of the surface before.
      this.ruler.clear();
      this.view.setMesh(mesh);
      this.choosePaint(mesh);
    }
    if (this.view.mesh) this.view.mesh.scaleShare = scaleSigma ?? null;
    this.ruler.show();
  }

  get pathMeters() {
    let sum = 0;
    for (let at = 3; at < this.path.length; at += 3) {
      sum += Math.hypot(...[0, 1, 2].map((axis) => this.path[at + axis] - this.path[at - 3 + axis]));
    }
    return sum;
  }

  complain(text) {
    byID('trouble').hidden = !text;
    byID('trouble').textContent = plainText(text);
  }

  explain() {
    byID('scan-missing').hidden = false;
  }

  choose(paint) {
    this.isPaintChosen = true;
    super.choose(paint);
  }

  // Of what there is nothing of, no choice is offered.
  choosePaint(mesh) {
    const isThere = { color: Boolean(mesh.colors), sigma: Boolean(mesh.sigmas), plain: true };
    for (const input of this.paintInputs) input.disabled = !isThere[input.value];
    if (!this.isPaintChosen || !isThere[this.view.paint]) this.paint(mesh.colors ? 'color' : 'plain');
    else this.paint(this.view.paint);
  }

  showLegend() {
    ScanStatus.showLegend(this.view);
  }
}

{
  const page = new ScanPage();
  const ready = page.start();
  window.plumblineScan = {
    ready,
    get state() { return page.state; },
    get isComplete() { return page.isComplete; },
    get path() { return [...page.path]; },
    get shownCount() { return page.shownCount; },
    get triangleCount() { return (page.view.mesh?.triangles.length ?? 0) / 3; },
    get bounds() { return page.view.mesh?.bounds ?? null; },
    get paint() { return page.view.paint; },
    get sigmaScale() { return page.view.sigmaScale; },
    get measured() { return page.ruler.measured; },
    get points() { return page.ruler.points; },
    // Where a point of the surface's axes is seen, in CSS pixels of the canvas.
    canvasPoint: (point) => page.view.canvasPoint(point),
  };
}
