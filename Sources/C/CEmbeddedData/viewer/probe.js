import { byID, element } from './element.js';
import { Quantity } from './quantity.js';

// Up to two chosen pixels, A and B, and what is read from them.
export class Probe {
  constructor(scene) {
    this.scene = scene;
    this.points = [];
    this.hover = null;
    this.isMeasuring = true;
    this.listeners = [];
    // Where points can be chosen.
    this.where = 'the image or the cloud';
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  // The same points in another frame; in an image of another size they are none.
  setScene(scene) {
    const isLike = this.scene.width === scene.width && this.scene.height === scene.height;
    const points = this.points;
    this.scene = scene;
    this.points = isLike ? points.map(({ x, y }) => this.scene.probe(x, y)) : [];
    this.hover = isLike && this.hover ? scene.probe(this.hover.x, this.hover.y) : null;
    this.changed();
  }

  // While measuring, a second choice adds B and a third begins anew.
  pick(x, y) {
    const point = this.scene.probe(x, y);
    if (point.depth === null) {
      this.say(`No depth was measured at pixel ${point.x}, ${point.y}.`);
      return;
    }
    this.points = this.isMeasuring && this.points.length === 1
      ? [this.points[0], point] : [point];
    this.hover = null;
    this.say(this.sentence());
    this.changed();
  }

  clear() {
    this.points = [];
    this.say('Marks removed.');
    this.changed();
  }

  restore(points) {
    this.points = points;
    this.changed();
  }

  hoverAt(pixel) {
    this.hover = pixel ? this.scene.probe(...pixel) : null;
    for (const listener of this.listeners) listener();
  }

  setMeasuring(isMeasuring) {
    this.isMeasuring = isMeasuring;
    if (!isMeasuring) this.points = this.points.slice(-1);
    this.say(isMeasuring ? 'Measuring: choose two points.' : 'Reading single points.');
    this.changed();
  }

  get measured() {
    return this.points.length === 2 && this.scene.calibrated && this.points.every(({ position }) => position)
      ? this.scene.distance(...this.points) : null;
  }

  // Null unless two points are chosen and the rays are known.
  distanceText() {
    if (!this.measured) return null;
    const { distance, sigma } = this.measured;
    return this.scene.quantity.length(distance, sigma);
  }

  sentence() {
    const point = this.points[this.points.length - 1];
    const name = this.points.length === 2 ? 'B' : 'A';
    const depth = this.lengthText(point);
    const distance = this.measured ? ` Distance from A to B: ${this.distanceText()}.` : '';
    return `Point ${name}: depth ${depth} at pixel ${point.x}, ${point.y}.${distance}`;
  }

  sayHover() {
    const { x, y } = this.hover;
    this.say(`Pixel ${x}, ${y}: ${this.hoverText(this.hover)}`);
  }

  // The depth, where it comes from if that can differ, and what an estimate missed a measurement by.
  hoverText(point) {
    const residual = point.residual === undefined ? null : `residual ${this.residualText(point)}`;
    return [this.lengthText(point), point.origin, residual].filter((part) => part).join(', ');
  }

  residualText({ residual, residualSigma }) {
    return (residual > 0 ? '+' : '') + this.scene.quantity.length(residual, residualSigma);
  }

  lengthText(point) {
    return point.depth === null ? 'no depth' : this.scene.quantity.length(point.depth, point.sigma);
  }

  say(text) {
    byID('announcement').textContent = text;
  }

  changed() {
    this.show();
    for (const listener of this.listeners) listener();
  }

  show() {
    const rows = this.points.map((point, index) => this.row(point, 'AB'[index]));
    const empty = `Choose a point in ${this.where} to read its depth` +
      (this.isMeasuring && this.scene.calibrated ? ', a second one to measure the distance.' : '.');
    byID('readout-points').replaceChildren(
      ...(rows.length ? rows : [element('p', { class: 'hint' }, empty)]));
    byID('readout-distance').replaceChildren(...(this.measured ? [
      element('span', { class: 'label' }, 'Distance A–B'),
      element('strong', {}, this.distanceText()),
      element('span', { class: 'note' }, !this.scene.metric
        ? 'Scale and offset are not known, so neither is the ±.' : this.scene.lengthPercent === null
        ? '1 σ of depth noise; the scale of lengths is not known'
        : `1 σ, with ${Quantity.percent(this.scene.lengthPercent)} of the length for its scale`),
    ] : this.points.length === 2 ? [
      element('span', { class: 'note' }, 'No distance: the capture has no calibration.'),
    ] : []));
    byID('readout-clear').hidden = !rows.length;
  }

  row(point, name) {
    const position = this.scene.calibrated && point.position
      ? element('span', { class: 'note position' }, this.positionText(point)) : null;
    return element('div', { class: 'point' },
      element('span', { class: 'mark', 'data-mark': name }, name),
      element('strong', {}, this.lengthText(point)),
      element('span', { class: 'note' }, `pixel ${point.x}, ${point.y}`),
      ...this.notes(point).map((text) => element('span', { class: 'note' }, text)),
      position);
  }

  positionText(point) {
    const { factor, unit } = this.scene.quantity.unit(point.depth);
    const decimals = unit === 'mm' ? 1 : 3;
    const position = ['X', 'Y', 'Z'].map((axis, index) =>
      `${axis} ${Quantity.fixed(point.position[index] * factor, decimals)}`).join('  ');
    return `${position}\u00a0${unit}`;
  }

  // What only frames of the viewer carry.
  notes(point) {
    const notes = [];
    if (point.stored !== undefined) notes.push(`stored ${point.stored}`);
    if (point.confidence !== undefined) {
      notes.push(`confidence ${this.scene.confidenceMap.levelText(point.confidence)}`);
    }
    if (point.origin === 'estimated') {
      const { model, fittedTo } = this.scene.estimate;
      notes.push(`estimated by ${model}, not measured`);
      notes.push(fittedTo ? `fitted to ${fittedTo}` : 'fitted to nothing: no meters');
    } else if (point.invented) {
      notes.push('filled in, not measured');
    } else if (point.origin) {
      notes.push(point.origin);
    }
    if (point.residual !== undefined) {
      notes.push(`residual ${this.residualText(point)}: estimate − measured`);
    }
    return notes;
  }
}
