import { Symmetric3 } from './symmetric3.js';
import { cross, difference, dot, length, scaled } from './vectors.js';

// What is measured on points of the camera frame, each number with its standard uncertainty (1 σ).
//
// A point is `{ position: [X, Y, Z], ray: [X/Z, Y/Z], sigma }`: measured along its own ray, so that its
// error is (x, y, 1)·δz with σ of δz = `sigma`. Errors of different points are taken as
// independent. The scale of lengths is uncertain by `lengthPercent` for all points together: it adds to
// each length its share, in quadrature, and nothing to an angle. A `sigma` that is not above 0 is not known,
// and then neither is what depends on it: null.
// - Source: JCGM 100:2008 (GUM), 5.1.2, equation 10: σ² = Σ (∂f/∂z · σ of z)².
export class Measurement {
  // Each coordinate with its ±: its own part of the ray, and its share of the scale.
  static position(point, lengthPercent) {
    const along = [...point.ray, 1];
    return point.position.map((value, axis) => ({
      value,
      sigma: Measurement.#combined(
        [[along[axis], point.sigma]], Math.abs(value), lengthPercent),
    }));
  }

  // ∂|b − a|/∂z of b is the part of b's ray along the line, u·(x, y, 1); of a the same, negative.
  static distance(a, b, lengthPercent) {
    const line = difference(b.position, a.position);
    const value = length(line);
    if (!(value > 0)) return { value: 0, sigma: null };
    const shares = [a, b].map((point) => [dot(line, [...point.ray, 1]) / value, point.sigma]);
    return { value, sigma: Measurement.#combined(shares, value, lengthPercent) };
  }

  // The angle at b between a and c, in radians.
  //
  // With unit vectors u and v from b towards a and c at angle θ: ∂θ/∂a = (u cos θ − v)/(|a − b| sin θ),
  // ∂θ/∂c alike, and ∂θ/∂b is minus both. Toward 0 and π no first derivative exists: null there.
  static angle(a, b, c) {
    const [toA, toC] = [difference(a.position, b.position), difference(c.position, b.position)];
    const [lengthA, lengthC] = [length(toA), length(toC)];
    if (!(lengthA > 0) || !(lengthC > 0)) return { value: NaN, sigma: null };
    const [u, v] = [scaled(toA, 1 / lengthA), scaled(toC, 1 / lengthC)];
    const sine = length(cross(u, v));
    const cosine = dot(u, v);
    const value = Math.atan2(sine, cosine);
    const atA = u.map((part, axis) => (part * cosine - v[axis]) / (lengthA * sine));
    const atC = v.map((part, axis) => (part * cosine - u[axis]) / (lengthC * sine));
    const atB = atA.map((part, axis) => -part - atC[axis]);
    const shares = [[atA, a], [atB, b], [atC, c]].map(([gradient, point]) =>
      [dot(gradient, [...point.ray, 1]), point.sigma]);
    const sigma = Measurement.#combined(shares, 0, null);
    return { value, sigma: sigma < sine ? sigma : null };
  }

  // The plane that fits points best, by weighted least squares of their depths; null where none does.
  //
  // A plane that the camera sees from outside is q·p = 1, with q = n/d; on the ray r = (x, y, 1) it lies
  // at depth 1/(q·r). Minimized is Σ ((z − 1/(q·r))/σ)², in which only z is uncertain, by Gauss-Newton
  // from the solution of the linear problem Σ ((1/z − q·r)·z²/σ)². The covariance of q is the inverse of the
  // normal matrix; where the residuals are larger than σ and chance explain, it grows by χ²/(N − 3).
  // `sigmaAt(z)`, where given, replaces the points' own σ by that of the fitted depth: a weight from
  // the measured depth would favor points whose noise makes them seem near.
  // - Source: GUM, H.3 (least squares with uncertainties); R. T. Birge, Physical Review 40 (1932) 207,
  //   for the factor; Gauss-Newton as in any text.
  static plane(points, { lengthPercent = null, sigmaAt = null } = {}) {
    if (points.length < 4) return null;
    const fit = new PlaneFit(points, sigmaAt);
    return fit.isSolved ? fit.plane(lengthPercent) : null;
  }

  // The distance of a point from a plane, positive on the camera's side; the point is none of the
  // plane's own.
  //
  // D = (1 − q·p)/|q|, thus ∂D/∂q = −(p − s·q/|q|)/|q| with s = −D the position along the normal q/|q|, and
  // ∂D/∂z = −q·r/|q|.
  static distanceFromPlane(point, plane, lengthPercent) {
    const { q, covariance } = plane;
    const size = length(q);
    const value = (1 - dot(q, point.position)) / size;
    const gradient = point.position.map((part, axis) => -(part + value * q[axis] / size) / size);
    const ofPlane = Math.sqrt(covariance.along(gradient));
    const share = dot(q, [...point.ray, 1]) / size;
    return {
      value,
      sigma: Measurement.#combined([[share, point.sigma], [1, ofPlane]], value, lengthPercent),
    };
  }

  // The angle between the normals of two planes in radians, 0 to π; as of three points, with each
  // normal's covariance in place of a point's.
  static angleOfPlanes(a, b) {
    const sine = length(cross(a.normal, b.normal));
    const cosine = dot(a.normal, b.normal);
    const value = Math.atan2(sine, cosine);
    const variance = [[a, b], [b, a]].reduce((sum, [one, other]) => {
      const inNormal = other.normal.map((part, axis) =>
        (one.normal[axis] * cosine - part) / sine);
      return sum + one.covariance.along(scaled(inNormal, 1 / length(one.q)));
    }, 0);
    const sigma = Math.sqrt(variance);
    return { value, sigma: sigma < sine ? sigma : null };
  }

  // The root of the sum of squares of shares and of the scale's part; null where a σ is not known.
  static #combined(shares, size, lengthPercent) {
    if (shares.some(([, sigma]) => !(sigma > 0))) return null;
    return Math.hypot(...shares.map(([share, sigma]) => share * sigma), size * (lengthPercent || 0) / 100);
  }
}

// The least squares of one plane, in coordinates about the middle of its rays for precision.
class PlaneFit {
  static steps = 6;

  constructor(points, sigmaAt) {
    Object.assign(this, { points, sigmaAt });
    this.middle = [0, 1].map((axis) =>
      points.reduce((sum, point) => sum + point.ray[axis], 0) / points.length);
    this.rows = points.map(({ ray }) => [ray[0] - this.middle[0], ray[1] - this.middle[1], 1]);
    this.knowsSigma = points.every((point) => point.sigma > 0);
    this.solve();
  }

  sigma(point, fittedDepth) {
    if (!this.knowsSigma) return 1;
    const curve = this.sigmaAt?.(fittedDepth);
    return curve > 0 ? curve : point.sigma;
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

  plane(lengthPercent) {
    const [a, b, c] = this.solution;
    const q = [a, b, c - a * this.middle[0] - b * this.middle[1]];
    const size = length(q);
    if (!(size > 0)) return null;
    const covariance = this.normalInverse
      .carried([[1, 0, 0], [0, 1, 0], [-this.middle[0], -this.middle[1], 1]]).scaled(this.growth);
    const normal = scaled(q, -1 / size);
    const across = normal.map((part, axis) =>
      normal.map((other, index) => (axis === index ? 1 : 0) - part * other));
    const distance = 1 / size;
    return {
      q, covariance, normal, count: this.points.length,
      normalSigmas: across.map((row) => Math.sqrt(covariance.along(row)) / size),
      distance: {
        value: distance,
        sigma: Math.hypot(Math.sqrt(covariance.along(normal)) / (size * size),
          distance * (lengthPercent || 0) / 100),
      },
      tilt: this.tilt(q, covariance),
      rms: this.rms(q, lengthPercent),
      noiseRatio: this.knowsSigma ? Math.sqrt(this.excess) : null,
    };
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
  tilt([a, b, c], covariance) {
    const across = Math.hypot(a, b);
    const square = across * across + c * c;
    const value = Math.atan2(across, c);
    const gradient = across > 0
      ? [c * a / (across * square), c * b / (across * square), -across / square] : null;
    const sigma = Math.sqrt(gradient ? covariance.along(gradient)
      : Math.max(covariance.along([1, 0, 0]), covariance.along([0, 1, 0])) / square);
    return { value, sigma };
  }

  // The root of the mean square of the distances from the plane.
  //
  // A square of normal noise with standard deviation s has the mean s² and the variance 2 s⁴. Thus the
  // standard deviation of their mean's root is √(2 Σ s⁴)/(2 √(N Σ s²)), where s is σ of depth across the plane.
  // - Source: moments of the χ² distribution.
  rms(q, lengthPercent) {
    const size = length(q);
    const count = this.points.length;
    let [squares, variance, fourth] = [0, 0, 0];
    for (const point of this.points) {
      const along = dot(q, [...point.ray, 1]);
      squares += ((dot(q, point.position) - 1) / size) ** 2;
      const noise = this.growth * (along / size * this.sigma(point, 1 / along)) ** 2;
      variance += noise;
      fourth += noise * noise;
    }
    const value = Math.sqrt(squares / count);
    const own = variance > 0 ? Math.sqrt(2 * fourth / (count * variance)) / 2 : 0;
    return { value, sigma: Math.hypot(own, value * (lengthPercent || 0) / 100) };
  }
}
