import { element } from './element.js';
import { HeadRuler } from './headruler.js';
import { Quantity } from './quantity.js';

// What is read from two points of a scan, and the distance between them.
export class ScanRuler extends HeadRuler {
  constructor(view) {
    super(view, true);
  }

  // Nothing is measured on a surface that is not there.
  get points() {
    return this.view.mesh ? super.points : [];
  }

  get what() {
    return 'surface';
  }

  get notes() {
    const notes = ['± is 1 σ, of each end along its normal.'];
    const { scaleShare } = this.view.mesh;
    notes.push(scaleShare === null ? 'An error that all lengths share is not in it.'
      : `All lengths share ±\u00a0${Quantity.percent(100 * scaleShare)}, which is in it.`);
    return notes;
  }

  line({ position, sigma }, index) {
    const at = position.map((value) => Quantity.fixed(value, 3)).join(', ');
    const facts = `${at}\u00a0m, ${sigma === null ? '± not known' : `±\u00a0${Quantity.significant(1000 * sigma)}\u00a0mm`}`;
    return element('div', { class: 'point' }, element('span', { class: 'mark', 'data-mark': 'AB'[index] }, 'AB'[index]),
      element('span', {}, facts));
  }
}
