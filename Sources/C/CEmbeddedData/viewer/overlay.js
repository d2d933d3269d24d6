import { element } from './element.js';
import { Loupe } from './loupe.js';
import { Marks } from './marks.js';

// The photo with its depth in color over it; holes are hatched.
export class Overlay {
  constructor(canvas, scene, range, probe) {
    Object.assign(this, { canvas, range, probe });
    this.blend = 0.6;
    this.photo = null;
    this.showsCursor = false;
    this.showsHoles = true;
    this.loupe = new Loupe(this);
    this.layer = element('canvas');
    this.holes = element('canvas');
    this.setScene(scene);
    range.onChange(() => { this.paintLayer(); this.draw(); });
    probe.onChange(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  // Another map; the caller paints, since the range changes with it.
  setScene(scene) {
    const isLike = this.scene?.columns === scene.columns && this.scene?.rows === scene.rows;
    this.scene = scene;
    if (isLike) return;
    this.cursor = scene.snapped((scene.width - 1) / 2, (scene.height - 1) / 2);
    for (const canvas of [this.layer, this.holes]) {
      Object.assign(canvas, { width: scene.columns, height: scene.rows });
    }
    this.colorPixels = new ImageData(scene.columns, scene.rows);
    this.holePixels = new ImageData(scene.columns, scene.rows);
    this.paintLayer();
  }

  setPhoto(photo) {
    this.photo = photo;
    this.draw();
  }

  setBlend(blend) {
    this.blend = blend;
    this.draw();
  }

  // Depth in color and holes as two images at the resolution of the map.
  paintLayer() {
    const words = (pixels) => new Uint32Array(pixels.data.buffer);
    this.range.paint(this.scene.depth, words(this.colorPixels), words(this.holePixels));
    this.layer.getContext('2d').putImageData(this.colorPixels, 0, 0);
    if (this.scene.validFraction < 1) {
      this.holes.getContext('2d').putImageData(this.holePixels, 0, 0);
    }
  }

  // Scale and offset of the upright image within the canvas, in CSS pixels.
  get placement() {
    const { width, height } = this.scene.toUpright;
    const scale = Math.min(this.canvas.clientWidth / width, this.canvas.clientHeight / height);
    return {
      scale,
      left: (this.canvas.clientWidth - width * scale) / 2,
      top: (this.canvas.clientHeight - height * scale) / 2,
    };
  }

  // Where a pixel of the map lies on the canvas, in CSS pixels; its center is half a pixel in.
  canvasPoint(x, y) {
    const { scale, left, top } = this.placement;
    const [u, v] = this.scene.toUpright.upright(x + 0.5, y + 0.5);
    return [left + u * scale, top + v * scale];
  }

  // The pixel of the map under a point of the canvas, or null outside the image.
  pixelAt(px, py) {
    const { scale, left, top } = this.placement;
    const [x, y] = this.scene.toUpright.stored((px - left) / scale, (py - top) / scale);
    if (x < 0 || y < 0 || x >= this.scene.width || y >= this.scene.height) return null;
    return [Math.floor(x), Math.floor(y)];
  }

  moveCursor(dx, dy) {
    const [sx, sy] = this.scene.toUpright.storedStep(dx, dy);
    const limit = (value, most) => Math.min(most - 1, Math.max(0, value));
    const { step, width, height } = this.scene;
    this.cursor = this.scene.snapped(
      limit(this.cursor[0] + sx * step, width), limit(this.cursor[1] + sy * step, height));
    this.showsCursor = true;
    this.probe.hoverAt(this.cursor);
  }

  draw() {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    if (!canvas.clientWidth || !canvas.clientHeight) return;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
    }
    const context = canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    this.drawLayers(context, ratio, this.placement);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawMarks(context, ratio);
  }

  // Photo, depth and holes at a placement; the loupe draws them at another one.
  drawLayers(context, ratio, placement) {
    const blend = this.photo ? this.blend : 1;
    this.drawImage(context, ratio, placement, this.photo, 1, true);
    this.drawImage(context, ratio, placement, this.layer, blend, false);
    this.drawHoles(context, ratio, placement, blend);
  }

  drawImage(context, ratio, placement, image, alpha, isSmooth) {
    if (!image || alpha === 0) return;
    const { scale, left, top } = placement;
    const { a, b, c, d, e, f } = this.scene.toUpright;
    const s = scale * ratio;
    context.setTransform(a * s, b * s, c * s, d * s, e * s + left * ratio, f * s + top * ratio);
    context.globalAlpha = alpha;
    context.imageSmoothingEnabled = isSmooth;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, this.scene.width, this.scene.height);
    context.globalAlpha = 1;
  }

  drawHoles(context, ratio, placement, blend) {
    if (!this.showsHoles || this.scene.validFraction === 1 || blend === 0) return;
    this.drawPattern(context, ratio, placement, this.holes, Math.min(1, 0.25 + blend),
      this.hatchPattern(context, ratio));
  }

  // A mask filled with a pattern whose strokes are as wide at any scale.
  drawPattern(context, ratio, placement, mask, alpha, pattern) {
    const { width, height } = this.canvas;
    this.patterned ||= element('canvas');
    if (this.patterned.width !== width || this.patterned.height !== height) {
      Object.assign(this.patterned, { width, height });
    }
    const fill = this.patterned.getContext('2d');
    fill.setTransform(1, 0, 0, 1, 0, 0);
    fill.globalCompositeOperation = 'copy';
    fill.fillStyle = pattern;
    fill.fillRect(0, 0, width, height);
    fill.globalCompositeOperation = 'destination-in';
    this.drawImage(fill, ratio, placement, mask, 1, false);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = alpha;
    context.drawImage(this.patterned, 0, 0);
    context.globalAlpha = 1;
  }

  hatchPattern(context, ratio) {
    if (this.hatch?.ratio === ratio) return this.hatch.pattern;
    const size = Math.round(8 * ratio);
    const tile = element('canvas', { width: size, height: size });
    const stroke = tile.getContext('2d');
    stroke.fillStyle = '#23272e';
    stroke.fillRect(0, 0, size, size);
    stroke.strokeStyle = '#8d96a3';
    stroke.lineWidth = 1.2 * ratio;
    for (const offset of [-size, 0, size]) {
      stroke.beginPath();
      stroke.moveTo(offset - 1, size + 1);
      stroke.lineTo(offset + size + 1, -1);
      stroke.stroke();
    }
    this.hatch = { ratio, pattern: context.createPattern(tile, 'repeat') };
    return this.hatch.pattern;
  }

  drawMarks(context, ratio) {
    const { points, hover } = this.probe;
    const spots = points.map((point) => this.canvasPoint(point.x, point.y));
    Marks.draw(context, spots, this.probe.distanceText());
    if (this.showsCursor) Marks.crosshair(context, this.canvasPoint(...this.cursor));
    if (hover) this.drawHover(context, hover, ratio);
  }

  drawHover(context, hover, ratio) {
    const [x, y] = this.canvasPoint(hover.x, hover.y);
    this.loupe.draw(context, [x, y], ratio);
    if (!this.showsCursor) Marks.ring(context, [x, y]);
    const text = this.probe.hoverText(hover);
    Marks.label(context, [x, y < 44 ? y + 30 : y - 28], text);
  }
}
