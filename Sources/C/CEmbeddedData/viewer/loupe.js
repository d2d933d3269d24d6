import { styleColor } from './element.js';

// A magnified corner of the image, so that one pixel can be chosen on an image drawn smaller
// than its map.
export class Loupe {
  static size = 132;
  static margin = 12;
  static pixelSize = 11;

  constructor(overlay) {
    this.overlay = overlay;
  }

  // Useful only while pixels of the map are smaller than a fingertip can tell apart.
  get isNeeded() {
    return this.overlay.placement.scale < 4 && this.overlay.canvas.clientWidth > 300;
  }

  // In the upper corner that is farther from the point.
  draw(context, [px, py], ratio) {
    if (!this.isNeeded) return;
    const { size, margin, pixelSize } = Loupe;
    const { canvas, placement } = this.overlay;
    const left = px > canvas.clientWidth / 2 ? margin : canvas.clientWidth - size - margin;
    const center = [left + size / 2, margin + size / 2];
    const zoom = pixelSize / placement.scale;
    context.save();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.beginPath();
    context.roundRect(left, margin, size, size, 12);
    context.fillStyle = styleColor('--stage');
    context.fill();
    context.save();
    context.clip();
    this.overlay.drawLayers(context, ratio, {
      scale: pixelSize,
      left: center[0] - (px - placement.left) * zoom,
      top: center[1] - (py - placement.top) * zoom,
    });
    context.restore();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawFrame(context, left, center);
    context.restore();
  }

  drawFrame(context, left, center) {
    const { size, margin, pixelSize } = Loupe;
    for (const [width, color] of [[3, 'rgb(0 0 0 / .6)'], [1.25, '#fff']]) {
      context.beginPath();
      context.rect(center[0] - pixelSize / 2, center[1] - pixelSize / 2, pixelSize, pixelSize);
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
    context.beginPath();
    context.roundRect(left, margin, size, size, 12);
    context.lineWidth = 1.5;
    context.strokeStyle = styleColor('--line-strong');
    context.stroke();
  }
}
