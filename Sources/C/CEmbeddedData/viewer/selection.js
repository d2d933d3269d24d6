// The line or the rectangle that is drawn on the image, in pixels of the map.
export class Selection {
  static tools = ['point', 'line', 'area'];

  constructor() {
    this.tool = 'point';
    this.clear();
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  setTool(tool) {
    if (!Selection.tools.includes(tool) || tool === this.tool) return;
    this.tool = tool;
    this.clear();
    this.changed();
  }

  clear() {
    this.start = this.end = null;
    this.isOpen = false;
  }

  begin(pixel) {
    this.start = this.end = pixel;
    this.isOpen = true;
    this.changed();
  }

  extend(pixel) {
    if (!this.isOpen || (this.end[0] === pixel[0] && this.end[1] === pixel[1])) return;
    this.end = pixel;
    this.changed();
  }

  finish() {
    this.isOpen = false;
    this.changed();
  }

  // Both ends, or null; what was drawn on a larger map may lie outside of a smaller one.
  within(scene) {
    if (!this.start || this.tool === 'point') return null;
    const isInside = ([x, y]) => x < scene.width && y < scene.height;
    return isInside(this.start) && isInside(this.end) ? [this.start, this.end] : null;
  }

  draw(context, canvasPoint) {
    if (!this.start || this.tool === 'point') return;
    const [a, b] = [canvasPoint(this.start), canvasPoint(this.end)];
    for (const [width, color] of [[4.5, 'rgb(0 0 0 / .55)'], [2, '#ffd60a']]) {
      context.beginPath();
      if (this.tool === 'line') {
        context.moveTo(...a);
        context.lineTo(...b);
      } else {
        context.rect(Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1]));
      }
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
    if (this.tool === 'line') this.drawEnds(context, [a, b]);
  }

  drawEnds(context, ends) {
    ends.forEach(([x, y], index) => {
      context.beginPath();
      context.arc(x, y, 5, 0, 2 * Math.PI);
      context.fillStyle = index === 0 ? '#fff' : '#ffd60a';
      context.strokeStyle = 'rgb(0 0 0 / .7)';
      context.lineWidth = 1.5;
      context.fill();
      context.stroke();
    });
  }
}
