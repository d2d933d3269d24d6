import { Cameras } from './cameras.js';
import { ClipBox } from './clipbox.js';
import { ClipHandles } from './cliphandles.js';
import { Cloud } from './cloud.js';
import { element } from './element.js';
import { Pilot } from './pilot.js';
import { Ruler } from './ruler.js';
import { Snapshot } from './snapshot.js';
import { SpaceLegend } from './spacelegend.js';
import { SpaceMarks } from './spacemarks.js';
import { SpaceTools } from './spacetools.js';

// The 3D view of the viewer: the cloud with everything that is done in it.
//
// `container` holds `canvas#cloud`, `canvas#cloud-marks` and `div#space-tools`. Of `viewer` it uses, where they
// are there: `showFrame(index)` when a camera is chosen, `caption` (the name for images), and
// `stateChanged()` after each change of `state`.
export class Space {
  constructor(container, viewer = null) {
    Object.assign(this, { container, viewer, scene: null, photo: null, frame: null });
    const canvas = container.querySelector('#cloud');
    const marks = container.querySelector('#cloud-marks');
    this.arrange(canvas, marks, container.querySelector('#space-tools'));
    this.cloud = new Cloud(canvas);
    this.box = new ClipBox(() => this.boxChanged());
    this.handles = new ClipHandles(this.cloud, this.box);
    this.cameras = new Cameras(this.cloud);
    this.ruler = new Ruler((position) => this.isShown(position));
    this.tools = new SpaceTools(container.querySelector('#space-tools'), this.actions, this.box.panel);
    this.marks = new SpaceMarks(marks, this.cloud, this);
    this.pilot = new Pilot(this.cloud, {
      pick: (point, reach, isByKey) => this.pick(point, reach, isByKey),
      undoPick: () => this.restoreRuler(),
      grip: (point, reach) => this.handles.grip(point, reach),
    });
    if (this.cloud.isAvailable) this.attach(canvas);
    else this.explain();
  }

  get isAvailable() {
    return this.cloud.isAvailable;
  }

  arrange(canvas, marks, tools) {
    const name = 'Point cloud. Arrow keys turn it, with Shift they move it; plus and minus zoom, brackets ' +
      'roll; Enter measures at the center.';
    for (const [key, value] of Object.entries({
      tabindex: 0, role: 'application', 'aria-roledescription': 'point cloud', 'aria-label': name,
    })) canvas.setAttribute(key, value);
    marks.setAttribute('aria-hidden', 'true');
    this.legend = new SpaceLegend();
    this.message = element('p', { class: 'space-message', hidden: true });
    this.status = element('p', { class: 'space-unseen', role: 'status', 'aria-live': 'polite' });
    this.note = element('p', { class: 'space-note', hidden: true });
    this.view = element(
      'div', { class: 'space-view' }, canvas, marks, this.legend.node, this.note, this.message);
    this.container.classList.add('space');
    this.container.replaceChildren(
      element('div', { class: 'space-frame' }, this.view, tools), this.status);
  }

  attach(canvas) {
    this.pilot.attach();
    this.cloud.afterDraw = () => this.marks.draw();
    this.cloud.onFailure = () => this.explain('This graphics processor cannot draw the 3D view.');
    this.cloud.onInterruption = (isLost) => {
      this.message.hidden = !isLost;
      this.message.textContent = 'The graphics processor was taken away; the view comes back with it.';
    };
    for (const name of ['focus', 'blur']) canvas.addEventListener(name, () => this.marks.draw());
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('pointermove', (event) => {
      const isOver = !event.buttons && this.handles.at([event.offsetX, event.offsetY], 14);
      canvas.classList.toggle('space-grip', Boolean(isOver));
    });
    for (const name of ['pointerup', 'keyup', 'wheel']) {
      canvas.addEventListener(name, () => this.viewer?.stateChanged?.());
    }
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.cloud.request());
    new MutationObserver(() => this.cloud.request())
      .observe(document.documentElement, { attributeFilter: ['data-theme'] });
  }

  // The image and its measurements go on without.
  explain(reason = 'The 3D view needs WebGL 2, which this browser does not offer.') {
    this.view.classList.add('space-missing');
    this.message.hidden = false;
    this.message.textContent = reason + ' The image and its measurements work without it.';
    for (const part of [this.legend.node, this.note, this.container.querySelector('#space-tools')]) part.hidden = true;
  }

  get actions() {
    const { changed } = this;
    const all = {
      fit: () => this.pilot.fit(),
      reset: () => this.reset(),
      snapshot: () => this.snapshot(),
      mode: (mode) => { this.cloud.mode = mode; },
      shape: (shape) => { this.cloud.shape = shape; },
      size: (size) => { this.cloud.splatSize = size; },
      invented: (isOn) => { this.cloud.marksInvented = isOn; },
      cameras: (isOn) => { this.cameras.isShown = isOn; },
      holds: (isOn) => { this.cameras.holdsWorld = isOn; this.cameras.locate(); },
      tool: (tool) => this.ruler.setTool(tool),
      region: (region) => this.ruler.restoreRegion(region),
      clear: () => this.ruler.clear(),
      newPlane: () => this.ruler.newPlane(),
    };
    return Object.fromEntries(Object.entries(all).map(([name, action]) => [name, (value) => {
      action(value);
      changed.call(this);
    }]));
  }

  // `frame`: a Frame with `header.worldFromCamera`, or null.
  show(scene, photo, frame) {
    const isAnother = !this.scene || this.isOther(scene);
    Object.assign(this, { scene, photo, frame });
    this.ruler.setScene(scene);
    if (!this.cloud.isAvailable) return;
    this.cloud.scene = scene;
    this.cameras.setFrame(frame);
    this.cloud.show(scene);
    this.box.setScene(scene, isAnother);
    this.cloud.box = this.box.box;
    if (photo !== this.cloud.photo) this.cloud.setPhoto(photo);
    if (isAnother) this.home();
    this.changed();
  }

  // Another camera or another size: the view goes home.
  isOther(scene) {
    return scene.width !== this.scene.width || scene.height !== this.scene.height ||
      scene.metric !== this.scene.metric || this.isNewRecording;
  }

  home() {
    this.isNewRecording = false;
    this.cameras.takeAnchor();
    this.cloud.aim();
    const { mode } = this.cloud;
    if (!this.hasMode) this.cloud.mode = this.photo ? 'photo' : 'depth';
    else if (mode === 'confidence' && !this.scene.confidenceMap) this.cloud.mode = 'depth';
    this.hasMode = true;
  }

  setRange(range) {
    if (!this.cloud.isAvailable) return;
    this.cloud.setRange(range);
    this.legend.show(this);
  }

  // What comes next is another file: poses for the cameras, or none.
  setRecording(item) {
    this.isNewRecording = true;
    this.cameras.setRecording(item);
  }

  // More poses of the same recording; the view stays.
  refreshRecording(item) {
    this.cameras.refresh(item);
    this.changed();
  }

  changed() {
    this.cloud.box = this.box.box;
    this.tools.show(this);
    this.legend.show(this);
    this.note.textContent = SpaceLegend.note(this.cloud);
    this.note.hidden = !this.note.textContent;
    this.cloud.request();
    this.viewer?.stateChanged?.();
  }

  boxChanged() {
    this.cloud.box = this.box.box;
    this.cloud.requestMoving();
    this.viewer?.stateChanged?.();
  }

  isShown(position) {
    const { range, anchorFromCamera } = this.cloud;
    if (range?.hidesOutside && (position[2] < range.range[0] || position[2] > range.range[1])) return false;
    return this.box.contains(anchorFromCamera ? this.cameras.inAnchor(position) : position);
  }

  pick(point, reach, isByKey = false) {
    this.rulerBefore = this.ruler.copy;
    const frame = this.cameras.frameAt(point);
    if (frame !== null && this.viewer?.showFrame) {
      this.viewer.showFrame(frame);
      return;
    }
    const pixel = this.cloud.pixelAt(...point, reach);
    if (pixel) {
      this.ruler.pick(...pixel);
      this.say(this.ruler.results.map(({ label, text }) => `${label}: ${text}`).join('. ') || this.ruler.hint);
      this.changed();
    } else if (isByKey) {
      this.say('No point lies at the center of the view.');
    }
  }

  restoreRuler() {
    if (this.rulerBefore) Object.assign(this.ruler, this.rulerBefore);
    this.changed();
  }

  say(text) {
    this.status.textContent = text;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      f: () => this.pilot.fit(), r: () => this.reset(),
      escape: () => { this.ruler.clear(); this.changed(); },
    };
    const name = event.key.toLowerCase();
    if (/^[1-6]$/.test(name)) this.pilot.view(Number(name) - 1);
    else if (Object.hasOwn(actions, name)) actions[name]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  reset() {
    if (!this.scene) return;
    const { state } = this.cloud.orbit;
    this.cameras.takeAnchor();
    this.cloud.aim();
    this.cloud.orbit.state = state;
    this.pilot.reset();
  }

  get marksInvented() {
    return this.cloud.marksInvented && Boolean(this.scene?.inventedMap);
  }

  get title() {
    const caption = this.viewer?.caption;
    return (typeof caption === 'string' && caption) || this.frame?.name || 'Plumbline';
  }

  // The view as it is, drawn anew, with its caption.
  composed() {
    this.cloud.moves = false;
    this.cloud.draw();
    const results = this.ruler.results.map(({ label, text }) => `${label} ${text}`);
    const lines = results.length ? [results.slice(0, 4).join(' · '), ...this.ruler.notes] : [];
    if (this.marksInvented) lines.push('Magenta: filled in, not measured');
    return Snapshot.compose([this.cloud.canvas, this.marks.canvas], {
      title: this.title, legend: SpaceLegend.scale(this), lines,
    });
  }

  async snapshot() {
    const name = Snapshot.fileName(this.title);
    const isSaved = await Snapshot.save(this.composed(), name);
    this.say(isSaved ? `Saved as ${name}.` : 'The image could not be made.');
  }

  // Plain values for a link.
  get state() {
    const { cloud, box, cameras, ruler } = this;
    return {
      orbit: cloud.orbit.state, mode: cloud.mode, shape: cloud.shape, size: cloud.splatSize,
      ruler: ruler.state, box: box.state, cameras: cameras.isShown, holds: cameras.holdsWorld,
      anchor: cameras.anchorIndex,
    };
  }

  // A state of any origin: what does not fit is ignored. After `show`.
  restore(state) {
    const { cloud, cameras } = this;
    if (!state || typeof state !== 'object' || !this.scene || !cloud.isAvailable) return;
    const modes = Cloud.modes.filter((mode) =>
      (mode !== 'photo' || this.photo) && (mode !== 'confidence' || this.scene.confidenceMap));
    if (modes.includes(state.mode)) cloud.mode = state.mode;
    if (Cloud.shapes.includes(state.shape)) cloud.shape = state.shape;
    if (state.size >= 0.5 && state.size <= 6) cloud.splatSize = state.size;
    if (typeof state.cameras === 'boolean') cameras.isShown = state.cameras;
    if (typeof state.holds === 'boolean') cameras.holdsWorld = state.holds;
    cameras.locate();
    cameras.anchorAt(state.anchor);
    cloud.orbit.restore(state.orbit);
    this.box.restore(state.box);
    this.ruler.restore(state.ruler);
    this.changed();
  }
}
