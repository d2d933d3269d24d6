import { ColorMap } from './colormaps.js';
import { byID, element } from './element.js';
import { HeadView } from './headview.js';
import { Quantity } from './quantity.js';

// What the colors of the head mean, with their unit.
export class HeadLegend {
  static words = {
    photo: 'What the photo does not show is mirrored or filled in. The head has no eyeballs: its openings are dark.',
    residual: 'What is left between surface and depth. Gray: no depth there.',
    sigma: '± of the surface along its normal, 1 σ.',
    measured: 'Where depth lies on the surface, and where the model alone says it.',
    plain: 'The surface alone, lit from where you look.',
  };

  static show(view) {
    const { paint } = view;
    const millimeters = (meters) => `${Quantity.significant(1000 * meters, 3)}\u00a0mm`;
    const parts = [];
    const bar = (table, low, high) => {
      const node = element('span', { class: 'bar', 'aria-hidden': 'true' });
      node.style.background = ColorMap.gradient(table);
      parts.push(element('span', {}, low), node, element('span', {}, high));
    };
    if (paint === 'residual') {
      const end = millimeters(view.residualScale);
      bar(HeadView.tables.residual, `behind \u2212${end}`, `+${end} before`);
    }
    if (paint === 'sigma') bar(HeadView.tables.sigma, '0', `± ${millimeters(view.sigmaScale)} and more`);
    if (paint === 'measured') {
      for (const [kind, word] of [['measured', 'measured'], ['model', 'model']]) {
        parts.push(element('span', { class: 'key' }, element('span', { class: `swatch ${kind}` }), word));
      }
    }
    byID('head-legend').replaceChildren(...parts);
    byID('head-legend').hidden = !parts.length;
    byID('paint-words').textContent = HeadLegend.words[paint];
  }
}
