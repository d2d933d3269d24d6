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
    const places = ruler.points.map((point) => cloud.placeOf(point.position));
    const [result] = ruler.results;
    if (ruler.tool === 'distance' && places.length === 2) {
      Marks.draw(context, places, result?.text ?? null);
      return;
    }
    for (let index = 1; index < places.length; index++) {
      if (places[index - 1] && places[index]) Marks.line(context, [places[index - 1], places[index]], null);
    }
    places.forEach((place, index) => { if (place) Marks.dot(context, place, index); });
    const labeled = { angle: places.length === 3 && places[1], plane: places[0], point: places[0] }[ruler.tool];
    if (labeled && result) Marks.label(context, [labeled[0], labeled[1] + 34], result.text);
  }

  drawPlane(context, plane, isLatest) {
    const places = this.ruler.outline(plane).map((position) => this.cloud.placeOf(position));
    if (places.some((place) => !place)) return;
    const path = new Path2D();
    places.forEach((place, index) => (index ? path.lineTo(...place) : path.moveTo(...place)));
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
    const placed = cloud.placer(Transform.product(cloud.orbit.matrix, cloud.worldFromAnchor));
    const corners = this.box.corners.map(placed);
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
