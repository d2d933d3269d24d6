import { ColorMap } from './colormaps.js';
import { Quantity } from './quantity.js';

// What the colors of the image stand for besides depth: its ±, or what an estimate missed a measurement by.
//
// `map` is a FrameMap; `span` the values of the first and last color; `colorOf(value)` an index into `table`.
export class MapQuantity {
  static labels = { depth: 'Depth', sigma: '± of depth', residual: 'Fit residual' };
  static names = Object.keys(MapQuantity.labels);

  static maximumSample = 400_000;

  // The names of those that a scene has numbers for; depth is always there.
  static available(scene) {
    return MapQuantity.names.filter((name) => name === 'depth' || MapQuantity.mapOf(scene, name));
  }

  static mapOf(scene, name) {
    return { sigma: scene.sigmaMap, residual: scene.residualMap }[name] ?? null;
  }

  constructor(scene, name) {
    Object.assign(this, { scene, name, map: MapQuantity.mapOf(scene, name) });
    const isSigned = name === 'residual';
    this.table = isSigned ? ColorMap.diverging() : ColorMap.table('viridis', true);
    const values = this.map.values();
    this.count = 0;
    for (let index = 0; index < values.length; index++) if (Number.isFinite(values[index])) this.count++;
    // Of a photo's twelve million every few; an odd stride meets all columns of an even width.
    const step = Math.max(1, Math.floor(values.length / MapQuantity.maximumSample)) | 1;
    const known = values.filter((value, index) => index % step === 0 && Number.isFinite(value)).sort();
    this.median = known[known.length >> 1];
    this.sorted = isSigned ? known.map(Math.abs).sort() : known;
    // A few wild pixels must not take the color of all others.
    const most = Math.max(this.quantile(0.98) || 0, isSigned ? 0.001 : 0);
    this.span = isSigned ? [-most, most] : [this.quantile(0.02), most];
  }

  quantile(share) {
    return this.sorted[Math.round(share * (this.sorted.length - 1))];
  }

  colorIndex(value) {
    const [low, high] = this.span;
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return Math.round(255 * Math.min(1, Math.max(0, share)));
  }

  // Its colors as pixels of an ImageData; clear where there is no number.
  paint(words) {
    const { map, table } = this;
    for (let index = 0; index < words.length; index++) {
      const value = map.value(index);
      const color = Number.isFinite(value) ? 3 * this.colorIndex(value) : -1;
      words[index] = color < 0
        ? 0 : (255 << 24 | table[color + 2] << 16 | table[color + 1] << 8 | table[color]) >>> 0;
    }
  }

  get unit() {
    return this.scene.quantity.unit(this.span[1]);
  }

  // A number of it with its sign, in the unit of the whole scale.
  text(value) {
    const { factor, unit } = this.unit;
    const sign = this.name === 'residual' && value > 0 ? '+' : '';
    return `${sign}${Quantity.significant(value * factor, 3)}\u00a0${unit}`;
  }

  // `{ label, low, high, note }`: what a reader of the colors must know.
  get legend() {
    const [low, high] = this.span.map((value) => this.text(value));
    if (!this.count) return { label: MapQuantity.labels[this.name], low: '—', high: '—', note: 'no pixel has one' };
    if (this.name === 'sigma') {
      return { label: '± of depth, 1 σ', low, high, note: `median ${this.text(this.median)}` };
    }
    const share = Quantity.percent(100 * this.count / this.map.codes.length, 3);
    return {
      label: 'Estimate − measured', low: `${low} too near`, high: `${high} too far`,
      note: `${this.count.toLocaleString('en-US')} measured pixels (${share}), median ${this.text(this.median)}, ` +
        `68.3\u00a0% within ±\u00a0${this.text(this.quantile(0.683)).replace('+', '')}`,
    };
  }
}
