import { byID } from './element.js';

// The viewer's controls of the depth range beside those of the report: automatic or fixed, and ends to type.
export class RangeControls {
  constructor(range) {
    this.range = range;
    for (const input of document.querySelectorAll('input[name=range-mode]')) {
      input.addEventListener('change', () => this.setAutomatic(input.value === 'automatic'));
    }
    this.ends = [byID('near-value'), byID('far-value')];
    this.ends.forEach((end) => end.addEventListener('change', () => this.typed()));
    range.onChange(() => this.show());
    this.show();
  }

  setAutomatic(isAutomatic) {
    if (isAutomatic) this.range.reset();
    else this.range.setRange(...this.range.range);
  }

  // An end that cannot be is put back to what holds.
  typed() {
    const { factor } = this.unit;
    const [near, far] = this.ends.map((end) => Number(end.value) / factor);
    if (!this.range.setRange(near, far)) this.show();
  }

  get unit() {
    const { scene } = this.range;
    return scene.metric ? { factor: 1, text: 'm' } : { factor: 1, text: 'relative' };
  }

  show() {
    const { range } = this;
    const mode = range.isAutomatic ? 'automatic' : 'fixed';
    document.querySelector(`input[name=range-mode][value=${mode}]`).checked = true;
    this.ends.forEach((end, index) => {
      if (document.activeElement !== end) end.value = range.range[index].toFixed(3);
    });
    byID('value-unit').textContent = this.unit.text;
    const map = document.querySelector(`input[name=map][value=${range.mapName}]`);
    if (map) map.checked = true;
    byID('map-reversed').checked = range.isReversed;
    byID('map-equalized').checked = range.isEqualized;
    byID('hide-outside').checked = range.hidesOutside;
  }
}
