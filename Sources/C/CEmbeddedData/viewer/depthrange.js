import { ColorMap } from './colormaps.js';
import { DepthRanks } from './depthranks.js';
import { byID, element } from './element.js';
import { Quantity } from './quantity.js';

// The depth range that the colors span: histogram, legend with units, two handles.
//
// `domain` is what the axis shows, `range` what the colors span within it. In the viewer the range is
// automatic, each frame its own, until it is dragged or typed; then it is fixed.
export class DepthRange {
  static binCount = 96;

  constructor(scene) {
    this.mapName = 'turbo';
    this.isReversed = false;
    this.isEqualized = false;
    this.isAutomatic = true;
    this.hidesOutside = false;
    this.listeners = [];
    this.take(scene);
    this.domain = [...this.span];
    this.range = [...this.span];
    this.rebuild();
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  take(scene) {
    this.scene = scene;
    // A few flying pixels must not squeeze all others into two colors; of matched images more are wrong,
    // and far away.
    const [least, most] = scene.isStereo ? [0.01, 0.98] : [0.002, 0.998];
    const low = scene.quantile(least);
    const high = scene.quantile(most);
    const pad = Math.max((high - low) * 0.02, high * 1e-3);
    this.span = scene.validCount ? [Math.max(0, low - pad), high + pad] : [0, 1];
  }

  // The next frame: the axis only grows, so that it stands still while a recording plays.
  setScene(scene, isAnother = false) {
    this.take(scene);
    const isNew = isAnother || !this.hasDomain;
    this.hasDomain = !isNew || scene.validCount > 0;
    this.domain = isNew ? [...this.span] : DepthRange.union(this.domain, this.span);
    if (this.isAutomatic) this.range = [...this.span];
    else this.domain = DepthRange.union(this.domain, this.range);
    this.changed();
  }

  static union(a, b) {
    return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
  }

  countedBins() {
    const bins = new Uint32Array(DepthRange.binCount);
    const [low, high] = this.domain;
    const factor = DepthRange.binCount / (high - low);
    const { depth } = this.scene;
    // Every pixel of a photo's map; of more pixels, every few.
    const step = Math.max(1, Math.round(depth.length / 400_000));
    for (let index = 0; index < depth.length; index += step) {
      if (!(depth[index] > 0)) continue;
      const bin = Math.floor((depth[index] - low) * factor);
      if (bin >= 0 && bin < bins.length) bins[bin]++;
    }
    return bins;
  }

  // `colors`: 256 from the first position to the last, `words` the same as pixels of an ImageData. `table`: 256 from
  // the near to the far end; another one where `ranks` give each depth its position.
  rebuild() {
    const colors = this.colors = ColorMap.table(this.mapName, this.isReversed);
    // Little-endian, as all machines that run browsers are.
    this.words = Uint32Array.from({ length: 256 }, (_, index) =>
      (255 << 24 | colors[3 * index + 2] << 16 | colors[3 * index + 1] << 8 | colors[3 * index]) >>> 0);
    this.table = colors;
    this.ranks = null;
    if (!this.isEqualized) return;
    const [low, high] = this.range;
    // Of an automatic range all pixels count, else those within.
    this.ranks = this.isAutomatic
      ? new DepthRanks(this.scene.depth) : new DepthRanks(this.scene.depth, low, high);
    this.table = new Uint8Array(256 * 3);
    for (let index = 0; index < 256; index++) {
      const color = 3 * this.ranks.positionOf(low + (high - low) * index / 255);
      this.table.set(colors.subarray(color, color + 3), 3 * index);
    }
  }

  // Depth as colors, and holes as opaque black, both as pixels of an ImageData; O(n).
  paint(depth, colors, holes) {
    const { words, hidesOutside } = this;
    const [low, high] = this.range;
    const positions = this.ranks?.positions;
    const bits = new Int32Array(depth.buffer, depth.byteOffset, depth.length);
    const factor = 255 / (high - low);
    for (let index = 0; index < depth.length; index++) {
      const value = depth[index];
      if (!(value > 0)) {
        colors[index] = 0;
        holes[index] = 0xff000000;
        continue;
      }
      holes[index] = 0;
      if (hidesOutside && (value < low || value > high)) {
        colors[index] = 0;
      } else if (positions) {
        colors[index] = words[positions[DepthRanks.bin(bits[index])]];
      } else {
        const position = (value - low) * factor + 0.5;
        colors[index] = words[position < 0 ? 0 : position > 255 ? 255 : position | 0];
      }
    }
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
    byID('range-reset').addEventListener('click', () => this.reset());
    for (const input of document.querySelectorAll('input[name=map]')) {
      input.addEventListener('change', () => { this.mapName = input.value; this.changed(); });
    }
    const boxes = {
      'map-reversed': 'isReversed', 'map-equalized': 'isEqualized', 'hide-outside': 'hidesOutside',
    };
    for (const [id, property] of Object.entries(boxes)) {
      byID(id)?.addEventListener('change', (event) => {
        this[property] = event.target.checked;
        this.changed();
      });
    }
    new ResizeObserver(() => this.draw()).observe(byID('histogram'));
    this.draw();
  }

  reset() {
    this.isAutomatic = true;
    this.domain = [...this.span];
    this.range = [...this.span];
    this.changed();
  }

  // Fixed from now on; near stays nearer than far.
  setRange(near, far) {
    if (!(near >= 0 && far > near && far < Infinity)) return false;
    this.isAutomatic = false;
    this.range = [near, far];
    this.domain = DepthRange.union(this.domain, this.range);
    this.changed();
    return true;
  }

  // The handles keep a gap, so that near stays nearer than far.
  moved(index) {
    const gap = 10;
    const [near, far] = this.handles.map((handle) => Number(handle.value));
    const [low, high] = this.domain;
    const positions = [Math.min(near, far - gap), Math.max(far, near + gap)];
    this.isAutomatic = false;
    this.range[index] = low + (high - low) * positions[index] / 1000;
    this.changed();
  }

  draw() {
    this.bins = this.countedBins();
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
    const key = [low, high, unit, width].join();
    if (key === this.tickKey) return;
    this.tickKey = key;
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
    const [low, high] = this.domain;
    const text = this.range.map((value) => this.scene.quantity.length(value));
    byID('range-text').textContent = this.scene.quantity.span(...this.range);
    this.handles?.forEach((handle, index) => {
      const position = String(Math.round((this.range[index] - low) / (high - low) * 1000));
      if (handle.value !== position) handle.value = position;
      handle.setAttribute('aria-valuetext', text[index]);
    });
    const ends = ColorMap.ends[this.mapName];
    const [near, far] = this.isReversed ? [...ends].reverse() : ends;
    byID('near-far').textContent = `near ${near}, far ${far}`;
    const holes = 100 * (1 - this.scene.validFraction);
    byID('holes').textContent = `No depth: ${Quantity.percent(holes)} of the pixels`;
  }
}
