import { Transform } from './transform.js';

// The handles of the clip box in the view: one on each face, dragged along its axis. The sliders and numbers of the
// box do the same by keys.
export class ClipHandles {
  static colors = ['#e5484d', '#30a46c', '#3e63dd'];
  // From the border of the view, in CSS pixels.
  static margin = 18;
  // Sine of the angle below which an axis points so much at the eye that a pixel would move its face far.
  static leastSine = 0.2;

  constructor(cloud, box) {
    Object.assign(this, { cloud, box, held: null });
  }

  get clipFromAnchor() {
    return Transform.product(this.cloud.orbit.matrix, this.cloud.worldFromAnchor);
  }

  // `{ axis, end, position, point, away }` of those that can be reached: in the middle of their face, or where the line
  // there leaves the view.
  get shown() {
    const { box, cloud } = this;
    if (!box.isOn || !box.limits || !cloud.scene) return [];
    const projected = cloud.projector(this.clipFromAnchor);
    const eye = cloud.eyeInAnchor;
    return box.faces.map(({ axis, end, middle, value }) => {
      for (let share = 1; share > 0; share -= 0.05) {
        const position = [...middle];
        position[axis] += (value - middle[axis]) * share;
        const point = projected(position);
        if (!point || !this.isInside(point)) continue;
        const sight = position.map((part, index) => part - eye[index]);
        const sine = Math.sqrt(1 - (sight[axis] / Math.hypot(...sight)) ** 2);
        return sine < ClipHandles.leastSine ? null : { axis, end, position, point, away: point[2] };
      }
      return null;
    }).filter((handle) => handle);
  }

  isInside([x, y]) {
    const { clientWidth, clientHeight } = this.cloud.canvas;
    const { margin } = ClipHandles;
    return x >= margin && y >= margin && x <= clientWidth - margin && y <= clientHeight - margin;
  }

  // The one at a point, the nearest to the eye of those in reach; or null.
  at([px, py], reach) {
    return this.shown.filter(({ point }) => Math.hypot(point[0] - px, point[1] - py) <= reach)
      .sort((a, b) => a.away - b.away)[0] ?? null;
  }

  // Takes the one at a point: `move(point)` and `end()` follow; null where none is.
  grip(point, reach) {
    const handle = this.at(point, reach);
    if (!handle) return null;
    const { axis, end, position } = handle;
    const along = this.along(handle);
    const start = along(point);
    this.held = handle;
    return {
      move: (to) => {
        const change = along(to) - start;
        if (Number.isFinite(change)) this.box.set(axis, end, position[axis] + change);
      },
      end: () => {
        this.held = null;
        this.cloud.request();
      },
    };
  }

  // The coordinate on the handle's axis that is seen closest to a point.
  //
  // On the screen the axis is a line; with u = (point − handle)·direction along it, the point at t is at
  // u = (a + b·t)/(w + v·t), which is solved for t. Behind the eye nothing is seen: NaN.
  along({ axis, position, point }) {
    const m = this.clipFromAnchor;
    const { clientWidth, clientHeight } = this.cloud.canvas;
    const ahead = [...position];
    ahead[axis] += 1e-3 * this.cloud.orbit.radius;
    const [x, y] = this.cloud.projector(m)(ahead);
    const [dx, dy] = [x - point[0], y - point[1]].map((part, _, both) => part / Math.hypot(...both));
    const row = (index) => m[index] * position[0] + m[4 + index] * position[1] + m[8 + index] * position[2] + m[12 + index];
    const numerator = (cx, cy, cw) =>
      dx * ((cx + cw) * clientWidth / 2 - point[0] * cw) + dy * ((cw - cy) * clientHeight / 2 - point[1] * cw);
    const a = numerator(row(0), row(1), row(3));
    const b = numerator(m[4 * axis], m[4 * axis + 1], m[4 * axis + 3]);
    const [w, v] = [row(3), m[4 * axis + 3]];
    return ([px, py]) => {
      const u = (px - point[0]) * dx + (py - point[1]) * dy;
      const t = (u * w - a) / (b - u * v);
      return w + v * t > 0 ? t : NaN;
    };
  }

  draw(context) {
    for (const { axis, end, point: [x, y] } of this.shown.sort((a, b) => b.away - a.away)) {
      const isHeld = this.held?.axis === axis && this.held.end === end;
      context.beginPath();
      context.arc(x, y, isHeld ? 12 : 10, 0, 2 * Math.PI);
      context.fillStyle = ClipHandles.colors[axis];
      context.fill();
      for (const [width, color] of [[4, 'rgb(0 0 0 / .45)'], [2, '#fff']]) {
        context.lineWidth = width;
        context.strokeStyle = color;
        context.stroke();
      }
      context.fillStyle = '#fff';
      context.font = '700 11px system-ui, sans-serif';
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText('XYZ'[axis], x, y + 0.5);
    }
  }
}
