import { byID, element } from './element.js';
import { Quantity } from './quantity.js';

// What is read from two points of a head, and the distance between them.
//
// Marks stay where they are on the skin when an expression moves it.
export class HeadRuler {
  constructor(view, isMeasuredScale) {
    Object.assign(this, { view, isMeasuredScale, hits: [], before: [], hover: null });
    this.quantity = new Quantity(true);
  }

  get points() {
    return this.hits.map((hit) => this.view.mesh.point(hit));
  }

  // For the marks: those that are in sight.
  get measured() {
    const { points } = this;
    return points.length === 2 ? this.view.mesh.distance(...points) : null;
  }

  distanceText() {
    const { measured } = this;
    return measured ? this.quantity.length(measured.value, measured.sigma) : null;
  }

  // A third point begins anew.
  pick(canvasPoint) {
    this.before = this.hits;
    const hit = this.view.hitAt(...canvasPoint);
    if (!hit) return false;
    this.hits = this.hits.length === 2 ? [hit] : [...this.hits, hit];
    return true;
  }

  undo() {
    this.hits = this.before;
  }

  clear() {
    this.before = this.hits = [];
  }

  get hint() {
    return this.hits.length ? 'Choose a second point to measure the distance.'
      : `Click two points on the ${this.what} to measure the straight distance between them.`;
  }

  get what() {
    return 'head';
  }

  // Whether the ± holds, in words.
  get notes() {
    const { points } = this;
    const notes = ['± is 1 σ.'];
    const modeled = points.filter(({ isMeasured }) => !isMeasured).length;
    if (modeled) {
      notes.push(modeled === points.length
        ? 'Not measured there: the model says where the surface is.'
        : 'One end was not measured: the model says where it is.');
    }
    if (!this.isMeasuredScale) notes.push('The size is that of a usual head.');
    if (!this.view.mesh.isAsInPhoto) {
      notes.push('The expression is not the photo’s: what moved is the model’s, and the ± leaves that out.');
    }
    return notes;
  }

  // One line for each point.
  line(point, index) {
    const sigma = point.sigma === null ? '± not known'
      : `± ${Quantity.significant(1000 * point.sigma)}\u00a0mm`;
    const facts = point.isMeasured
      ? `measured, ${HeadRuler.side(point.residual)}, ${sigma}` : `model, not measured, ${sigma}`;
    return element('div', { class: 'point' }, element('span', { class: 'mark', 'data-mark': 'AB'[index] }, 'AB'[index]),
      element('span', {}, facts));
  }

  static side(residual) {
    const millimeters = Quantity.fixed(Math.abs(1000 * residual), 2);
    return `${millimeters}\u00a0mm ${residual > 0 ? 'before' : 'behind'} its depth`;
  }

  show() {
    const { points, measured } = this;
    byID('readout-points').replaceChildren(...points.map((point, index) => this.line(point, index)),
      ...(points.length === 2 ? [element('p', { class: 'hint' }, this.notes.join(' '))]
        : [element('p', { class: 'hint' }, this.hint)]));
    byID('readout-distance').replaceChildren(...(measured
      ? [element('span', { class: 'label' }, 'Straight distance A–B'), element('strong', {}, this.distanceText())] : []));
    byID('readout-clear').hidden = !points.length;
  }

  // For readers of the screen.
  get announcement() {
    const { points, measured } = this;
    if (measured) return `Distance ${this.distanceText()}. ${this.notes.join(' ')}`;
    return points.length ? 'One point is chosen.' : 'No point is chosen.';
  }
}
