import { element } from './element.js';
import { MapQuantity } from './mapquantity.js';

// What can lie over the image, as small images at the size of their maps; made when first requested.
export class MapLayers {
  static matteColors = [[255, 64, 160], [64, 200, 120], [255, 170, 40], [120, 120, 255], [40, 200, 220]];
  // Shares of the highest level: ARKit's three levels fall one into each third.
  static lowShare = 1 / 3;
  static mediumShare = 2 / 3;

  constructor(scene) {
    this.scene = scene;
    this.made = new Map();
  }

  // `color(index)` gives the alpha of a sample, 0 to 255.
  layer(name, width, height, [red, green, blue], alphaAt) {
    if (this.made.has(name)) return this.made.get(name);
    const canvas = element('canvas', { width, height });
    const pixels = new ImageData(width, height);
    const words = new Uint32Array(pixels.data.buffer);
    const color = blue << 16 | green << 8 | red;
    for (let index = 0; index < words.length; index++) {
      words[index] = (alphaAt(index) << 24 | color) >>> 0;
    }
    canvas.getContext('2d').putImageData(pixels, 0, 0);
    this.made.set(name, canvas);
    return canvas;
  }

  ofMap(name, map, color, alphaOf) {
    if (!map) return null;
    return this.layer(name, map.width, map.height, color, (index) => alphaOf(map.shareAt(index)));
  }

  // Darker where confidence is low or medium.
  get dimmed() {
    const { lowShare, mediumShare } = MapLayers;
    return this.ofMap('dimmed', this.scene.confidenceMap, [12, 14, 18], (share) =>
      share < lowShare ? 120 : share < mediumShare ? 60 : 0);
  }

  get low() {
    return this.ofMap('low', this.scene.confidenceMap, [0, 0, 0], (share) =>
      share < MapLayers.lowShare ? 255 : 0);
  }

  get invented() {
    return this.ofMap('invented', this.scene.inventedMap, [0, 0, 0], (share) => (share > 0 ? 255 : 0));
  }

  // What else the colors can stand for, with its image; null for depth, and where there is none.
  quantity(name) {
    const key = 'quantity:' + name;
    if (this.made.has(key)) return this.made.get(key);
    const map = MapQuantity.mapOf(this.scene, name);
    if (!map) return null;
    const quantity = new MapQuantity(this.scene, name);
    quantity.canvas = element('canvas', { width: map.width, height: map.height });
    const pixels = new ImageData(map.width, map.height);
    quantity.paint(new Uint32Array(pixels.data.buffer));
    quantity.canvas.getContext('2d').putImageData(pixels, 0, 0);
    this.made.set(key, quantity);
    return quantity;
  }

  matteColor(name) {
    const names = [...this.scene.mattes.keys()];
    return MapLayers.matteColors[names.indexOf(name) % MapLayers.matteColors.length];
  }

  matte(name) {
    const color = this.matteColor(name);
    return this.ofMap('matte:' + name, this.scene.mattes.get(name), color, (share) =>
      Math.round(170 * Math.min(1, Math.max(0, share))));
  }

  // Where depth leaps from a pixel to its neighbor, drawn on the nearer one.
  get edges() {
    const { columns, rows } = this.scene;
    if (this.made.has('edges')) return this.made.get('edges');
    const marked = this.markedEdges();
    return this.layer('edges', columns, rows, [0, 229, 255], (index) => 255 * marked[index]);
  }

  // A leap is more than 3 % of the depth and more than 4 σ of a difference, so that noise is none.
  markedEdges() {
    const { depth, columns, rows } = this.scene;
    const marked = new Uint8Array(depth.length);
    const leaps = (a, b) => {
      const near = Math.min(a, b);
      return Math.abs(a - b) > Math.max(0.03 * near, 4 * Math.SQRT2 * this.scene.sigma(near));
    };
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const index = row * columns + column;
        const here = depth[index];
        if (!(here > 0)) continue;
        const right = column + 1 < columns ? depth[index + 1] : NaN;
        const below = row + 1 < rows ? depth[index + columns] : NaN;
        if (right > 0 && leaps(here, right)) marked[here < right ? index : index + 1] = 1;
        if (below > 0 && leaps(here, below)) marked[here < below ? index : index + columns] = 1;
      }
    }
    return marked;
  }
}
