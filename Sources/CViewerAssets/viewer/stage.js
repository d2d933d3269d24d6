import { Cloud } from './cloud.js';
import { CloudMarks } from './cloudmarks.js';
import { ColorMap } from './colormaps.js';
import { DepthRange } from './depthrange.js';
import { byID, element } from './element.js';
import { Gestures } from './gestures.js';
import { Orbit } from './orbit.js';
import { Overlay } from './overlay.js';
import { Probe } from './probe.js';
import { Quantity } from './quantity.js';

// The two pictures with their controls: what the hand and the keyboard do to them.
export class Stage {
  static arrows = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  };

  constructor(scene) {
    this.scene = scene;
    this.range = new DepthRange(scene);
    this.probe = new Probe(scene);
    this.overlay = new Overlay(byID('overlay'), scene, this.range, this.probe);
    this.cloud = new Cloud(byID('cloud'), scene, this.range, this.probe);
    this.marks = new CloudMarks(byID('cloud-marks'), this.cloud, this.probe);
    this.cloud.afterDraw = () => this.marks.draw();
    const aspect = scene.toUpright.width / scene.toUpright.height;
    byID('panes').style.setProperty('--aspect', Math.min(1.5, Math.max(0.75, aspect)));
  }

  async start() {
    this.range.attach();
    this.probe.show();
    this.attachOverlay();
    this.attachControls();
    if (this.cloud.isAvailable) this.attachCloud();
    else this.explainMissingCloud();
    const photo = await this.scene.photo();
    this.overlay.setPhoto(photo);
    this.cloud.setPhoto(photo);
    byID('blend-control').hidden = !photo;
    this.setMode(photo ? 'photo' : 'depth');
    if (!photo) document.querySelector('input[name=mode][value=photo]').disabled = true;
  }

  explainMissingCloud() {
    byID('cloud-missing').hidden = false;
    byID('cloud').hidden = true;
    byID('cloud-controls').hidden = true;
    byID('cloud-marks').hidden = true;
  }

  attachOverlay() {
    const canvas = byID('overlay');
    const pixel = (event) => {
      const box = canvas.getBoundingClientRect();
      return this.overlay.pixelAt(event.clientX - box.left, event.clientY - box.top);
    };
    canvas.addEventListener('click', (event) => {
      const place = pixel(event);
      if (place) this.probe.pick(...place);
    });
    canvas.addEventListener('pointermove', (event) => {
      this.overlay.showsCursor = false;
      this.probe.hoverAt(event.pointerType === 'touch' ? null : pixel(event));
    });
    canvas.addEventListener('pointerleave', () => this.probe.hoverAt(null));
    canvas.addEventListener('blur', () => {
      this.overlay.showsCursor = false;
      this.probe.hoverAt(null);
    });
    canvas.addEventListener('focus', () => {
      if (!canvas.matches(':focus-visible')) return;
      this.overlay.moveCursor(0, 0);
    });
    canvas.addEventListener('keydown', (event) => this.overlayKey(event));
  }

  overlayKey(event) {
    const arrow = Stage.arrows[event.key];
    const pace = event.shiftKey ? 10 : 1;
    if (arrow) {
      this.overlay.moveCursor(arrow[0] * pace, arrow[1] * pace);
      this.probe.sayHover();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.probe.pick(...this.overlay.cursor);
    } else {
      return;
    }
    event.preventDefault();
  }

  attachCloud() {
    const height = () => byID('cloud').clientHeight;
    this.gestures = new Gestures(byID('cloud'), {
      turn: (dx, dy) => this.move((orbit) => orbit.turn(dx * 0.008, dy * 0.008)),
      pan: (dx, dy) => this.move((orbit) => orbit.pan(dx / height(), dy / height())),
      zoom: (factor) => this.move((orbit) => orbit.zoom(factor)),
      tap: (place, reach) => {
        this.pointsBeforeTap = this.probe.points;
        const pixel = this.cloud.pixelAt(...place, reach);
        if (pixel) this.probe.pick(...pixel);
      },
      doubleTap: () => {
        this.probe.restore(this.pointsBeforeTap);
        this.reset();
      },
    });
    byID('cloud').addEventListener('keydown', (event) => this.cloudKey(event));
    for (const name of ['focus', 'blur']) {
      byID('cloud').addEventListener(name, () => this.marks.draw());
    }
  }

  cloudKey(event) {
    const arrow = Stage.arrows[event.key];
    if (arrow && event.shiftKey) {
      this.move((orbit) => orbit.pan(-arrow[0] * 0.05, -arrow[1] * 0.05));
    } else if (arrow) {
      this.move((orbit) => orbit.turn(arrow[0] * 0.0873, arrow[1] * 0.0873));
    } else if (event.key === '+' || event.key === '=') {
      this.move((orbit) => orbit.zoom(0.9));
    } else if (event.key === '-') {
      this.move((orbit) => orbit.zoom(1 / 0.9));
    } else if (event.key === 'Enter' || event.key === ' ') {
      const canvas = byID('cloud');
      const pixel = this.cloud.pixelAt(canvas.clientWidth / 2, canvas.clientHeight / 2, 12);
      if (pixel) this.probe.pick(...pixel);
      else this.probe.say('No point lies at the center of the view.');
    } else {
      return;
    }
    event.preventDefault();
  }

  move(change) {
    this.flight = null;
    change(this.cloud.orbit);
    this.cloud.request();
  }

  // To another view, in a short flight unless motion is unwelcome.
  fly(goal) {
    const { orbit } = this.cloud;
    if (!this.cloud.isAvailable) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.move(() => { orbit.state = goal; });
      return;
    }
    const from = orbit.state;
    const began = performance.now();
    const flight = this.flight = (now) => {
      if (this.flight !== flight) return;
      const share = Math.min(1, Math.max(0, (now - began) / 260));
      orbit.state = Orbit.between(from, goal, share * share * (3 - 2 * share));
      this.cloud.request();
      if (share < 1) requestAnimationFrame(flight);
      else this.flight = null;
    };
    requestAnimationFrame(flight);
  }

  reset() {
    this.fly(this.cloud.home);
  }

  fit() {
    const { yaw, pitch } = this.cloud.orbit;
    this.fly({ ...this.cloud.home, yaw, pitch });
  }

  view(index) {
    const [yaw, pitch] = Orbit.views[index];
    this.fly({ ...this.cloud.home, yaw, pitch });
  }

  setMode(mode) {
    this.cloud.mode = mode;
    const input = document.querySelector(`input[name=mode][value=${mode}]`);
    if (input) input.checked = true;
    this.showCloudLegend();
    this.cloud.request();
  }

  nextMode() {
    const modes = Cloud.modes.filter((mode) => mode !== 'photo' || this.cloud.photo);
    this.setMode(modes[(modes.indexOf(this.cloud.mode) + 1) % modes.length]);
  }

  nextSplat() {
    this.cloud.splatIndex = (this.cloud.splatIndex + 1) % Cloud.splatSizes.length;
    this.probe.say(`Point size ${Cloud.splatSizes[this.cloud.splatIndex]}`);
    this.cloud.request();
  }

  setMeasuring(isMeasuring) {
    byID('measure').setAttribute('aria-pressed', String(isMeasuring));
    this.probe.setMeasuring(isMeasuring);
  }

  showCloudLegend() {
    const legend = byID('cloud-legend');
    legend.hidden = this.cloud.mode === 'photo' || !this.cloud.isAvailable;
    const isDepth = this.cloud.mode === 'depth';
    const { quantity } = this.scene;
    const [low, high] = isDepth
      ? quantity.span(...this.range.range).split(' – ')
      : this.cloud.sigmaRange.map((value) => this.sigmaText(value));
    const bar = element('span', { class: 'bar' });
    bar.style.background =
      ColorMap.gradient(isDepth ? this.range.table : ColorMap.table('viridis', true));
    legend.replaceChildren(
      element('span', {}, isDepth ? low : 'σ ' + low), bar, element('span', {}, high));
  }

  sigmaText(value) {
    if (!(value > 0)) return 'not known';
    return this.scene.metric
      ? Quantity.significant(value * 1000) + '\u00a0mm' : Quantity.significant(value) + '\u00a0relative units';
  }

  attachControls() {
    byID('blend').addEventListener('input', (event) =>
      this.overlay.setBlend(Number(event.target.value) / 100));
    for (const input of document.querySelectorAll('input[name=mode]')) {
      input.addEventListener('change', () => this.setMode(input.value));
    }
    this.range.onChange(() => this.showCloudLegend());
    byID('measure').addEventListener('click', () => this.setMeasuring(!this.probe.isMeasuring));
    byID('readout-clear').addEventListener('click', () => this.probe.clear());
    byID('fit').addEventListener('click', () => this.fit());
    byID('reset').addEventListener('click', () => this.reset());
    byID('splat').addEventListener('click', () => this.nextSplat());
    byID('help-open').addEventListener('click', () => byID('help').showModal());
    document.addEventListener('keydown', (event) => this.key(event));
  }

  // Letters and digits work wherever the focus is, except where text is chosen or typed.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byID('help').open) return;
    if (event.target.matches?.('select, textarea, input[type=text]')) return;
    const actions = {
      f: () => this.fit(), r: () => this.reset(), p: () => this.nextSplat(),
      c: () => this.nextMode(), m: () => this.setMeasuring(!this.probe.isMeasuring),
      '?': () => byID('help').showModal(),
      escape: () => { if (this.probe.points.length) this.probe.clear(); },
    };
    const name = event.key.toLowerCase();
    if (/^[1-6]$/.test(name)) this.view(Number(name) - 1);
    else if (Object.hasOwn(actions, name)) actions[name]();
    else return;
    event.preventDefault();
  }
}
