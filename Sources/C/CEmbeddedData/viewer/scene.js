import { bytesOf } from './base64.js';
import { byID } from './element.js';
import { Orientation } from './orientation.js';
import { Quantity } from './quantity.js';
import { ErrorSum, SharedErrors } from './sharederrors.js';

// A depth map and all that is computed from it: of the report, or of one frame in the viewer.
//
// `storedMap`, `sigmaMap`, `confidenceMap`, `inventedMap`, `residualMap` with `residualSigmaMap` (each a FrameMap
// or absent), `mattes` (FrameMaps by name) and `estimate` come with frames of the viewer; the report has none.
//
// Frame: camera, x right, y down, z forward; pixels of the stored map, first pixel center = 0.
export class DepthScene {
  constructor(parameters, depth, rays) {
    Object.assign(this, parameters);
    this.columns = Math.ceil(this.width / this.step);
    this.rows = Math.ceil(this.height / this.step);
    if (depth.length !== this.columns * this.rows) throw new Error('depth does not fit its size');
    if (rays.length !== 2 * this.rayColumns * this.rayRows) throw new Error('rays do not fit');
    this.depth = depth;
    this.rays = rays;
    this.quantity = new Quantity(this.metric);
    this.sharedErrors = SharedErrors.of(this);
    this.toUpright = new Orientation(this.orientation, this.width, this.height);
    this.mattes ||= new Map();
    let count = 0;
    for (let index = 0; index < depth.length; index++) if (depth[index] > 0) count++;
    this.validCount = count;
    this.validFraction = count / depth.length;
  }

  // A scene with nothing in it, for a page that has no frame yet.
  static empty(width = 4, height = 3) {
    const parameters = {
      width, height, step: 1, metric: true, calibrated: false, orientation: 1, rayColumns: 2, rayRows: 2,
      lengthPercent: null,
    };
    return new DepthScene(parameters, new Float32Array(width * height), new Float32Array(8));
  }

  // Of a sample spread over the map: a live stream has no time to sort all of it.
  quantile(fraction) {
    this.sorted ||= this.sortedSample();
    const { sorted } = this;
    return sorted.length ? sorted[Math.round(fraction * (sorted.length - 1))] : NaN;
  }

  sortedSample(most = 1 << 14) {
    const { depth } = this;
    const step = Math.max(1, Math.ceil(depth.length / most));
    // A stride without a common divisor with the width meets all columns.
    const stride = step === 1 ? 1 : [0, 1, 2, 3, 4, 5].map((more) => step + more)
      .find((candidate) => DepthScene.areCoprime(candidate, this.columns)) || step;
    const sample = new Float32Array(Math.ceil(depth.length / stride));
    let count = 0;
    for (let index = 0; index < depth.length; index += stride) {
      if (depth[index] > 0) sample[count++] = depth[index];
    }
    return sample.subarray(0, count).sort();
  }

  static areCoprime(a, b) {
    return b === 0 ? a === 1 : DepthScene.areCoprime(b, a % b);
  }

  static fromPage() {
    const text = (id) => byID(id).textContent.trim();
    const source = text('plumbline-scene');
    if (!source) return null;
    const floats = (id) => new Float32Array(bytesOf(text(id)).buffer);
    const parameters = JSON.parse(source);
    if (!parameters.width || !parameters.height) return null;
    const scene = new DepthScene(parameters, floats('plumbline-depth'), floats('plumbline-rays'));
    const photo = text('plumbline-color');
    scene.photoBytes = photo ? bytesOf(photo) : null;
    return scene;
  }

  // The photo as something that can be drawn, or null. Orientation belongs to the scene alone.
  async photo() {
    if (!this.photoBytes) return null;
    const blob = new Blob([this.photoBytes], { type: 'image/jpeg' });
    try {
      return await createImageBitmap(blob, { imageOrientation: 'none' });
    } catch {
      return createImageBitmap(blob).catch(() => null);
    }
  }

  // The depth of what stands in the middle: a lower quartile, since it stands before the rest.
  get subjectDepth() {
    const { columns, rows, depth } = this;
    const middle = [];
    for (let row = rows >> 2; row < rows - (rows >> 2); row += 2) {
      for (let column = columns >> 2; column < columns - (columns >> 2); column += 2) {
        const value = depth[row * columns + column];
        if (value > 0) middle.push(value);
      }
    }
    middle.sort((a, b) => a - b);
    return middle[middle.length >> 2] || this.quantile(0.5) || 1;
  }

  // Pixels that the page keeps; all of them unless the map was thinned out.
  snapped(x, y) {
    const snap = (value, count) =>
      Math.min(count - 1, Math.max(0, Math.round(value / this.step))) * this.step;
    return [snap(x, this.columns), snap(y, this.rows)];
  }

  depthAt(x, y) {
    return this.depth[(y / this.step) * this.columns + x / this.step];
  }

  // (x/z, y/z), bilinear between the samples of the grid.
  ray(x, y) {
    const column = this.width > 1 ? (x / (this.width - 1)) * (this.rayColumns - 1) : 0;
    const row = this.height > 1 ? (y / (this.height - 1)) * (this.rayRows - 1) : 0;
    const c0 = Math.max(0, Math.min(this.rayColumns - 2, Math.floor(column)));
    const r0 = Math.max(0, Math.min(this.rayRows - 2, Math.floor(row)));
    const c1 = Math.min(this.rayColumns - 1, c0 + 1);
    const r1 = Math.min(this.rayRows - 1, r0 + 1);
    const u = column - c0;
    const v = row - r0;
    const at = (c, r, axis) => this.rays[2 * (r * this.rayColumns + c) + axis];
    return [0, 1].map((axis) =>
      (1 - v) * ((1 - u) * at(c0, r0, axis) + u * at(c1, r0, axis)) +
      v * ((1 - u) * at(c0, r1, axis) + u * at(c1, r1, axis)));
  }

  // σ_Z of one pixel: measured where the frame brings it, else by its depth; null if not known.
  sigmaAt(x, y, depth) {
    if (!this.sigmaMap) return this.sigma(depth);
    const sigma = this.sigmaMap.at(x, y, this);
    return sigma >= 0 ? sigma : null;
  }

  // σ_Z of one sample by its depth.
  sigma(depth) {
    return Math.hypot(
      this.sigmaConstant || 0,
      (this.sigmaPerMeter || 0) * depth,
      (this.sigmaPerMeterSquared || 0) * depth * depth);
  }

  // σ of what a pixel has for itself: as `MeasurementErrors` in PlumblineVerification. Null if not known;
  // undefined where the scene does not tell it from what pixels share.
  sensorAt(x, y, depth) {
    if (!this.errors) return undefined;
    if (this.sigmaMap) return this.sigmaAt(x, y, depth);
    if (!this.errors.sensor) return null;
    const sigma = this.sensor(depth);
    const { middleConfidenceFactor: factor } = this.errors;
    if (!factor || !this.confidenceMap) return sigma;
    const level = this.confidenceMap.at(x, y, this);
    if (level >= this.confidenceMap.levels) return sigma;
    return 2 * level < this.confidenceMap.levels ? null : factor * sigma;
  }

  // The same by depth alone, for full confidence.
  sensor(depth) {
    if (!this.errors) return this.sigma(depth);
    const [constant, perMeter, perMeterSquared] = this.errors.sensor ?? [0, 0, 0];
    return Math.hypot(constant, perMeter * depth, perMeterSquared * depth * depth);
  }

  // What is known of one pixel; depth, sigma and position are null where nothing was measured.
  probe(x, y) {
    const [px, py] = this.snapped(x, y);
    const depth = this.depthAt(px, py);
    const unit = this.metric ? 'm' : 'relative';
    const more = this.moreAt(px, py);
    if (!(depth > 0)) {
      return { x: px, y: py, depth: null, sigma: null, position: null, unit, ...more };
    }
    const ray = this.ray(px, py);
    const position = [ray[0] * depth, ray[1] * depth, depth];
    const sigma = this.sigmaAt(px, py, depth);
    const sensor = this.sensorAt(px, py, depth);
    return { x: px, y: py, depth, sigma, sensor, position, ray, unit, ...more };
  }

  // What a frame says of a pixel besides its depth; members only for maps that are there.
  moreAt(x, y) {
    const more = {};
    if (this.storedMap) more.stored = this.storedMap.storedAt(x, y, this);
    if (this.confidenceMap) more.confidence = this.confidenceMap.at(x, y, this);
    if (this.inventedMap) more.invented = this.inventedMap.at(x, y, this) > 0;
    const origin = this.originAt(x, y);
    if (origin) more.origin = origin;
    const residual = this.residualMap?.at(x, y, this);
    if (Number.isFinite(residual)) {
      more.residual = residual;
      more.residualSigma = this.residualSigmaMap?.at(x, y, this) ?? null;
    }
    return more;
  }

  // Where a depth comes from, where it may come from something other than a sensor.
  originAt(x, y) {
    if (!(this.depthAt(x, y) > 0)) return null;
    if (this.estimate) return 'estimated';
    if (!this.inventedMap) return null;
    return this.inventedMap.at(x, y, this) > 0 ? 'filled in' : 'measured';
  }

  // The distance of two probed points with its ±.
  distance(a, b) {
    const { value, sigma } = ErrorSum.distance(a, b, this.sharedErrors);
    return { distance: value, sigma };
  }
}
