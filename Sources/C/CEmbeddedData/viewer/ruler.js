import { Measurement } from './measurement.js';
import { Quantity } from './quantity.js';
import { Region } from './region.js';

// The chosen points of the 3D view, and what is measured on them.
export class Ruler {
  static tools = ['point', 'distance', 'angle', 'plane'];
  static pointCounts = { point: 1, distance: 2, angle: 3, plane: 1 };
  static hints = {
    point: 'Choose a point.', distance: 'Choose two points.',
    angle: 'Choose three points; the angle is at the second.',
    plane: { circle: 'Choose the middle of a flat area.', rectangle: 'Choose two corners of a flat area.' },
  };

  constructor(isShown) {
    this.isShown = isShown;
    this.scene = null;
    this.tool = 'distance';
    this.region = new Region();
    this.clear();
  }

  clear() {
    this.points = [];
    this.corners = [];
    this.plane = null;
    this.planeBefore = null;
    this.failed = false;
  }

  setTool(tool) {
    if (!Ruler.tools.includes(tool)) return;
    this.tool = tool;
    this.clear();
  }

  // The same pixels on the next frame; those without depth there are left out.
  setScene(scene) {
    const fits = this.scene && this.scene.width === scene.width && this.scene.height === scene.height;
    this.scene = scene;
    if (!fits) {
      this.clear();
      return;
    }
    this.points = this.points.map((point) => scene.probe(point.x, point.y))
      .filter((point) => point.depth !== null);
    if (this.plane) this.plane = this.fitted(this.plane.corners, this.plane.shape, this.plane.percent);
  }

  get canMeasure() {
    return this.scene.calibrated;
  }

  pick(x, y) {
    const point = this.scene.probe(x, y);
    if (point.depth === null) return;
    if (this.tool === 'plane' && this.canMeasure && !this.plane) {
      this.corners = [...this.corners, [point.x, point.y]];
      const { shape, percent } = this.region;
      if (this.corners.length < (shape === 'circle' ? 1 : 2)) return;
      this.plane = this.fitted(this.corners, shape, percent);
      this.failed = !this.plane;
      this.corners = [];
      return;
    }
    const full = this.points.length >= Ruler.pointCounts[this.tool];
    this.points = full ? [point] : [...this.points, point];
  }

  // The plane stays as the one before, and another can be chosen.
  newPlane() {
    this.planeBefore = this.plane;
    this.plane = null;
    this.points = [];
  }

  // The plane through what is seen in a region, from what was measured there alone.
  fitted(corners, shape, percent) {
    const { scene } = this;
    const points = [];
    for (const [x, y] of Region.pixels(scene, corners, shape, percent)) {
      const point = scene.probe(x, y);
      const isInvented = scene.inventedMap && scene.inventedMap.at(point.x, point.y, scene) > 0;
      // A sensor that rates its pixels knows no ± of those that it trusts least.
      const isDistrusted = scene.errors?.sensor && point.sensor === null;
      if (point.depth !== null && !isInvented && !isDistrusted && this.isShown(point.position)) {
        points.push(point);
      }
    }
    const area = points.length * Region.step(scene, corners, shape, percent) ** 2;
    const plane = Measurement.plane(points, {
      shared: scene.sharedErrors,
      sigmaAt: scene.sigmaMap ? null : (depth) => scene.sensor(depth),
      noiseGrowth: Measurement.noiseGrowth(points.length, area, scene.errors?.noiseLength),
    });
    return plane && { ...plane, corners, shape, percent };
  }

  // Where the border of a plane's region lies on the plane, in the camera frame.
  outline(plane) {
    return Region.border(this.scene, plane.corners, plane.shape, plane.percent).map(([x, y]) => {
      const ray = [...this.scene.ray(x, y), 1];
      const depth = 1 / (plane.q[0] * ray[0] + plane.q[1] * ray[1] + plane.q[2]);
      return ray.map((part) => part * depth);
    });
  }

  get hint() {
    if (!this.scene) return '';
    if (!this.canMeasure && this.tool !== 'point') {
      return 'Nothing but depth can be measured: the capture has no calibration.';
    }
    if (this.failed) return 'No plane fits there; choose another area or size.';
    if (this.tool !== 'plane') {
      return this.points.length < Ruler.pointCounts[this.tool] ? Ruler.hints[this.tool] : '';
    }
    return this.plane ? 'Choose a point to measure its distance from the plane.'
      : Ruler.hints.plane[this.region.shape];
  }

  // Numbers as `{ label, text, value, sigma }`, in SI or in relative units; angles in radians.
  get results() {
    const { points, tool, scene } = this;
    if (!scene) return [];
    const shared = scene.sharedErrors;
    if (tool === 'point') return points.flatMap((point) => this.ofPoint(point));
    if (!this.canMeasure) return [];
    if (tool === 'distance' && points.length === 2) {
      return [this.length('Distance A–B', Measurement.distance(...points, shared))];
    }
    if (tool === 'angle' && points.length === 3) {
      return [this.angle('Angle at B', Measurement.angle(...points, shared))];
    }
    return tool === 'plane' && this.plane ? this.ofPlane(this.plane, shared) : [];
  }

  ofPoint(point) {
    const depth = this.length('Depth', { value: point.depth, sigma: point.sigma });
    if (!this.canMeasure) return [depth];
    const position = Measurement.position(point, this.scene.sharedErrors);
    return [depth, ...position.map((part, axis) => this.length('XYZ'[axis], part))];
  }

  ofPlane(plane, shared) {
    const { normal, normalSigmas } = plane;
    const results = this.points.slice(0, 1).map((point) => {
      const { value, sigma } = Measurement.distanceFromPlane(point, plane, shared);
      const where = value < 0 ? 'Behind the plane' : 'In front of the plane';
      return { ...this.length(where, { value: Math.abs(value), sigma }), value };
    });
    results.push(
      this.angle('Tilt', plane.tilt),
      this.length('Camera to plane', plane.distance),
      this.length('RMS', plane.rms),
      ...normal.map((value, axis) => ({
        label: 'Normal ' + 'XYZ'[axis], value, sigma: normalSigmas[axis],
        text: Quantity.withSigma(value, normalSigmas[axis], '').trim(),
      })));
    if (this.planeBefore) {
      const angle = Measurement.angleOfPlanes(this.planeBefore, plane, shared);
      results.push(this.angle('To the plane before', angle));
    }
    return results;
  }

  length(label, { value, sigma }) {
    return { label, value, sigma, text: this.scene.quantity.length(value, sigma) };
  }

  angle(label, { value, sigma }) {
    return { label, value, sigma, text: Ruler.degrees(value, sigma) };
  }

  static degrees(value, sigma) {
    const factor = 180 / Math.PI;
    if (!Number.isFinite(value)) return '—';
    if (!(sigma > 0)) return Quantity.fixed(value * factor, 1) + '°';
    const decimals = Quantity.decimals(sigma * factor);
    return `${Quantity.fixed(value * factor, decimals)}° ± ${Quantity.fixed(sigma * factor, decimals)}°`;
  }

  // What the numbers rest on.
  get notes() {
    const notes = [];
    const { results, scene } = this;
    if (!results.length) return notes;
    if (!scene.metric) notes.push('Scale and offset are not known; the ± is that of the noise alone.');
    else if (results.some(({ sigma }) => !(sigma > 0))) notes.push('Where no ± stands, it is not known.');
    if (this.plane && this.tool === 'plane') {
      notes.push(scene.errors?.noiseLength > 0
        ? `${this.plane.count} points; the ± counts that neighbors share noise.`
        : `${this.plane.count} points, their noise taken as independent.`);
      if (this.plane.noiseRatio > 1.2) {
        notes.push(`They scatter ${Quantity.significant(this.plane.noiseRatio)} × as much as σ says; ` +
          'the ± is larger by that.');
      }
    }
    notes.push(scene.lengthPercent === null
      ? '± is 1 σ of depth noise; the scale of lengths is not known.'
      : `± is 1 σ, with what all points share: ${Quantity.percent(scene.lengthPercent)} of a length.`);
    return notes;
  }

  // The radius acts on the plane that is there.
  restoreRegion(region) {
    this.region.restore(region);
    this.failed = false;
    this.corners = [];
    const { plane } = this;
    if (!plane || plane.shape !== 'circle' || this.region.shape !== 'circle') return;
    this.plane = this.fitted(plane.corners, 'circle', this.region.percent) ?? plane;
  }

  // What a pick changes.
  get copy() {
    const { points, corners, plane, planeBefore } = this;
    return { points, corners, plane, planeBefore };
  }

  get state() {
    const pixels = this.points.map(({ x, y }) => [x, y]);
    const { shape, percent } = this.region;
    return { tool: this.tool, pixels, shape, percent, plane: this.plane?.corners ?? null };
  }

  // Of any origin: what does not fit is ignored.
  restore(state) {
    if (!state || !this.scene) return;
    const isPixel = (pixel) => Array.isArray(pixel) && pixel.length === 2 &&
      Number.isInteger(pixel[0]) && Number.isInteger(pixel[1]) &&
      pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] < this.scene.width && pixel[1] < this.scene.height;
    const pixels = (list) => (Array.isArray(list) ? list.filter(isPixel).slice(0, 3) : []);
    this.clear();
    this.setTool(state.tool);
    this.region.restore(state);
    const corners = pixels(state.plane);
    if (this.tool === 'plane' && corners.length) for (const pixel of corners) this.pick(...pixel);
    for (const pixel of pixels(state.pixels)) this.pick(...pixel);
  }
}
