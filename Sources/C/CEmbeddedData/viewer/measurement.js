import { ErrorSum, SharedErrors } from './sharederrors.js';
import { Symmetric3 } from './symmetric3.js';
import { cross, difference, dot, length, scaled } from './vectors.js';

// What is measured on points of the camera frame, each number with its standard uncertainty (1 σ) and its
// parts, by the law of PlumblineVerification/Measurement; see Documentation/measure.md.
//
// A point is `{ position: [X, Y, Z], ray: [X/Z, Y/Z], sensor }`: measured along its own ray, so that its
// own error is (x, y, 1)·δz with σ of δz = `sensor` (`sigma` where a scene does not tell them apart). What
// points share is in `SharedErrors`. A σ that is not above 0 is not known, and then neither is what
// depends on it: null.
// - Source: JCGM 100:2008 (GUM), 5.1.2, equation 10, and F.1.2.3.
export class Measurement {
  // Each coordinate with its ±.
  static position(point, shared) {
    return point.position.map((value, axis) =>
      new ErrorSum(shared).addPoint([0, 1, 2].map((other) => (other === axis ? 1 : 0)), point).value(value));
  }

  static distance(a, b, shared) {
    return ErrorSum.distance(a, b, shared);
  }

  // The angle at b between a and c, in radians.
  //
  // With unit vectors u and v from b towards a and c at angle θ: ∂θ/∂a = (u cos θ − v)/(|a − b| sin θ),
  // ∂θ/∂c alike, and ∂θ/∂b is minus both. Toward 0 and π no first derivative exists: null there.
  static angle(a, b, c, shared) {
    const [toA, toC] = [difference(a.position, b.position), difference(c.position, b.position)];
    const [lengthA, lengthC] = [length(toA), length(toC)];
    if (!(lengthA > 0) || !(lengthC > 0)) return { value: NaN, sigma: null };
    const [u, v] = [scaled(toA, 1 / lengthA), scaled(toC, 1 / lengthC)];
    const sine = length(cross(u, v));
    const cosine = dot(u, v);
    const atA = u.map((part, axis) => (part * cosine - v[axis]) / (lengthA * sine));
    const atC = v.map((part, axis) => (part * cosine - u[axis]) / (lengthC * sine));
    const atB = atA.map((part, axis) => -part - atC[axis]);
    const sum = new ErrorSum(shared).addPoint(atA, a).addPoint(atB, b).addPoint(atC, c);
    return Measurement.#derivable(sum.value(Math.atan2(sine, cosine)), sine);
  }

  // The plane that fits points best, by weighted least squares of their depths; null where none does.
  //
  // A plane that the camera sees from outside is q·p = 1, with q = n/d; on the ray r = (x, y, 1) it lies
  // at depth 1/(q·r). Minimized is Σ ((z − 1/(q·r))/σ)², in which only z is uncertain, by Gauss-Newton
  // from the solution of the linear problem Σ ((1/z − q·r)·z²/σ)². The covariance of q is the inverse of the
  // normal matrix; where the residuals are larger than σ and chance explain, it grows by χ²/(N − 3), and
  // by `noiseGrowth`, since neighbors share noise. A shared error moves each point along its ray by
  // q·D/(q·r), D being its displacement.
  // `sigmaAt(z)`, where given, replaces the points' own σ by that of the fitted depth: a weight from
  // the measured depth would favor points whose noise makes them seem near.
  // - Source: GUM, H.3 (least squares with uncertainties); R. T. Birge, Physical Review 40 (1932) 207,
  //   for the factor; Gauss-Newton as in any text.
  static plane(points, { shared = SharedErrors.none, sigmaAt = null, noiseGrowth = { mean: 1, slope: 1 } } = {}) {
    if (points.length < 4) return null;
    const fit = new PlaneFit(points, sigmaAt, noiseGrowth);
    return fit.isSolved ? fit.plane(shared) : null;
  }

  // By how much the variances of a mean and of a slope over an area of the map are larger than those of as many
  // independent points; `noiseLength` is the side in columns of the square whose mean has half of the
  // noise. As `RegionNoise` in PlumblineVerification.
  static noiseGrowth(count, area, noiseLength) {
    if (!(noiseLength > 0) || !count) return { mean: 1, slope: 1 };
    const variance = (wanted) => {
      const side = Math.max(1, wanted);
      return Math.max((noiseLength + 1) / (noiseLength + side), 1 / side) ** 2;
    };
    const side = Math.sqrt(Math.max(area, count));
    return {
      mean: Math.max(1, count * variance(side)),
      slope: Math.max(1, count * (variance(side / Math.SQRT2) - variance(side))),
    };
  }

  // The distance of a point from a plane, positive on the camera's side; the point is none of the
  // plane's own.
  //
  // D = (1 − q·p)/|q|, thus ∂D/∂q = −(p + D·q/|q|)/|q| and ∂D/∂p = −q/|q|.
  static distanceFromPlane(point, plane, shared) {
    const { q } = plane;
    const size = length(q);
    const value = (1 - dot(q, point.position)) / size;
    const gradient = point.position.map((part, axis) => -(part + value * q[axis] / size) / size);
    return new ErrorSum(shared).addPoint(scaled(q, -1 / size), point).addPlane(gradient, plane).value(value);
  }

  // The angle between the normals of two planes in radians, 0 to π; as of three points, with each
  // normal's errors in place of a point's.
  static angleOfPlanes(a, b, shared) {
    const sine = length(cross(a.normal, b.normal));
    const cosine = dot(a.normal, b.normal);
    const sum = new ErrorSum(shared);
    for (const [one, other] of [[a, b], [b, a]]) {
      sum.addPlane(other.normal.map((part, axis) =>
        (part - one.normal[axis] * cosine) / (sine * length(one.q))), one);
    }
    return Measurement.#derivable(sum.value(Math.atan2(sine, cosine)), sine);
  }

  static #derivable(result, sine) {
    return result.sigma < sine ? result : { ...result, sigma: null };
  }
}

// The least squares of one plane, in coordinates about the middle of its rays for precision.
class PlaneFit {
  static steps = 6;

  constructor(points, sigmaAt, noiseGrowth) {
    Object.assign(this, { points, sigmaAt, noiseGrowth });
    this.middle = [0, 1].map((axis) =>
      points.reduce((sum, point) => sum + point.ray[axis], 0) / points.length);
    this.rows = points.map(({ ray }) => [ray[0] - this.middle[0], ray[1] - this.middle[1], 1]);
    this.knowsSigma = points.every((point) => PlaneFit.own(point) > 0);
    this.solve();
  }

  static own(point) {
    return point.sensor === undefined ? point.sigma : point.sensor;
  }

  // That of its own depth, as much larger or smaller as the curve is at the fitted one.
  sigma(point, fittedDepth) {
    if (!this.knowsSigma) return 1;
    const there = this.sigmaAt?.(point.position[2]);
    return there > 0 ? PlaneFit.own(point) * this.sigmaAt(fittedDepth) / there : PlaneFit.own(point);
  }

  solve() {
    this.solution = [0, 0, 0];
    this.isSolved = this.step((point, row) => {
      const depth = point.position[2];
      return [scaled(row, -depth * depth), -depth, this.sigma(point, depth)];
    });
    this.change = Infinity;
    for (let step = 0; step < PlaneFit.steps && this.isSolved && this.change > 1e-10; step++) {
      this.isSolved = this.step((point, row) => {
        const fitted = 1 / dot(this.solution, row);
        if (!(fitted > 0)) return null;
        return [scaled(row, -fitted * fitted), point.position[2] - fitted, this.sigma(point, fitted)];
      });
    }
  }

  // One solution of the normal equations for what `linear` gives: derivative, residual, σ.
  step(linear) {
    const matrix = new Symmetric3();
    const right = [0, 0, 0];
    let squares = 0;
    for (let index = 0; index < this.points.length; index++) {
      const parts = linear(this.points[index], this.rows[index]);
      if (!parts) return false;
      const [derivative, residual, sigma] = parts;
      const weight = 1 / (sigma * sigma);
      matrix.add(derivative, weight);
      for (let axis = 0; axis < 3; axis++) right[axis] += derivative[axis] * residual * weight;
      squares += residual * residual * weight;
    }
    const inverse = matrix.inverse;
    if (!inverse) return false;
    const change = inverse.times(right);
    this.solution = this.solution.map((value, axis) => value + change[axis]);
    this.change = length(change) / length(this.solution);
    this.normalInverse = inverse;
    this.excess = squares / (this.points.length - 3);
    return true;
  }

  plane(shared) {
    const q = this.carried(this.solution);
    const size = length(q);
    if (!(size > 0)) return null;
    // About the middle of the rays the first two are slopes and the third is the depth there.
    const growth = this.growth * this.noiseGrowth.mean;
    const [slope, mean] = [this.noiseGrowth.slope, this.noiseGrowth.mean].map(Math.sqrt);
    const covariance = this.normalInverse.carried([
      [slope, 0, 0], [0, slope, 0], [-slope * this.middle[0], -slope * this.middle[1], mean],
    ]).scaled(this.growth);
    const sharedChanges = Array.from({ length: SharedErrors.count }, (_, index) => (shared.isZero(index) ? [0, 0, 0] :
      this.changeBy((point) => dot(q, shared.displacement(index, point.position)) / dot(q, [...point.ray, 1]))));
    const fitted = { q, covariance, sharedChanges };
    const ofGradient = (gradient, value) => new ErrorSum(shared).addPlane(gradient, fitted).value(value);
    const normal = scaled(q, -1 / size);
    const across = normal.map((part, axis) =>
      normal.map((other, index) => (part * other - (axis === index ? 1 : 0)) / size));
    return {
      ...fitted, normal, count: this.points.length,
      normalSigmas: across.map((row) => ofGradient(row, 0).sigma),
      distance: ofGradient(scaled(q, -1 / size ** 3), 1 / size),
      tilt: this.tilt(q, ofGradient),
      rms: this.rms(q, shared, growth),
      noiseRatio: this.knowsSigma ? Math.sqrt(this.excess) : null,
    };
  }

  // From coordinates about the middle of the rays to those of the camera.
  carried([a, b, c]) {
    return [a, b, c - a * this.middle[0] - b * this.middle[1]];
  }

  // How q answers to movements of the points along their rays.
  changeBy(movement) {
    const right = [0, 0, 0];
    this.points.forEach((point, index) => {
      const row = this.rows[index];
      const fitted = 1 / dot(this.solution, row);
      const weight = -fitted * fitted * movement(point) / this.sigma(point, fitted) ** 2;
      for (let axis = 0; axis < 3; axis++) right[axis] += row[axis] * weight;
    });
    return this.carried(this.normalInverse.times(right));
  }

  // By how much noise is larger than stated, as a variance: 1 unless χ² is beyond three of its own
  // standard deviations, √(2 ν) of ν; without a σ, the variance of the residuals itself.
  get growth() {
    if (!this.knowsSigma) return this.excess;
    const freedom = this.points.length - 3;
    return this.excess > 1 + 3 * Math.sqrt(2 / freedom) ? this.excess : 1;
  }

  // Between the plane's normal and the optical axis, radians: t = atan(h/c) with h the length of (a, b).
  // At t = 0 the direction of h is open: there the larger σ of any direction.
  tilt([a, b, c], ofGradient) {
    const across = Math.hypot(a, b);
    const square = across * across + c * c;
    const value = Math.atan2(across, c);
    if (across > 0) {
      return ofGradient([c * a / (across * square), c * b / (across * square), -across / square], value);
    }
    const both = [[1 / c, 0, 0], [0, 1 / c, 0]].map((gradient) => ofGradient(gradient, value));
    return both[0].sigma > both[1].sigma ? both[0] : both[1];
  }

  // The root of the mean square of the distances from the plane.
  //
  // A square of normal noise with standard deviation s has the mean s² and the variance 2 s⁴. Thus the
  // standard deviation of their mean's root is √(2 Σ s⁴)/(2 √(N Σ s²)), where s is σ of depth across the plane.
  // - Source: moments of the χ² distribution.
  rms(q, shared, growth) {
    const size = length(q);
    const count = this.points.length;
    let [squares, variance, fourth] = [0, 0, 0];
    for (const point of this.points) {
      const along = dot(q, [...point.ray, 1]);
      squares += ((dot(q, point.position) - 1) / size) ** 2;
      const noise = growth * (along / size * this.sigma(point, 1 / along)) ** 2;
      variance += noise;
      fourth += noise * noise;
    }
    const value = Math.sqrt(squares / count);
    const own = variance > 0 ? Math.sqrt(2 * fourth / (count * variance)) / 2 : 0;
    const [constant, perMeter, perMeterSquared] = shared.depth;
    const scale = value * size * Math.hypot(constant, perMeter / size, perMeterSquared / (size * size));
    return { value, sigma: Math.hypot(own, scale), parts: { sensor: own, calibration: 0, scale } };
  }
}
