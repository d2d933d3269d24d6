import { ColorMap } from './colormaps.js';
import { element } from './element.js';
import { Quantity } from './quantity.js';

// What the colors of the 3D view mean, with their unit.
export class SpaceLegend {
  constructor() {
    this.node = element('div', { class: 'space-legend', hidden: true });
  }

  // `{ table, label, low, high }`, or null for a photo's own colors.
  static scale({ cloud, scene }) {
    if (!scene || !cloud.isAvailable || !cloud.range || cloud.mode === 'photo') return null;
    const viridis = ColorMap.table('viridis', true);
    const text = (value) => (value > 0 ? SpaceLegend.rounded(scene, value) : 'not known');
    if (cloud.mode === 'confidence') {
      return { label: 'Confidence', table: viridis, low: 'low', high: 'high' };
    }
    const isDepth = cloud.mode === 'depth';
    const [low, high] = (isDepth ? cloud.range.range : cloud.sigmaRange).map(text);
    return { label: isDepth ? 'Depth' : 'σ of depth', table: isDepth ? cloud.range.table : viridis, low, high };
  }

  static rounded(scene, value) {
    const { factor, unit } = scene.quantity.unit(value);
    return Quantity.significant(value * factor, 3) + '\u00a0' + unit;
  }

  // What the cloud is not: the whole map, or a file's own mesh.
  static note({ isAvailable, scene, shape, textures }) {
    if (!isAvailable || !scene) return '';
    const { limit, thinning } = textures;
    const part = thinning === 1 ? ''
      : `This graphics processor takes ${limit} pixels a side: 3D shows one of ${thinning ** 2} pixels. `;
    return part + (shape === 'surface' ? 'Surface from the depth map, cut where depth jumps.' : '');
  }

  show(space) {
    const scale = SpaceLegend.scale(space);
    const parts = [];
    if (scale) {
      const bar = element('span', { class: 'space-bar' });
      bar.style.background = ColorMap.gradient(scale.table);
      parts.push(element('span', {}, scale.label), element('span', {}, scale.low), bar,
        element('span', {}, scale.high));
    }
    if (space.marksInvented) parts.push(element('span', { class: 'space-invented' }, 'filled in'));
    this.node.hidden = !parts.length;
    this.node.replaceChildren(...parts);
  }
}
