// A surface as the server sends it: Documentation/formats/surface-view.md. Meters, x right, y up, z to the viewer as
// far as the scan knows what is up; triangles are counterclockwise seen from outside.
export class ScanMesh {
  static headerBytes = 20;

  // Throws for anything that is not a whole message.
  constructor(bytes) {
    const view = new DataView(bytes);
    const number = (index) => view.getUint32(4 * index, true);
    if (bytes.byteLength < ScanMesh.headerBytes || number(0) !== 0x314d4c50) throw new Error('This is no surface.');
    const [vertices, triangles, parts] = [number(2), number(3), number(4)];
    let offset = ScanMesh.headerBytes;
    const section = (Kind, count) => {
      if (offset + count * Kind.BYTES_PER_ELEMENT > bytes.byteLength) throw new Error('The surface is cut off.');
      const values = new Kind(bytes, offset, count);
      offset += count * Kind.BYTES_PER_ELEMENT;
      return values;
    };
    this.number = number(1);
    this.positions = section(Float32Array, 3 * vertices);
    this.triangles = section(Uint32Array, 3 * triangles);
    this.sigmas = parts & 1 ? section(Float32Array, vertices) : null;
    this.colors = parts & 2 ? section(Uint8Array, 3 * vertices) : null;
    for (const vertex of this.triangles) if (vertex >= vertices) throw new Error('The surface names a vertex that is not there.');
    this.scaleShare = null;
    this.normals = this.areaNormals();
    this.bounds = this.box();
  }

  // Normals by area, of any length.
  areaNormals() {
    const { positions: p, triangles: t } = this;
    const normals = new Float32Array(p.length);
    for (let corner = 0; corner < t.length; corner += 3) {
      const [a, b, c] = [3 * t[corner], 3 * t[corner + 1], 3 * t[corner + 2]];
      const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
      const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
      for (const at of [a, b, c]) {
        normals[at] += x;
        normals[at + 1] += y;
        normals[at + 2] += z;
      }
    }
    return normals;
  }

  box() {
    const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (let at = 0; at < this.positions.length; at++) {
      const axis = at % 3;
      if (this.positions[at] < low[axis]) low[axis] = this.positions[at];
      if (this.positions[at] > high[axis]) high[axis] = this.positions[at];
    }
    return { low, high };
  }

  // The first point on a ray where the surface faces it, as a triangle and its corners' shares, or null; O(triangles).
  // T. Möller, B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.
  hit([ox, oy, oz], [dx, dy, dz]) {
    const { positions: p, triangles: t } = this;
    let best = null;
    for (let corner = 0; corner < t.length; corner += 3) {
      const a = 3 * t[corner], b = 3 * t[corner + 1], c = 3 * t[corner + 2];
      const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
      const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
      const ax = dy * vz - dz * vy, ay = dz * vx - dx * vz, az = dx * vy - dy * vx;
      const volume = ux * ax + uy * ay + uz * az;
      if (!(volume > 0)) continue;
      const fx = ox - p[a], fy = oy - p[a + 1], fz = oz - p[a + 2];
      const second = (fx * ax + fy * ay + fz * az) / volume;
      if (second < 0 || second > 1) continue;
      const lx = fy * uz - fz * uy, ly = fz * ux - fx * uz, lz = fx * uy - fy * ux;
      const third = (dx * lx + dy * ly + dz * lz) / volume;
      if (third < 0 || second + third > 1) continue;
      const distance = (vx * lx + vy * ly + vz * lz) / volume;
      if (distance > 0 && !(best && distance >= best.distance)) {
        best = { distance, corner, shares: [1 - second - third, second, third] };
      }
    }
    return best && { corner: best.corner, shares: best.shares };
  }

  // What is known of the point of `hit`; null for what is not known.
  point({ corner, shares }) {
    const vertices = [0, 1, 2].map((next) => this.triangles[corner + next]);
    const blend = (values) => [0, 1, 2].map((axis) =>
      vertices.reduce((total, vertex, index) => total + shares[index] * values[3 * vertex + axis], 0));
    const sigma = this.sigmas
      ? vertices.reduce((total, vertex, index) => total + shares[index] * this.sigmas[vertex], 0) : NaN;
    const normal = blend(this.normals);
    const length = Math.hypot(...normal) || 1;
    return {
      position: blend(this.positions), normal: normal.map((value) => value / length),
      sigma: Number.isFinite(sigma) ? sigma : null,
    };
  }

  // The straight distance of two points and its standard uncertainty, meters: each end errs along its normal, and the
  // scale, where it is known, for both ends together.
  distance(a, b) {
    const difference = b.position.map((value, axis) => value - a.position[axis]);
    const value = Math.hypot(...difference);
    const ends = [a, b].map(({ normal, sigma }) => (sigma === null ? Infinity
      : sigma * Math.abs(normal.reduce((sum, part, axis) => sum + part * difference[axis], 0)) / (value || 1)));
    const sigma = Math.hypot(...ends, value * (this.scaleShare ?? 0));
    return { value, sigma: Number.isFinite(sigma) ? sigma : null };
  }
}
