import { ColorMap } from './colormaps.js';
import { byID, element } from './element.js';
import { Quantity } from './quantity.js';

// The depth range that the colors span: histogram, legend with units, two handles.
export class DepthRange {
  static binCount = 96;

  constructor(scene) {
    this.scene = scene;
    // A few flying pixels must not squeeze all others into two colors.
    const low = scene.quantile(0.002);
    const high = scene.quantile(0.998);
    const pad = Math.max((high - low) * 0.02, high * 1e-3);
    this.domain = scene.validCount ? [Math.max(0, low - pad), high + pad] : [0, 1];
    this.range = [...this.domain];
    this.mapName = 'turbo';
    this.isReversed = false;
    this.hidesOutside = false;
    this.listeners = [];
    this.bins = this.countedBins();
    this.rebuild();
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  countedBins() {
    const bins = new Uint32Array(DepthRange.binCount);
    const [low, high] = this.domain;
    const factor = DepthRange.binCount / (high - low);
    for (const depth of this.scene.depth) {
      if (!(depth > 0)) continue;
      const bin = Math.floor((depth - low) * factor);
      if (bin >= 0 && bin < bins.length) bins[bin]++;
    }
    return bins;
  }

  rebuild() {
    this.table = ColorMap.table(this.mapName, this.isReversed);
  }

  changed() {
    this.rebuild();
    this.draw();
    for (const listener of this.listeners) listener();
  }

  colorIndex(depth) {
    const [low, high] = this.range;
    return Math.min(255, Math.max(0, Math.round((depth - low) / (high - low) * 255)));
  }

  isOutside(depth) {
    return this.hidesOutside && (depth < this.range[0] || depth > this.range[1]);
  }

  attach() {
    this.handles = [byID('range-near'), byID('range-far')];
    this.handles.forEach((handle, index) =>
      handle.addEventListener('input', () => this.moved(index)));
    byID('range-reset').addEventListener('click', () => {
      this.range = [...this.domain];
      this.handles.forEach((handle, index) => { handle.value = index * 1000; });
      this.changed();
    });
    for (const input of document.querySelectorAll('input[name=map]')) {
      input.addEventListener('change', () => { this.mapName = input.value; this.changed(); });
    }
    byID('map-reversed').addEventListener('change', (event) => {
      this.isReversed = event.target.checked;
      this.changed();
    });
    byID('hide-outside').addEventListener('change', (event) => {
      this.hidesOutside = event.target.checked;
      this.changed();
    });
    const holes = 100 * (1 - this.scene.validFraction);
    byID('holes').textContent = `No depth: ${Quantity.percent(holes)} of the pixels`;
    new ResizeObserver(() => this.draw()).observe(byID('histogram'));
    this.draw();
  }

  // The handles keep a gap, so that near stays nearer than far.
  moved(index) {
    const gap = 10;
    const [near, far] = this.handles.map((handle) => Number(handle.value));
    if (index === 0) this.handles[0].value = Math.min(near, far - gap);
    if (index === 1) this.handles[1].value = Math.max(far, near + gap);
    const [low, high] = this.domain;
    this.range = this.handles.map((handle) => low + (high - low) * Number(handle.value) / 1000);
    this.changed();
  }

  draw() {
    const canvas = byID('histogram');
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (!width) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    this.drawBars(context, width, height);
    this.drawTicks(width);
    this.describe();
  }

  drawBars(context, width, height) {
    const [low, high] = this.domain;
    const top = Math.max(1, ...this.bins);
    const step = width / this.bins.length;
    this.bins.forEach((count, bin) => {
      const depth = low + (bin + 0.5) / this.bins.length * (high - low);
      const isInside = depth >= this.range[0] && depth <= this.range[1];
      const index = 3 * this.colorIndex(depth);
      context.globalAlpha = isInside ? 1 : 0.25;
      context.fillStyle =
        `rgb(${this.table[index]} ${this.table[index + 1]} ${this.table[index + 2]})`;
      // The square root keeps small parts of the scene visible beside a wall.
      const bar = count ? Math.max(1.5, (height - 8) * Math.sqrt(count / top)) : 0;
      context.fillRect(bin * step, height - 6 - bar, Math.max(1, step - 1), bar);
      context.fillRect(bin * step, height - 5, step + 0.5, 5);
    });
  }

  drawTicks(width) {
    const [low, high] = this.domain;
    const { factor, unit } = this.scene.quantity.unit(high);
    const rough = (high - low) * factor / Math.max(2, Math.floor(width / 72));
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((multiple) => multiple * power >= rough) * power;
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const ticks = [];
    for (let value = Math.ceil(low * factor / step) * step; value <= high * factor; value += step) {
      const share = (value / factor - low) / (high - low);
      if (share < 0.02 || share > (unit.length > 3 ? 1 - 130 / width : 1 - 48 / width)) continue;
      const tick = element('span', {}, Quantity.fixed(value, decimals));
      tick.style.left = 100 * share + '%';
      ticks.push(tick);
    }
    byID('ticks').replaceChildren(...ticks);
    byID('range-unit').textContent = unit;
  }

  describe() {
    const text = this.range.map((value) => this.scene.quantity.length(value));
    byID('range-text').textContent = this.scene.quantity.span(...this.range);
    this.handles?.forEach((handle, index) => handle.setAttribute('aria-valuetext', text[index]));
    const [near, far] = this.isReversed ? ['blue', 'red'] : ['red', 'blue'];
    const viridis = this.isReversed ? ['dark', 'yellow'] : ['yellow', 'dark'];
    const names = this.mapName === 'viridis' ? viridis : [near, far];
    byID('near-far').textContent = `near ${names[0]}, far ${names[1]}`;
  }
}
