import { Cloud } from './cloud.js';
import { CloudMarks } from './cloudmarks.js';
import { ColorMap } from './colormaps.js';
import { DepthRange } from './depthrange.js';
import { byID, element } from './element.js';
import { Overlay } from './overlay.js';
import { Pilot } from './pilot.js';
import { Probe } from './probe.js';
import { Quantity } from './quantity.js';

// The two images with their controls: pointer and keyboard on them.
export class Stage {
  constructor(scene) {
    this.scene = scene;
    this.range = new DepthRange(scene);
    this.probe = new Probe(scene);
    this.overlay = new Overlay(byID('overlay'), scene, this.range, this.probe);
    this.cloud = new Cloud(byID('cloud'), scene, this.range, this.probe);
    this.marks = new CloudMarks(byID('cloud-marks'), this.cloud, this.probe);
    this.cloud.afterDraw = () => this.marks.draw();
    this.cloud.onFailure = () => this.explainMissingCloud();
    this.pilot = new Pilot(this.cloud, {
      pick: (point, reach, isByKey) => this.pickInCloud(point, reach, isByKey),
      undoPick: () => this.probe.restore(this.pointsBeforeTap),
    });
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
      const at = pixel(event);
      if (at) this.probe.pick(...at);
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
    const arrow = Pilot.arrows[event.key];
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
    this.pilot.attach();
    for (const name of ['focus', 'blur']) {
      byID('cloud').addEventListener(name, () => this.marks.draw());
    }
  }

  pickInCloud(point, reach, isByKey = false) {
    this.pointsBeforeTap = this.probe.points;
    const pixel = this.cloud.pixelAt(...point, reach);
    if (pixel) this.probe.pick(...pixel);
    else if (isByKey) this.probe.say('No point lies at the center of the view.');
  }

  setMode(mode) {
    this.cloud.mode = mode;
    const input = document.querySelector(`input[name=mode][value=${mode}]`);
    if (input) input.checked = true;
    this.showCloudLegend();
    this.cloud.request();
  }

  nextMode() {
    const modes = ['photo', 'depth', 'sigma'].filter((mode) => mode !== 'photo' || this.cloud.photo);
    this.setMode(modes[(modes.indexOf(this.cloud.mode) + 1) % modes.length]);
  }

  nextSplat() {
    const sizes = Cloud.splatSizes;
    this.cloud.splatSize = sizes[(sizes.indexOf(this.cloud.splatSize) + 1) % sizes.length];
    this.probe.say(`Point size ${this.cloud.splatSize}`);
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
    byID('fit').addEventListener('click', () => this.pilot.fit());
    byID('reset').addEventListener('click', () => this.pilot.reset());
    byID('splat').addEventListener('click', () => this.nextSplat());
    byID('help-open').addEventListener('click', () => byID('help').showModal());
    document.addEventListener('keydown', (event) => this.key(event));
  }

  // Letters and digits work wherever the focus is, except where text is chosen or typed.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byID('help').open) return;
    if (event.target.matches?.('select, textarea, input[type=text]')) return;
    const actions = {
      f: () => this.pilot.fit(), r: () => this.pilot.reset(), p: () => this.nextSplat(),
      c: () => this.nextMode(), m: () => this.setMeasuring(!this.probe.isMeasuring),
      '?': () => byID('help').showModal(),
      escape: () => { if (this.probe.points.length) this.probe.clear(); },
    };
    const name = event.key.toLowerCase();
    if (/^[1-6]$/.test(name)) this.pilot.view(Number(name) - 1);
    else if (Object.hasOwn(actions, name)) actions[name]();
    else return;
    event.preventDefault();
  }
}
