// Tests measurement.js: against truth that is known, and each ± against 2000 seeded perturbations.
//
//   node measurement_test.mjs FOLDER    the folder of the viewer's files, as modules
//
// Prints one line for each check and "N passed, N failed"; exits 0 if none failed.
import { pathToFileURL } from 'node:url';

const module = (name) => import(pathToFileURL(`${process.argv[2]}/${name}`).href);
const { Measurement } = await module('measurement.js');
const { SharedErrors } = await module('sharederrors.js');

const trials = 2000;
// A standard deviation of 2000 samples is itself known to 1.6 %; the promise is 5 %.
const tolerance = 0.05;
let [passed, failed] = [0, 0];

function check(name, body) {
  try {
    body();
    passed++;
    console.log('ok    ' + name);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}: ${error.message}`);
  }
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

function expectClose(found, expected, allowed, what) {
  expect(Math.abs(found - expected) <= allowed, `${what}: expected ${expected}, found ${found}`);
}

// mulberry32; normal by Box and Muller.
function generator(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

const pointAt = (ray, depth, sigma) =>
  ({ ray, sigma, position: [ray[0] * depth, ray[1] * depth, depth], depth });

const perturbed = (point, normal, scale) => {
  const depth = (point.depth + point.sigma * normal());
  return { ...point, depth: depth * scale, position: [...point.ray, 1].map((part) => part * depth * scale) };
};

// The scatter of what is measured on perturbed points; the scale is one for all points of a trial.
function scatter(seed, points, percent, measured) {
  const normal = generator(seed);
  const values = [];
  for (let trial = 0; trial < trials; trial++) {
    const scale = 1 + percent / 100 * normal();
    values.push(measured(points.map((point) => perturbed(point, normal, scale))));
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / trials;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sigma: Math.sqrt(square / (trials - 1)) };
}

function expectScatter(seed, points, percent, measured, stated, what) {
  const { sigma } = scatter(seed, points, percent, measured);
  expect(Number.isFinite(sigma) && sigma > 0, `${what}: scatter ${sigma}`);
  expectClose(stated / sigma, 1, tolerance, `${what}: stated ± over scatter (${sigma})`);
}

const none = SharedErrors.none;
// An error of scale alone, in percent.
const ofScale = (percent) => new SharedErrors({ sharedDepth: [0, percent / 100, 0] });

const a = pointAt([-0.31, 0.22], 1.2, 0.004);
const b = pointAt([0.18, -0.09], 1.45, 0.007);
const c = pointAt([0.27, 0.36], 0.93, 0.003);

check('a distance is that of the points', () => {
  const found = Measurement.distance(pointAt([0, 0], 1, 0.01), pointAt([0.5, 0], 1, 0.01), none);
  expectClose(found.value, 0.5, 1e-15, 'distance');
});
check('the ± of a distance without scale is what noise does', () => {
  expectScatter(1, [a, b], 0, ([p, q]) => Measurement.distance(p, q, none).value,
    Measurement.distance(a, b, none).sigma, 'distance');
});
check('the ± of a distance with scale is what noise and scale do', () => {
  expectScatter(2, [a, b], 0.6, ([p, q]) => Measurement.distance(p, q, none).value,
    Measurement.distance(a, b, ofScale(0.6)).sigma, 'distance');
});
check('the ± of a position is what noise and scale do', () => {
  Measurement.position(a, ofScale(0.6)).forEach(({ value, sigma }, axis) => {
    expectClose(value, a.position[axis], 1e-15, 'position');
    // Noise moves a point along its ray, and so does the scale: both in quadrature.
    expectScatter(3 + axis, [a], 0.6, ([p]) => p.position[axis], sigma, 'XYZ'[axis]);
  });
});
check('an angle is that of the points', () => {
  const corner = [pointAt([0.2, 0], 1, 0.01), pointAt([0, 0], 1, 0.01), pointAt([0, 0.3], 1, 0.01)];
  expectClose(Measurement.angle(...corner, none).value, Math.PI / 2, 1e-15, 'angle');
});
check('the ± of an angle is what noise does, and scale does nothing to it', () => {
  expectScatter(6, [a, b, c], 0.6, (points) => Measurement.angle(...points, none).value,
    Measurement.angle(a, b, c, ofScale(0.6)).sigma, 'angle');
});
check('a straight angle has no first derivative and no ±', () => {
  const line = [-0.2, 0, 0.2].map((x) => pointAt([x, 0], 1, 0.01));
  const found = Measurement.angle(...line, none);
  expectClose(found.value, Math.PI, 1e-7, 'angle');
  expect(found.sigma === null, `± of ${found.sigma}`);
});
check('points at one position have no distance and no angle', () => {
  expect(Measurement.distance(a, a, ofScale(1)).value === 0, 'a distance');
  expect(Number.isNaN(Measurement.angle(a, a, b, none).value), 'an angle');
});
check('where σ is not known no ± is given', () => {
  const unknown = { ...b, sigma: 0 };
  expect(Measurement.distance(a, unknown, ofScale(0.6)).sigma === null, 'distance');
  expect(Measurement.angle(a, unknown, c, none).sigma === null, 'angle');
  expect(Measurement.position(unknown, ofScale(0.6)).every(({ sigma }) => sigma === null), 'position');
});

// Part of a plane n·p = d, seen through a grid of rays about a middle; σ grows with depth.
// Not `Math.hypot`, which takes a sixth of the time of these tests.
const sigmaAt = (depth) => Math.sqrt(0.0015 ** 2 + (0.0022 * depth * depth) ** 2);

function planePoints(normal, distance, [middleX, middleY], reach = 0.08, count = 9) {
  const points = [];
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      const ray = [middleX, middleY].map((middle, axis) =>
        middle + reach * (2 * [column, row][axis] / (count - 1) - 1));
      const depth = distance / (normal[0] * ray[0] + normal[1] * ray[1] + normal[2]);
      points.push(pointAt(ray, depth, sigmaAt(depth)));
    }
  }
  return points;
}

const degrees = Math.PI / 180;
const tilted = [Math.sin(35 * degrees) * 0.6, Math.sin(35 * degrees) * 0.8, Math.cos(35 * degrees)];
const points = planePoints(tilted, 1.1, [0.12, -0.2]);
const fit = (some) => Measurement.plane(some, { sigmaAt });

check('a plane without noise is found exactly', () => {
  const plane = Measurement.plane(points, { sigmaAt });
  expectClose(plane.tilt.value, 35 * degrees, 1e-12, 'tilt');
  expectClose(plane.distance.value, 1.1, 1e-12, 'distance');
  expectClose(plane.rms.value, 0, 1e-12, 'rms');
  plane.normal.forEach((value, axis) => expectClose(value, -tilted[axis], 1e-12, 'normal'));
  expect(plane.count === points.length, `${plane.count} points`);
});
check('a small far part of a plane is found exactly', () => {
  const plane = Measurement.plane(planePoints(tilted, 4, [0.5, 0.3], 0.002, 5), { sigmaAt });
  expectClose(plane.tilt.value, 35 * degrees, 1e-8, 'tilt');
});

// One perturbed fit states each ±, as in use.
const normal = generator(77);
const seen = points.map((point) => perturbed(point, normal, 1));
const plane = Measurement.plane(seen, { sigmaAt });
const scaled = Measurement.plane(seen, { sigmaAt, shared: ofScale(0.4) });

check('the ± of tilt is what noise does', () => {
  expectScatter(10, points, 0.4, (some) => fit(some).tilt.value, plane.tilt.sigma, 'tilt');
});
check('the ± of each part of the normal is what noise does', () => {
  for (let axis = 0; axis < 3; axis++) {
    expectScatter(
      11 + axis, points, 0, (some) => fit(some).normal[axis], plane.normalSigmas[axis], 'XYZ'[axis]);
  }
});
check('the ± of the distance from the camera is what noise and scale do', () => {
  expectScatter(14, points, 0, (some) => fit(some).distance.value, plane.distance.sigma, 'noise');
  expectScatter(15, points, 0.4, (some) => fit(some).distance.value, scaled.distance.sigma, 'both');
});
check('the ± of RMS is what noise does', () => {
  expectScatter(16, points, 0, (some) => fit(some).rms.value, plane.rms.sigma, 'rms');
});
check('the ± of the distance of a point from the plane is what noise and scale do', () => {
  const point = pointAt([-0.1, 0.15], 0.8, 0.0004);
  const exact = Measurement.plane(points, { sigmaAt });
  const along = tilted.reduce((sum, part, axis) => sum + part * point.position[axis], 0);
  const found = Measurement.distanceFromPlane(point, exact, none);
  expectClose(found.value, 1.1 - along, 1e-12, 'distance');
  const stated = Measurement.distanceFromPlane(point, scaled, ofScale(0.4));
  expectScatter(17, [...points, point], 0.4, (some) =>
    Measurement.distanceFromPlane(some[some.length - 1], fit(some.slice(0, -1)), none).value,
  stated.sigma, 'distance from the plane');
});
check('the ± of the angle between two planes is what noise does', () => {
  const other = planePoints([-0.7, 0.1, Math.sqrt(0.5)], 1.3, [-0.25, 0.1]);
  const found = Measurement.angleOfPlanes(plane, fit(other.map((point) => perturbed(point, normal, 1))), none);
  const truth = Math.acos(-0.7 * tilted[0] + 0.1 * tilted[1] + Math.sqrt(0.5) * tilted[2]);
  expectClose(found.value, truth, 4 * found.sigma, 'angle');
  expectScatter(18, [...points, ...other], 0, (some) => Measurement.angleOfPlanes(
    fit(some.slice(0, points.length)), fit(some.slice(points.length)), none).value, found.sigma, 'angle');
});
check('noise as stated leaves the mean of a fit at the truth', () => {
  const { mean, sigma } = scatter(19, points, 0, (some) => fit(some).distance.value);
  expectClose(mean, 1.1, 5 * sigma / Math.sqrt(trials) + 1e-5, 'mean distance');
});
check('more scatter than σ explains makes the ± larger', () => {
  const rough = points.map((point) => ({ ...perturbed({ ...point, sigma: 3 * point.sigma }, normal, 1),
    sigma: point.sigma }));
  const found = Measurement.plane(rough, { sigmaAt });
  expectClose(found.noiseRatio, 3, 0.25, 'ratio');
  expectClose(found.tilt.sigma / plane.tilt.sigma, 3, 0.35, '± of tilt');
});
check('without σ the residuals give the ±', () => {
  const found = Measurement.plane(seen.map((point) => ({ ...point, sigma: 0 })));
  expectClose(found.tilt.sigma / plane.tilt.sigma, 1, 0.2, '± of tilt');
  expect(found.noiseRatio === null, 'a ratio of noise');
});

// Every shared error at once: the camera's and those of depth, beside the noise of each point.
const all = new SharedErrors({
  focalPercent: 0.7, principalPointShare: [0.004, 0.006], sharedDepth: [0.004, 0.003, 0.002],
});

// Moves points by their own noise and, together, by one draw of each shared error.
function together(some, normal) {
  const draws = Array.from({ length: SharedErrors.count }, normal);
  return some.map((point) => {
    const { position, ...more } = perturbed(point, normal, 1);
    const moved = position.map((value, axis) => value + draws.reduce((sum, draw, index) =>
      sum + draw * all.displacement(index, point.position)[axis], 0));
    return { ...more, position: moved, depth: moved[2], ray: [moved[0] / moved[2], moved[1] / moved[2]] };
  });
}

function expectShared(seed, some, measured, stated, what) {
  const normal = generator(seed);
  const values = Array.from({ length: trials }, () => measured(together(some, normal)));
  const mean = values.reduce((sum, value) => sum + value, 0) / trials;
  const sigma = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (trials - 1));
  expectClose(stated / sigma, 1, tolerance, `${what}: stated ± over scatter (${sigma})`);
}

check('what points share moves them together: position, distance and angle', () => {
  Measurement.position(a, all).forEach(({ sigma }, axis) =>
    expectShared(30 + axis, [a], ([p]) => p.position[axis], sigma, 'XYZ'[axis]));
  expectShared(33, [a, b], ([p, q]) => Measurement.distance(p, q, none).value,
    Measurement.distance(a, b, all).sigma, 'distance');
  expectShared(34, [a, b, c], (some) => Measurement.angle(...some, none).value,
    Measurement.angle(a, b, c, all).sigma, 'angle');
});
check('what points share moves a plane: tilt, distance, normal', () => {
  const found = Measurement.plane(points, { sigmaAt, shared: all });
  expectShared(35, points, (some) => fit(some).tilt.value, found.tilt.sigma, 'tilt');
  expectShared(36, points, (some) => fit(some).distance.value, found.distance.sigma, 'distance');
  expectShared(37, points, (some) => fit(some).normal[0], found.normalSigmas[0], 'normal');
});
check('an error of scale changes no angle, and every length by its share', () => {
  const { parts } = Measurement.angle(a, b, c, ofScale(2));
  expectClose(parts.scale, 0, 1e-12, 'angle');
  const { value, parts: { scale } } = Measurement.distance(a, b, ofScale(2));
  expectClose(scale, 0.02 * value, 1e-12, 'distance');
});
check('what is no plane is refused', () => {
  expect(Measurement.plane(points.slice(0, 3), { sigmaAt }) === null, 'three points');
  expect(Measurement.plane(points.slice(0, 9), { sigmaAt }) === null, 'one line');
  expect(Measurement.plane([], {}) === null, 'nothing');
});

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
