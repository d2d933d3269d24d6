// A camera that turns about a target. World: x right, y up, z towards the viewer.
export class Orbit {
  static fieldOfView = 0.7;
  static home = { yaw: -0.35, pitch: 0.12 };
  // Keys 1 to 6: front, back, left, right, top, bottom.
  static views = [[0, 0], [Math.PI, 0], [Math.PI / 2, 0], [-Math.PI / 2, 0],
    [0, Math.PI / 2], [0, -Math.PI / 2]];

  constructor() {
    this.yaw = 0;
    this.pitch = 0;
    this.distance = 1;
    this.target = [0, 0, 0];
    this.aspect = 1;
    this.radius = 1;
  }

  get state() {
    const { yaw, pitch, distance } = this;
    return { yaw, pitch, distance, target: [...this.target] };
  }

  set state(state) {
    Object.assign(this, state, { target: [...state.target] });
  }

  turn(dx, dy) {
    this.yaw += dx;
    this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.pitch + dy));
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

  // Rows of the rotation from world to eye: about y first, then about x.
  get rotation() {
    const [sy, cy] = [Math.sin(this.yaw), Math.cos(this.yaw)];
    const [sp, cp] = [Math.sin(this.pitch), Math.cos(this.pitch)];
    return [
      [cy, 0, sy],
      [sp * sy, cp, -sp * cy],
      [-cp * sy, sp, cp * cy],
    ];
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
      distance: mix(from.distance, to.distance),
      target: from.target.map((value, axis) => mix(value, to.target[axis])),
    };
  }
}
