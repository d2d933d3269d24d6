import { bytesOf } from './base64.js';
import { byID } from './element.js';

// A head at rest, how it can change, and what is known of each of its vertices.
//
// Frame: the camera's, x right, y down, z forward; meters. Triangles are counterclockwise seen from outside.
export class HeadMesh {
  static arrays = {
    f32: Float32Array, u32: Uint32Array, u16: Uint16Array, i16: Int16Array,
  };

  static fromPage() {
    const text = (id) => byID(id).textContent.trim();
    const source = text('plumbline-head');
    return source ? new HeadMesh(JSON.parse(source), bytesOf(text('plumbline-head-data')).buffer) : null;
  }

  // `parameters`: as Documentation/faces-page.md says; `data`: what its sections lie in.
  constructor(parameters, data) {
    const section = (name) => {
      const { type, offset, count } = parameters.sections[name] ?? {};
      return type ? new HeadMesh.arrays[type](data, offset, count) : null;
    };
    Object.assign(this, {
      rest: section('positions'), triangles: section('triangles'), sources: section('sources'),
      coordinates: section('coordinates'), sigmas: section('sigmas'), residuals: section('residuals'),
      moved: section('moved'), deltas: section('deltas'),
      faceVertices: parameters.faceVertices ?? Infinity, targets: parameters.targets, scaleShare: parameters.scaleShare,
      cameraFromHead: parameters.cameraFromHead,
    });
    // The face first, then what was added to it: the back of the head, eyes, what closes openings.
    this.whole = this.triangles;
    this.face = this.whole.subarray(0, 3 * (parameters.faceTriangles ?? this.whole.length / 3));
    this.photoWeights = this.targets.map(({ weight }) => weight);
    this.weights = [...this.photoWeights];
    this.faceOpenings = HeadMesh.openings({ ...this, triangles: this.face });
    this.positions = new Float32Array(this.rest.length);
    this.normals = new Float32Array(this.rest.length);
    this.pose();
  }

  // Whether anything was added to the face.
  get hasParts() {
    return this.face.length < this.whole.length;
  }

  get showsParts() {
    return this.hasParts && this.triangles === this.whole;
  }

  // Shows the completed head or the face alone.
  set showsParts(shows) {
    this.triangles = shows ? this.whole : this.face;
    this.turnNormals();
  }

  // The openings of what is shown: parts close them.
  get openings() {
    return this.showsParts ? [] : this.faceOpenings;
  }

  // Whether a vertex was added to the face.
  isAdded(vertex) {
    return vertex >= this.faceVertices;
  }

  // Whether the surface is the photo's, by its expressions.
  get isAsInPhoto() {
    return this.weights.every((weight, index) => Math.abs(weight - this.photoWeights[index]) < 1e-6);
  }

  get isAtRest() {
    return this.weights.every((weight) => weight === 0);
  }

  // Moves the vertices by the weights.
  pose() {
    const { positions, rest, moved, deltas } = this;
    positions.set(rest);
    this.targets.forEach(({ start, count, step }, index) => {
      const factor = this.weights[index] * step;
      if (!factor) return;
      for (let entry = start; entry < start + count; entry++) {
        const at = 3 * moved[entry];
        positions[at] += factor * deltas[3 * entry];
        positions[at + 1] += factor * deltas[3 * entry + 1];
        positions[at + 2] += factor * deltas[3 * entry + 2];
      }
    });
    this.turnNormals();
  }

  // Normals by area, of any length.
  turnNormals() {
    const { normals, sources } = this;
    normals.fill(0);
    for (let corner = 0; corner < this.triangles.length; corner += 3) {
      const normal = this.areaVector(corner);
      for (let next = 0; next < 3; next++) {
        const at = 3 * sources[this.triangles[corner + next]];
        for (let axis = 0; axis < 3; axis++) normals[at + axis] += normal[axis];
      }
    }
  }

  // Out of the triangle that begins at a corner, twice its area long.
  areaVector(corner) {
    const [a, b, c] = this.corners(corner);
    const [u, v] = [b, c].map((end) => end.map((value, axis) => value - a[axis]));
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  }

  // The vertices of the triangle that begins at a corner.
  vertices(corner) {
    return [0, 1, 2].map((next) => this.sources[this.triangles[corner + next]]);
  }

  corners(corner) {
    const { positions } = this;
    return this.vertices(corner).map((vertex) =>
      [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]]);
  }

  isMeasured(vertex) {
    return this.residuals ? !Number.isNaN(this.residuals[vertex]) : false;
  }

  // Square meters of the face, and of its triangles with three measured corners.
  get area() {
    const area = { whole: 0, measured: 0 };
    for (let corner = 0; corner < this.face.length; corner += 3) {
      const part = Math.hypot(...this.areaVector(corner)) / 2;
      area.whole += part;
      if (this.vertices(corner).every((vertex) => this.isMeasured(vertex))) area.measured += part;
    }
    return area;
  }

  // The first point on a ray of the camera frame where the surface faces it, as a triangle and its corners' shares,
  // or null. T. Möller, B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.
  hit(origin, direction) {
    let best = null;
    const cross = (u, v) =>
      [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const less = (u, v) => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
    for (let corner = 0; corner < this.triangles.length; corner += 3) {
      const [a, b, c] = this.corners(corner);
      const [u, v] = [less(b, a), less(c, a)];
      const across = cross(direction, v);
      const volume = dot(u, across);
      if (volume <= 0) continue;
      const from = less(origin, a);
      const second = dot(from, across) / volume;
      if (second < 0 || second > 1) continue;
      const along = cross(from, u);
      const third = dot(direction, along) / volume;
      if (third < 0 || second + third > 1) continue;
      const distance = dot(v, along) / volume;
      if (distance > 0 && !(best && distance >= best.distance)) best = { distance, corner, shares: [1 - second - third, second, third] };
    }
    return best && { corner: best.corner, shares: best.shares };
  }

  // What is known of the point of `hit`, where the surface lies now; null for what is not known.
  point({ corner, shares }) {
    const vertices = this.vertices(corner);
    const mixed = (values) => {
      // What is not known of a vertex matters only where it has a share.
      const sum = values ? vertices.reduce((total, vertex, index) =>
        (shares[index] ? total + shares[index] * values[vertex] : total), 0) : NaN;
      return Number.isFinite(sum) ? sum : null;
    };
    const blend = (values) => [0, 1, 2].map((axis) =>
      vertices.reduce((total, vertex, index) => total + shares[index] * values[3 * vertex + axis], 0));
    const normal = blend(this.normals);
    const length = Math.hypot(...normal) || 1;
    const residual = mixed(this.residuals);
    return {
      corner, shares, position: blend(this.positions), normal: normal.map((value) => value / length),
      sigma: mixed(this.sigmas), residual, isMeasured: residual !== null,
    };
  }

  // The straight distance of two points and its standard uncertainty, meters.
  //
  // A measured end errs along its line of sight and along its normal; the greater of its shares along the distance
  // counts. One that the model says errs in any direction. The scale errs for both ends together.
  distance(a, b) {
    const difference = b.position.map((value, axis) => value - a.position[axis]);
    const value = Math.hypot(...difference);
    const ends = [a, b].map((end) => {
      if (end.sigma === null) return Infinity;
      if (!end.isMeasured || !value) return end.sigma;
      const sight = Math.hypot(...end.position);
      const share = (vector, length) =>
        Math.abs(vector.reduce((sum, part, axis) => sum + part * difference[axis], 0)) / value / length;
      return end.sigma * Math.min(1, Math.max(share(end.normal, 1), share(end.position, sight)));
    });
    const sigma = Math.hypot(...ends, this.scaleShare === null ? Infinity : value * this.scaleShare);
    return { value, sigma: Number.isFinite(sigma) ? sigma : null };
  }

  // The borders of the surface as loops of vertices, but for the longest one: eyes, nostrils, and what else the model
  // leaves open.
  static openings({ triangles, sources, rest }) {
    const count = rest.length / 3;
    const edges = new Set();
    for (let corner = 0; corner < triangles.length; corner += 3) {
      const vertices = [0, 1, 2].map((next) => sources[triangles[corner + next]]);
      vertices.forEach((vertex, index) => edges.add(vertex * count + vertices[(index + 1) % 3]));
    }
    const following = new Map();
    for (const edge of edges) {
      const [from, to] = [Math.floor(edge / count), edge % count];
      if (!edges.has(to * count + from)) following.set(from, [...(following.get(from) ?? []), to]);
    }
    // Where triangles are turned around, a border has open ends: paths from these come first.
    const ends = new Map();
    for (const [from, list] of following) {
      ends.set(from, (ends.get(from) ?? 0) - list.length);
      for (const to of list) ends.set(to, (ends.get(to) ?? 0) + 1);
    }
    const firsts = [...following.keys()].sort((a, b) => ends.get(a) - ends.get(b));
    const loops = [];
    for (const first of firsts) {
      while (following.get(first).length) {
        // Loops may touch in a vertex: where a path comes back to itself, one is complete.
        const path = [];
        for (let vertex = first; ; vertex = following.get(vertex).pop()) {
          const before = path.indexOf(vertex);
          if (before >= 0) loops.push(path.splice(before));
          path.push(vertex);
          if (!following.get(vertex)?.length) break;
        }
        if (path.length > 2) loops.push(path);
      }
    }
    const length = (loop) => loop.reduce((sum, vertex, index) => {
      const next = loop[(index + 1) % loop.length];
      return sum + Math.hypot(...[0, 1, 2].map((axis) => rest[3 * vertex + axis] - rest[3 * next + axis]));
    }, 0);
    const lengths = loops.map(length);
    const longest = lengths.indexOf(Math.max(...lengths));
    return loops.filter((_, index) => index !== longest);
  }

  // A round number that nearly all of some values stay below.
  static fullScale(values, share, least) {
    const known = Array.from(values ?? []).filter(Number.isFinite).map(Math.abs).sort((a, b) => a - b);
    const wanted = known.length ? known[Math.min(known.length - 1, Math.floor(share * known.length))] : least;
    const power = 10 ** Math.floor(Math.log10(Math.max(wanted, least)));
    return [1, 2, 3, 5, 10].map((step) => step * power).find((step) => step >= wanted * (1 - 1e-9)) ?? least;
  }
}
