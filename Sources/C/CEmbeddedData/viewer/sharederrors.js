import { difference, dot, length, scaled } from './vectors.js';

// The errors that all points of a scene share, one standard deviation each: three of the camera (focal
// length, principal point in columns and rows), three of depth (a part of z, a constant, a part of z²).
// The law is that of `SharedErrors` and `ErrorSum` in PlumblineVerification; see Documentation/measure.md.
export class SharedErrors {
  static count = 6;
  static ofCamera = 3;

  constructor({ focalPercent = null, principalPointShare = [0, 0], sharedDepth = [0, 0, 0] }) {
    this.focalShare = (focalPercent || 0) / 100;
    this.principalPointShare = principalPointShare;
    this.depth = sharedDepth;
  }

  // Scenes that do not tell them apart have the scale of lengths alone.
  static of({ errors, lengthPercent }) {
    return new SharedErrors(errors ?? { sharedDepth: [0, (lengthPercent || 0) / 100, 0] });
  }

  static none = new SharedErrors({});

  // Whether one error is 0, and so moves nothing.
  isZero(index) {
    const [constant, perMeter, perMeterSquared] = this.depth;
    return [this.focalShare, ...this.principalPointShare, perMeter, constant, perMeterSquared][index] === 0;
  }

  // How one error moves a point when it is one standard deviation.
  displacement(index, [x, y, z]) {
    const [constant, perMeter, perMeterSquared] = this.depth;
    switch (index) {
      case 0: return [-this.focalShare * x, -this.focalShare * y, 0];
      case 1: return [-z * this.principalPointShare[0], 0, 0];
      case 2: return [0, -z * this.principalPointShare[1], 0];
      case 3: return [x * perMeter, y * perMeter, z * perMeter];
      case 4: return [x * constant / z, y * constant / z, constant];
      default: return [x, y, z].map((part) => part * perMeterSquared * z);
    }
  }
}

// The error of a number to first order: what each point has for itself adds in squares, what all share
// with its sign.
export class ErrorSum {
  constructor(shared) {
    this.shared = shared;
    this.variance = 0;
    this.changes = new Array(SharedErrors.count).fill(0);
    this.knowsSensor = true;
  }

  // The distance of two points: ∂|b − a|/∂b is the unit vector of the line, ∂/∂a the same, negative.
  static distance(a, b, shared) {
    const line = difference(b.position, a.position);
    const value = length(line);
    if (!(value > 0)) return { value: 0, sigma: null };
    return new ErrorSum(shared).addPoint(scaled(line, -1 / value), a).addPoint(scaled(line, 1 / value), b)
      .value(value);
  }

  // A point on which the number depends by a gradient.
  addPoint(gradient, point) {
    const sigma = point.sensor === undefined ? point.sigma : point.sensor;
    this.knowsSensor &&= sigma > 0;
    this.variance += (dot(gradient, [...point.ray, 1]) * sigma) ** 2;
    this.changes = this.changes.map((sum, index) =>
      sum + dot(gradient, this.shared.displacement(index, point.position)));
    return this;
  }

  // A plane on whose q it depends by a gradient.
  addPlane(gradient, plane) {
    this.variance += plane.covariance.along(gradient);
    this.changes = this.changes.map((sum, index) => sum + dot(gradient, plane.sharedChanges[index]));
    return this;
  }

  // With its parts; σ is null where that of a point is not known.
  value(value) {
    const camera = Math.hypot(...this.changes.slice(0, SharedErrors.ofCamera));
    const depth = Math.hypot(...this.changes.slice(SharedErrors.ofCamera));
    const sensor = this.knowsSensor ? Math.sqrt(this.variance) : null;
    const sigma = this.knowsSensor ? Math.hypot(sensor, camera, depth) : null;
    return { value, sigma, parts: { sensor, calibration: camera, scale: depth } };
  }
}
