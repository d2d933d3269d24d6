// How near the nearest thing in a frame is, and whether that is too near.
//
// The same rules as the library's ProximityReading and ProximityAlert, which Documentation/proximity.md
// explains: a thing shows at least 10 cm² of itself, holes are never free space, and nothing flutters.
export class ProximityReading {
  static leastArea = 10e-4;
  // The upper bits of a positive float grow with it: steps of at most 2⁻¹⁰ of the depth.
  static shift = 13;
  static least = ProximityReading.key(2 ** -7);
  static most = ProximityReading.key(2 ** 7);

  static key(depth) {
    return new Uint32Array(new Float32Array([depth]).buffer)[0] >>> ProximityReading.shift;
  }

  // `region` in shares of the map: left, top, width, height.
  constructor(scene, region = [0, 0, 1, 1]) {
    const [left, right] = ProximityReading.span(region[0], region[2], scene.columns);
    const [top, bottom] = ProximityReading.span(region[1], region[3], scene.rows);
    this.window = { left, right, top, bottom };
    const { counts, total } = ProximityReading.count(scene, this.window);
    const pixels = (right - left) * (bottom - top);
    this.measuredShare = pixels ? total / pixels : 0;
    this.nearest = ProximityReading.reach(counts, ProximityReading.pixelArea(scene), Math.floor((pixels + 1) / 2));
    this.sigma = this.nearest === null ? null : this.meanSigma(scene);
  }

  static span(start, length, count) {
    const first = Math.min(Math.round(start * count), Math.max(count - 1, 0));
    const end = Math.min(Math.round((start + length) * count), count);
    return [first, count ? Math.max(end, first + 1) : first];
  }

  static count({ depth, columns }, { left, right, top, bottom }) {
    const { least, most, shift } = ProximityReading;
    const counts = new Uint32Array(most - least + 1);
    const bits = new Uint32Array(depth.buffer, depth.byteOffset, depth.length);
    let total = 0;
    for (let row = top; row < bottom; row++) {
      for (let index = row * columns + left; index < row * columns + right; index++) {
        if (!(depth[index] > 0)) continue;
        counts[Math.min(Math.max((bits[index] >>> shift) - least, 0), counts.length - 1)]++;
        total++;
      }
    }
    return { counts, total };
  }

  // What one sample shows of a surface at one meter that faces the camera, in square meters.
  static pixelArea(scene) {
    const middle = [(scene.width - 1) / 2, (scene.height - 1) / 2];
    const across = scene.ray(scene.width - 1, middle[1])[0] - scene.ray(0, middle[1])[0];
    const down = scene.ray(middle[0], scene.height - 1)[1] - scene.ray(middle[0], 0)[1];
    const columns = Math.max(1, scene.width - 1) / scene.step;
    const rows = Math.max(1, scene.height - 1) / scene.step;
    return Math.abs(across / columns * (down / rows));
  }

  static reach(counts, areaAtOneMeter, leastCount) {
    let area = 0;
    let count = 0;
    for (let step = 0; step < counts.length; step++) {
      if (!counts[step]) continue;
      const depth = ProximityReading.middle(step);
      area += counts[step] * areaAtOneMeter * depth * depth;
      count += counts[step];
      if (area >= ProximityReading.leastArea || count >= Math.max(leastCount, 1)) return depth;
    }
    return null;
  }

  static middle(step) {
    const key = step + ProximityReading.least;
    const ends = new Float32Array(new Uint32Array([key, key + 1].map((end) => (end << ProximityReading.shift) >>> 0)).buffer);
    return (ends[0] + ends[1]) / 2;
  }

  // That of the thing's own samples: their errors are largely common, so it does not fall with their number.
  meanSigma(scene) {
    if (!scene.sigmaMap) return scene.sigma(this.nearest);
    const { left, right, top, bottom } = this.window;
    let sum = 0;
    let count = 0;
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const depth = scene.depth[row * scene.columns + column];
        if (!(depth <= this.nearest)) continue;
        const sigma = scene.sigmaAt(column * scene.step, row * scene.step, depth);
        if (sigma === null) continue;
        sum += sigma;
        count++;
      }
    }
    return count ? sum / count : null;
  }
}

export class ProximityAlert {
  static leastInterval = 1;
  static confirmingFrames = 2;
  static leastMeasuredShare = 0.1;

  constructor(near) {
    this.near = near;
    this.hysteresis = near / 10;
    this.state = 'unknown';
    this.candidate = null;
    this.agreeing = 0;
    this.signaledAt = null;
  }

  // What to report, or null where there is nothing new.
  next(reading, seconds) {
    const seen = this.seen(reading);
    if (seen === this.state) {
      this.candidate = null;
    } else {
      this.agreeing = seen === this.candidate ? this.agreeing + 1 : 1;
      this.candidate = seen;
    }
    const isChange = this.candidate !== null && this.agreeing >= ProximityAlert.confirmingFrames;
    if (isChange) {
      this.state = seen;
      this.candidate = null;
    }
    const isSignal = this.state === 'near' && seen === 'near' && this.isDue(seconds);
    if (isSignal) this.signaledAt = seconds;
    return isChange || isSignal ? { state: this.state, isChange, isSignal } : null;
  }

  isDue(seconds) {
    return this.signaledAt === null
      || !(seconds >= this.signaledAt && seconds - this.signaledAt < ProximityAlert.leastInterval);
  }

  seen({ nearest, sigma, measuredShare }) {
    const isMeasured = measuredShare >= ProximityAlert.leastMeasuredShare;
    const limit = this.near + (this.state === 'near' ? this.hysteresis : 0);
    if (nearest !== null && nearest - (sigma || 0) <= limit) return 'near';
    if (isMeasured) return 'clear';
    // What came nearer than the sensor measures is a hole now, and still there.
    return this.state === 'near' ? 'near' : 'unknown';
  }
}
