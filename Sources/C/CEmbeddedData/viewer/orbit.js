// A camera that turns about a target. World: x right, y up, z towards the viewer.
export class Orbit {
  static fieldOfView = 0.7;
  static home = { yaw: -0.35, pitch: 0.12, roll: 0 };
  // Keys 1 to 6: front, back, left, right, top, bottom.
  static views = [[0, 0], [Math.PI, 0], [Math.PI / 2, 0], [-Math.PI / 2, 0],
    [0, Math.PI / 2], [0, -Math.PI / 2]];

  constructor() {
    this.yaw = 0;
    this.pitch = 0;
    this.roll = 0;
    this.distance = 1;
    this.target = [0, 0, 0];
    this.aspect = 1;
    this.radius = 1;
  }

  get state() {
    const { yaw, pitch, roll, distance } = this;
    return { yaw, pitch, roll, distance, target: [...this.target] };
  }

  set state(state) {
    Object.assign(this, state, { target: [...state.target] });
  }

  // A state of any origin: taken only if it is one.
  restore(state) {
    const numbers = [state?.yaw, state?.pitch, state?.roll ?? 0, state?.distance,
      ...(Array.isArray(state?.target) ? state.target : [])];
    if (numbers.length !== 7 || !numbers.every(Number.isFinite) || !(state.distance > 0)) return;
    const { yaw, pitch, roll = 0, distance, target } = state;
    this.state = { yaw, pitch, roll, distance, target };
  }

  // Along the screen, however the view is rolled.
  turn(dx, dy) {
    const [sine, cosine] = [Math.sin(this.roll), Math.cos(this.roll)];
    this.yaw += dx * cosine - dy * sine;
    const pitch = this.pitch + dx * sine + dy * cosine;
    this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, pitch));
  }

  // About the line of sight, counterclockwise.
  twist(angle) {
    this.roll = (this.roll + angle) % (2 * Math.PI);
  }

  zoom(factor) {
    this.distance = Math.min(this.radius * 40, Math.max(this.radius * 0.02, this.distance * factor));
  }

  // By a share of the height of the view, at the depth of the target.
  pan(dx, dy) {
    const reach = 2 * this.distance / this.focal[1];
    const rotation = this.rotation;
    for (let axis = 0; axis < 3; axis++) {
      this.target[axis] -=
        (rotation[0][axis] * dx - rotation[1][axis] * dy) * reach;
    }
  }

  // Rows of the rotation from world to eye: about y first, then about x, then about the line of sight.
  get rotation() {
    const [sy, cy] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    const [sp, cp] = [Math.sin(this.pitch), Math.cos(this.pitch)];
    const [sr, cr] = [Math.sin(this.roll), Math.cos(this.roll)];
    const [right, up] = [[cy, 0, sy], [sp * sy, cp, -sp * cy]];
    return [
      right.map((value, axis) => cr * value - sr * up[axis]),
      right.map((value, axis) => sr * value + cr * up[axis]),
      [-cp * sy, sp, cp * cy],
    ];
  }

  // Where the eye stands in the world.
  get eye() {
    const [, , back] = this.rotation;
    return this.target.map((value, axis) => value + this.distance * back[axis]);
  }

  // Both focal lengths in half views; the field of view belongs to the shorter side.
  get focal() {
    const focal = 1 / Math.tan(Orbit.fieldOfView / 2);
    return this.aspect >= 1 ? [focal / this.aspect, focal] : [focal, focal * this.aspect];
  }

  // Column-major clip-from-world matrix.
  get matrix() {
    const rotation = this.rotation;
    const [fx, fy] = this.focal;
    const near = Math.max(this.distance * 0.02, this.radius * 0.002);
    const far = this.distance + this.radius * 20;
    const depthScale = -(far + near) / (far - near);
    const depthOffset = -2 * far * near / (far - near);
    const shift = rotation.map((row) =>
      -(row[0] * this.target[0] + row[1] * this.target[1] + row[2] * this.target[2]));
    shift[2] -= this.distance;
    const matrix = new Float64Array(16);
    for (let axis = 0; axis < 3; axis++) {
      matrix[4 * axis] = fx * rotation[0][axis];
      matrix[4 * axis + 1] = fy * rotation[1][axis];
      matrix[4 * axis + 2] = depthScale * rotation[2][axis];
      matrix[4 * axis + 3] = -rotation[2][axis];
    }
    matrix[12] = fx * shift[0];
    matrix[13] = fy * shift[1];
    matrix[14] = depthScale * shift[2] + depthOffset;
    matrix[15] = -shift[2];
    return matrix;
  }

  static between(from, to, share) {
    const mix = (a, b) => a + (b - a) * share;
    return {
      yaw: mix(from.yaw, to.yaw),
      pitch: mix(from.pitch, to.pitch),
      roll: mix(from.roll, to.roll),
      distance: mix(from.distance, to.distance),
      target: from.target.map((value, axis) => mix(value, to.target[axis])),
    };
  }
}
