import { Orbit } from './orbit.js';
import { Transform } from './transform.js';

// Where the view of a cloud begins.
export class HomeView {
  // Of half a view.
  static mostShift = 0.3;

  // Takes the orbit of a cloud home: turned a little off the photo's own view, about what stands in its middle, and
  // far enough to see most of what is behind, unless that makes the middle small.
  //
  // `home` is the orbit's state there, `center` its distance and target without balance, for other views.
  static of(cloud) {
    const { scene, orbit } = cloud;
    const depth = scene.subjectDepth;
    const corner = scene.ray(0, 0);
    const opposite = scene.ray(scene.width - 1, scene.height - 1);
    const middle = [0, 1].map((axis) => (corner[axis] + opposite[axis]) / 2 * depth);
    const half = [0, 1].map((axis) => Math.abs(opposite[axis] - corner[axis]) / 2 * depth);
    orbit.radius = Math.max(...half, 1e-6);
    const reach = Math.tan(Orbit.fieldOfView / 2);
    const near = Math.max(Math.hypot(...half) * 0.78 / reach, 1e-6);
    const behind = Math.max(0, (scene.quantile(0.9) || depth) - depth);
    const whole = near * (depth + behind) / depth - behind;
    const distance = Math.min(1.6 * near, Math.max(near, whole));
    const center = { distance, target: Transform.applied(cloud.worldFromCamera, [...middle, depth]) };
    orbit.state = { ...Orbit.home, ...center };
    HomeView.balance(cloud);
    return { home: orbit.state, center };
  }

  // Turned, what lies behind goes to one side: the view moves after it, by a share that leaves the middle near its
  // position.
  static balance(cloud) {
    const { orbit, canvas } = cloud;
    if (canvas.clientHeight) orbit.aspect = canvas.clientWidth / canvas.clientHeight;
    const projections = HomeView.projections(cloud);
    if (!projections[0].length) return;
    const { rotation, focal, distance } = orbit;
    projections.forEach((list, axis) => {
      list.sort((a, b) => a - b);
      const [low, high] = [0.04, 0.96].map((share) => list[Math.round(share * (list.length - 1))]);
      const { mostShift } = HomeView;
      const shift = Math.min(mostShift, Math.max(-mostShift, (low + high) / 2)) * distance / focal[axis];
      orbit.target = orbit.target.map((value, index) => value + shift * rotation[axis][index]);
    });
  }

  // Of a sample spread over the map, across and up, each in half views.
  static projections({ scene, clipFromCamera: m }) {
    const step = Math.max(1, Math.floor(scene.depth.length / 1499));
    const projections = [[], []];
    for (let index = 0; index < scene.depth.length; index += step) {
      const depth = scene.depth[index];
      if (!(depth > 0 && depth < Infinity)) continue;
      const [x, y] = scene.ray(index % scene.columns * scene.step, Math.floor(index / scene.columns) * scene.step);
      const row = (at) => (m[at] * x + m[4 + at] * y + m[8 + at]) * depth + m[12 + at];
      if (row(3) > 0) projections.forEach((list, axis) => list.push(row(axis) / row(3)));
    }
    return projections;
  }
}
