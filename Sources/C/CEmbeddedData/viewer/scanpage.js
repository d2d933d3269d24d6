import { Catalog } from './catalog.js';
import { byID, plainText } from './element.js';
import { HeadMarks } from './headmarks.js';
import { Pilot } from './pilot.js';
import { ScanMesh } from './scanmesh.js';
import { ScanRuler } from './scanruler.js';
import { ScanStatus } from './scanstatus.js';
import { ScanView } from './scanview.js';
import { Session } from './session.js';
import { Theme } from './theme.js';

// Follows a scan while it runs, shows the finished one, and offers what it shows to tests as `window.plumblineScan`.
class ScanPage {
  static pollMilliseconds = 400;
  static retryMilliseconds = 2000;

  constructor() {
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
    this.choosePaints();
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

  attach() {
    const { view } = this;
    this.pilot = new Pilot(view, {
      pick: (point, reach, isByKey) => this.pick(point, isByKey),
      undoPick: () => {
        this.ruler.undo();
        this.changed();
      },
    });
    this.pilot.attach();
    byID('fit').addEventListener('click', () => this.pilot.fit());
    byID('reset').addEventListener('click', () => this.pilot.reset());
    byID('readout-clear').addEventListener('click', () => this.clear());
    byID('help-open').addEventListener('click', () => byID('help').showModal());
    byID('help').addEventListener('click', (event) => {
      if (event.target === byID('help')) byID('help').close();
    });
    for (const name of ['focus', 'blur']) view.canvas.addEventListener(name, () => this.marks.draw());
    document.addEventListener('keydown', (event) => this.key(event));
  }

  get paintInputs() {
    return [...document.querySelectorAll('input[name=paint]')];
  }

  choosePaints() {
    for (const input of this.paintInputs) {
      input.addEventListener('change', () => {
        this.isPaintChosen = true;
        this.paint(input.value);
      });
    }
    this.paint('plain');
  }

  // Of what there is nothing of, no choice is offered.
  choosePaint(mesh) {
    const isThere = { color: Boolean(mesh.colors), sigma: Boolean(mesh.sigmas), plain: true };
    for (const input of this.paintInputs) input.disabled = !isThere[input.value];
    if (!this.isPaintChosen || !isThere[this.view.paint]) this.paint(mesh.colors ? 'color' : 'plain');
    else this.paint(this.view.paint);
  }

  paint(paint) {
    this.view.paint = paint;
    for (const input of this.paintInputs) input.checked = input.value === paint;
    ScanStatus.showLegend(this.view);
    this.view.request();
  }

  nextPaint() {
    const choices = this.paintInputs.filter(({ disabled }) => !disabled).map(({ value }) => value);
    this.isPaintChosen = true;
    this.paint(choices[(choices.indexOf(this.view.paint) + 1) % choices.length]);
  }

  pick(point, isByKey) {
    if (this.ruler.pick(point)) byID('announcement').textContent = this.ruler.announcement;
    else if (isByKey) byID('announcement').textContent = 'The surface does not lie at the center of the view.';
    this.changed();
  }

  clear() {
    this.ruler.clear();
    byID('announcement').textContent = this.ruler.announcement;
    this.changed();
  }

  changed() {
    this.ruler.show();
    this.view.request();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byID('help').open) return;
    const actions = {
      f: () => this.pilot.fit(), r: () => this.pilot.reset(), c: () => this.nextPaint(),
      escape: () => this.clear(), '?': () => byID('help').showModal(),
    };
    const name = event.key.toLowerCase();
    if (/^[1-6]$/.test(name)) this.pilot.view(Number(name) - 1);
    else if (Object.hasOwn(actions, name)) actions[name]();
    else return;
    event.preventDefault();
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
