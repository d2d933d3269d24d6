import { ClipBox } from './clipbox.js';
import { CloudMarks } from './cloudmarks.js';
import { Marks } from './marks.js';
import { Transform } from './transform.js';

// What lies over the cloud of the viewer: chosen points, planes, the clip box, cameras, axes.
export class SpaceMarks extends CloudMarks {
  constructor(canvas, cloud, { ruler, box, cameras, handles }) {
    super(canvas, cloud, null);
    Object.assign(this, { ruler, box, cameras, handles });
  }

  draw() {
    const { canvas, cloud, ruler } = this;
    if (!cloud.scene) return;
    const context = this.begin();
    this.drawBox(context);
    this.cameras.draw(context);
    for (const plane of [ruler.planeBefore, ruler.plane]) {
      if (plane) this.drawPlane(context, plane, plane === ruler.plane);
    }
    this.drawPoints(context);
    this.handles.draw(context);
    this.drawAxes(context, [34, canvas.clientHeight - 40]);
    if (cloud.canvas.matches(':focus-visible')) {
      Marks.crosshair(context, [canvas.clientWidth / 2, canvas.clientHeight / 2]);
    }
  }

  drawPoints(context) {
    const { ruler, cloud } = this;
    const spots = ruler.points.map((point) => cloud.canvasPoint(point.position));
    const [result] = ruler.results;
    if (ruler.tool === 'distance' && spots.length === 2) {
      Marks.draw(context, spots, result?.text ?? null);
      return;
    }
    for (let index = 1; index < spots.length; index++) {
      if (spots[index - 1] && spots[index]) Marks.line(context, [spots[index - 1], spots[index]], null);
    }
    spots.forEach((spot, index) => { if (spot) Marks.dot(context, spot, index); });
    const labeled = { angle: spots.length === 3 && spots[1], plane: spots[0], point: spots[0] }[ruler.tool];
    if (labeled && result) Marks.label(context, [labeled[0], labeled[1] + 34], result.text);
  }

  drawPlane(context, plane, isLatest) {
    const spots = this.ruler.outline(plane).map((position) => this.cloud.canvasPoint(position));
    if (spots.some((spot) => !spot)) return;
    const path = new Path2D();
    spots.forEach((spot, index) => (index ? path.lineTo(...spot) : path.moveTo(...spot)));
    path.closePath();
    context.fillStyle = isLatest ? 'rgb(255 214 10 / .16)' : 'rgb(255 255 255 / .1)';
    context.fill(path);
    for (const [width, color] of [[4, 'rgb(0 0 0 / .55)'], [2, isLatest ? '#ffd60a' : '#fff']]) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke(path);
    }
  }

  drawBox(context) {
    if (!this.box.isOn || !this.box.limits) return;
    const { cloud } = this;
    const projected = cloud.projector(Transform.product(cloud.orbit.matrix, cloud.worldFromAnchor));
    const corners = this.box.corners.map(projected);
    context.lineWidth = 1.25;
    context.strokeStyle = 'rgb(110 140 235 / .9)';
    context.beginPath();
    for (const [from, to] of ClipBox.edges) {
      if (!corners[from] || !corners[to]) continue;
      context.moveTo(corners[from][0], corners[from][1]);
      context.lineTo(corners[to][0], corners[to][1]);
    }
    context.stroke();
  }
}
