import { ColorMap } from './colormaps.js';
import { byID, element } from './element.js';
import { HeadView } from './headview.js';
import { Quantity } from './quantity.js';

// What the colors of the head mean, with their unit.
export class HeadLegend {
  static words = {
    photo: 'What the photo does not show is mirrored or filled in. Openings of the face are dark.',
    residual: 'What is left between surface and depth. Gray: no depth there.',
    sigma: '± of the surface along its normal, 1 σ.',
    measured: 'Where depth lies on the surface, and where the model alone says it.',
    plain: 'The surface alone, lit from where you look.',
  };

  // From where added parts come, with the range of their ±.
  static addedWords(mesh) {
    const sigmas = Array.from(mesh.sigmas ?? []).slice(mesh.faceVertices).filter(Number.isFinite);
    if (!sigmas.length) return 'from people’s proportions';
    const [low, high] = [Math.min, Math.max].map((pick) =>
      Quantity.significant(1000 * sigmas.reduce((a, b) => pick(a, b)), 2));
    return `from the model and people’s proportions: ± ${low} to ${high}\u00a0mm`;
  }

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
    const { mesh } = view;
    if (mesh.showsParts) {
      parts.push(element('span', { class: 'key' }, element('span', { class: 'swatch added' }),
        `not measured, ${HeadLegend.addedWords(mesh)}`));
    }
    byID('head-legend').replaceChildren(...parts);
    byID('head-legend').hidden = !parts.length;
    byID('paint-words').textContent = HeadLegend.words[paint];
  }
}
