import { Marks } from './marks.js';
import { Transform } from './transform.js';

// What lies over the point cloud: marks, crosshair, and the axes of the camera frame.
export class CloudMarks {
  static axes = [
    ['X', [1, 0, 0], '#e5484d'], ['Y', [0, 1, 0], '#30a46c'], ['Z', [0, 0, 1], '#3e63dd'],
  ];

  constructor(canvas, cloud, probe) {
    Object.assign(this, { canvas, cloud, probe });
  }

  // The context of an empty canvas, in CSS pixels.
  begin() {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    return context;
  }

  draw() {
    const { canvas, cloud, probe } = this;
    const { clientWidth: width, clientHeight: height } = canvas;
    const context = this.begin();
    this.drawAxes(context, [34, height - 40]);
    if (cloud.canvas.matches(':focus-visible')) Marks.crosshair(context, [width / 2, height / 2]);
    const { points, hover } = probe;
    const hovered = hover?.position ? cloud.canvasPoint(hover.position) : null;
    if (hovered) Marks.ring(context, hovered);
    const spots = points.map((point) => cloud.canvasPoint(point.position));
    Marks.draw(context, spots, probe.distanceText());
  }

  // Turned as the cloud is; an axis that points at the eye has no room for its letter.
  drawAxes(context, [left, top]) {
    const { rotation } = this.cloud.orbit;
    const { worldFromCamera } = this.cloud;
    for (const [name, axis, color] of CloudMarks.axes) {
      const world = Transform.turned(worldFromCamera, axis);
      const [dx, dy] = [0, 1].map((row) =>
        rotation[row].reduce((sum, value, index) => sum + value * world[index], 0));
      context.beginPath();
      context.moveTo(left, top);
      context.lineTo(left + 22 * dx, top - 22 * dy);
      context.lineWidth = 2;
      context.strokeStyle = color;
      context.stroke();
      if (Math.hypot(dx, dy) < 0.25) continue;
      context.fillStyle = color;
      context.font = '600 11px system-ui, sans-serif';
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText(name, left + 30 * dx, top - 30 * dy);
    }
  }
}
