import { element } from './element.js';
import { Quantity } from './quantity.js';

// A box along the axes of the anchor's camera frame; what is outside of it is hidden.
export class ClipBox {
  static axes = ['X', 'Y', 'Z'];
  static steps = 1000;
  static edges = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [1, 2, 4]
    .filter((bit) => !(corner & bit)).map((bit) => [corner, corner | bit]));

  constructor(onChange) {
    this.onChange = onChange;
    this.isOn = false;
    this.extents = null;
    this.limits = null;
  }

  // All that the camera sees up to the farthest depth, unless the box was set already.
  setScene(scene, isAnother) {
    this.unit = scene.metric ? 'm' : 'rel.';
    if (this.extents && !isAnother) return;
    const far = (scene.quantile(0.998) || 1) * 1.05;
    const corners = [[0, 0], [scene.width - 1, 0], [0, scene.height - 1], [scene.width - 1, scene.height - 1]]
      .map(([x, y]) => scene.ray(x, y));
    const span = (axis) => [Math.min(...corners.map((ray) => ray[axis])) * far,
      Math.max(...corners.map((ray) => ray[axis])) * far];
    this.extents = [span(0), span(1), [0, far]];
    this.seen = ClipBox.seen(scene) ?? this.extents;
    this.reset();
  }

  // Where nearly all that was measured lies, from a sample spread over the map.
  static seen(scene) {
    const step = Math.max(1, Math.floor(scene.depth.length / 2003));
    const positions = [];
    for (let index = 0; index < scene.depth.length; index += step) {
      const depth = scene.depth[index];
      if (!(depth > 0 && depth < Infinity)) continue;
      const [x, y] = scene.ray(index % scene.columns * scene.step, Math.floor(index / scene.columns) * scene.step);
      positions.push([x * depth, y * depth, depth]);
    }
    if (!positions.length) return null;
    return [0, 1, 2].map((axis) => {
      const sorted = Float64Array.from(positions, (position) => position[axis]).sort();
      return [0.05, 0.95].map((share) => sorted[Math.round(share * (sorted.length - 1))]);
    });
  }

  // The faces by axis and end, each with its coordinate and with the middle of what is seen in the box, from which
  // it is reached along its axis.
  get faces() {
    const middle = this.limits.map(([low, high], axis) => {
      const [from, to] = [Math.max(low, this.seen[axis][0]), Math.min(high, this.seen[axis][1])];
      return from < to ? (from + to) / 2 : (low + high) / 2;
    });
    return this.limits.flatMap((limit, axis) => limit.map((value, end) => ({ axis, end, middle, value })));
  }

  reset() {
    this.limits = this.extents.map((extent) => [...extent]);
    this.fill();
  }

  // What the shaders take, or null.
  get box() {
    if (!this.isOn || !this.limits) return null;
    return { low: this.limits.map(([low]) => low), high: this.limits.map(([, high]) => high) };
  }

  contains(position) {
    return !this.isOn || !this.limits ||
      this.limits.every(([low, high], axis) => position[axis] >= low && position[axis] <= high);
  }

  get corners() {
    return Array.from({ length: 8 }, (_, corner) =>
      this.limits.map((limit, axis) => limit[corner >> axis & 1]));
  }

  // Near stays below far; a number may go beyond the sliders.
  set(axis, end, value) {
    if (!Number.isFinite(value)) return;
    const limit = this.limits[axis];
    const [low, high] = this.extents[axis];
    const gap = (high - low) / ClipBox.steps;
    limit[end] = end === 0 ? Math.min(value, limit[1] - gap) : Math.max(value, limit[0] + gap);
    this.isOn = true;
    this.fill();
    this.onChange();
  }

  get panel() {
    this.toggle = element('input', { type: 'checkbox' });
    this.toggle.addEventListener('change', () => {
      this.isOn = this.toggle.checked;
      this.onChange();
    });
    const reset = element('button', { type: 'button', class: 'space-button' }, 'Whole scene');
    reset.addEventListener('click', () => { this.reset(); this.onChange(); });
    this.fields = ClipBox.axes.map((name, axis) => this.row(name, axis));
    return element('div', { class: 'space-panel', role: 'group', 'aria-label': 'Clip box' },
      element('div', { class: 'space-line' },
        element('label', { class: 'space-check' }, this.toggle, 'Hide what is outside the box'), reset),
      element('p', { class: 'space-faint' }, 'Drag the handles in the view, or set the ends here.'),
      ...this.fields.map(({ row }) => row));
  }

  row(name, axis) {
    const words = ['from', 'to'];
    const numbers = words.map((word, end) => {
      const input = element('input', { type: 'number', step: 0.001, class: 'space-number' });
      input.addEventListener('change', () => this.set(axis, end, input.valueAsNumber));
      return input;
    });
    const sliders = words.map((word, end) => {
      const input = element('input', { type: 'range', min: 0, max: ClipBox.steps, class: 'space-slider' });
      input.addEventListener('input', () => {
        const [low, high] = this.extents[axis];
        this.set(axis, end, low + (high - low) * Number(input.value) / ClipBox.steps);
      });
      return input;
    });
    const unit = element('span', { class: 'space-faint' });
    const row = element('div', { class: 'space-axis' }, element('span', { class: 'space-name' }, name),
      numbers[0], element('div', { class: 'space-pair' }, ...sliders), numbers[1], unit);
    return { row, numbers, sliders, unit };
  }

  fill() {
    if (!this.fields || !this.limits) return;
    this.toggle.checked = this.isOn;
    this.fields.forEach(({ numbers, sliders, unit }, axis) => {
      const [low, high] = this.extents[axis];
      unit.textContent = this.unit;
      this.limits[axis].forEach((value, end) => {
        const text = `${ClipBox.axes[axis]} ${end === 0 ? 'from' : 'to'}`;
        numbers[end].value = value.toFixed(3);
        numbers[end].setAttribute('aria-label', `${text}, ${this.unit === 'm' ? 'meters' : 'relative units'}`);
        sliders[end].value = (value - low) / (high - low) * ClipBox.steps;
        sliders[end].setAttribute('aria-label', text);
        sliders[end].setAttribute('aria-valuetext', `${Quantity.fixed(value, 3)} ${this.unit}`);
      });
    });
  }

  get state() {
    return this.limits && { isOn: this.isOn, limits: this.limits.map((limit) => [...limit]) };
  }

  restore(state) {
    const isLimit = (limit) => Array.isArray(limit) && limit.length === 2 &&
      limit.every(Number.isFinite) && limit[0] < limit[1];
    if (!Array.isArray(state?.limits) || state.limits.length !== 3 || !state.limits.every(isLimit)) return;
    this.limits = state.limits.map((limit) => [...limit]);
    this.isOn = state.isOn === true;
    this.fill();
  }
}
