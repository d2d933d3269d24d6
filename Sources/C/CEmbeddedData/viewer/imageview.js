import { element } from './element.js';
import { MapLayers } from './maplayers.js';
import { Overlay } from './overlay.js';

// Color and depth of the viewer's frames: as the report shows them, with more that can lie over them.
export class ImageView extends Overlay {
  static modes = ['color', 'blend', 'depth'];

  constructor(canvas, scene, range, probe) {
    super(canvas, scene, range, probe);
    this.mode = 'blend';
    this.shows = { holes: true, confidence: true, invented: true, edges: false };
    // What the colors stand for, where a frame has it; else depth.
    this.quantityName = 'depth';
    this.mattes = new Set();
    this.layers = new MapLayers(scene);
    this.patterns = new Map();
  }

  // The range is set next, and paints.
  setFrame(scene, photo) {
    this.photo = photo;
    this.setScene(scene);
    this.layers = new MapLayers(scene);
  }

  setMode(mode) {
    this.mode = mode;
    this.draw();
  }

  setShown(name, isShown) {
    this.shows[name] = isShown;
    this.showsHoles = this.shows.holes;
    this.draw();
  }

  setQuantity(name) {
    this.quantityName = name;
    this.draw();
  }

  // Null while the colors stand for depth.
  get quantity() {
    return this.layers.quantity(this.quantityName);
  }

  setMatte(name, isShown) {
    if (isShown) this.mattes.add(name);
    else this.mattes.delete(name);
    this.draw();
  }

  // 0 is color alone, 1 depth alone.
  get share() {
    if (!this.photo) return 1;
    return { color: 0, depth: 1 }[this.mode] ?? this.blend;
  }

  // Once for all that changes between two repaints of the screen.
  draw() {
    if (this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame(() => {
      this.isRequested = false;
      super.draw();
    });
  }

  drawLayers(context, ratio, placement) {
    const { share, layers, shows, quantity } = this;
    // What an effect made of the photo is drawn alone.
    if (this.effect) {
      this.drawImage(context, ratio, placement, this.effect, 1, true);
      return;
    }
    if (share < 1) this.drawImage(context, ratio, placement, this.photo, 1, true);
    this.drawImage(context, ratio, placement, quantity?.canvas ?? this.layer, share, false);
    // Where nothing was measured an estimate has no residual, but a depth.
    if (quantity?.name !== 'residual') this.drawHoles(context, ratio, placement, share);
    if (share > 0 && shows.confidence && layers.dimmed) {
      this.drawImage(context, ratio, placement, layers.dimmed, 1, false);
      this.drawPattern(context, ratio, placement, layers.low, 0.5, this.pattern(context, ratio, 'cross'));
    }
    if (share > 0 && shows.invented && layers.invented) {
      this.drawPattern(context, ratio, placement, layers.invented, 1, this.pattern(context, ratio, 'dots'));
    }
    for (const name of this.mattes) {
      this.drawImage(context, ratio, placement,
        this.scene.mattes.has(name) ? layers.matte(name) : null, 1, true);
    }
    if (shows.edges) this.drawImage(context, ratio, placement, layers.edges, 1, false);
  }

  // Crossed strokes for little confidence, dots for what was not measured.
  pattern(context, ratio, name) {
    const key = name + ratio;
    if (this.patterns.has(key)) return this.patterns.get(key);
    const size = Math.round(7 * ratio);
    const tile = element('canvas', { width: size, height: size });
    const draw = tile.getContext('2d');
    if (name === 'cross') {
      draw.strokeStyle = 'rgb(255 255 255 / .75)';
      draw.lineWidth = ratio;
      draw.beginPath();
      draw.moveTo(0, 0);
      draw.lineTo(size, size);
      draw.moveTo(size, 0);
      draw.lineTo(0, size);
      draw.stroke();
    } else {
      for (const [radius, color] of [[2.1, '#fff'], [1.4, '#c2185b']]) {
        draw.beginPath();
        draw.arc(size / 2, size / 2, radius * ratio, 0, 2 * Math.PI);
        draw.fillStyle = color;
        draw.fill();
      }
    }
    this.patterns.set(key, context.createPattern(tile, 'repeat'));
    return this.patterns.get(key);
  }

  drawMarks(context, ratio) {
    super.drawMarks(context, ratio);
    this.selection?.draw(context, (pixel) => this.canvasPoint(...pixel));
  }
}
