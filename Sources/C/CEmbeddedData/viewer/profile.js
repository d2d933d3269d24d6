import { Quantity } from './quantity.js';

// Depth along a line, or within a rectangle, of a scene; points are pixels of the map.
export class Profile {
  // 1.4826 · the median absolute deviation is σ of what is normally distributed.
  // - Source: Rousseeuw and Croux, 1993, Alternatives to the median absolute deviation.
  static sigmaFromDeviation = 1.4826;

  // One sample for each pixel along the longer axis, ends included.
  static line(scene, [ax, ay], [bx, by]) {
    const count = Math.max(Math.abs(bx - ax), Math.abs(by - ay)) + 1;
    const samples = [];
    for (let index = 0; index < count; index++) {
      const share = count > 1 ? index / (count - 1) : 0;
      const x = Math.round(ax + share * (bx - ax));
      const y = Math.round(ay + share * (by - ay));
      const depth = scene.depthAt(x, y);
      samples.push({
        x, y, along: Math.hypot(x - ax, y - ay),
        depth: depth > 0 ? depth : null,
        sigma: depth > 0 ? scene.sigmaAt(x, y, depth) : null,
      });
    }
    return { samples, length: Math.hypot(bx - ax, by - ay) };
  }

  // Corners are any two that lie opposite; both belong to the rectangle.
  static area(scene, [ax, ay], [bx, by]) {
    const [left, right] = [Math.min(ax, bx), Math.max(ax, bx)];
    const [top, bottom] = [Math.min(ay, by), Math.max(ay, by)];
    const total = (right - left + 1) * (bottom - top + 1);
    const depths = new Float64Array(total);
    let count = 0;
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const depth = scene.depthAt(x, y);
        if (depth > 0) depths[count++] = depth;
      }
    }
    const sorted = depths.subarray(0, count).sort();
    const median = Profile.median(sorted);
    const deviations = sorted.map((depth) => Math.abs(depth - median)).sort();
    return {
      left, top, right, bottom, total, count, sorted, median,
      fill: count / total,
      spread: count ? Profile.sigmaFromDeviation * Profile.median(deviations) : NaN,
      sigma: count ? Profile.medianSigma(scene, { left, top, right, bottom }, median) : null,
      nearest: count ? sorted[0] : NaN,
      farthest: count ? sorted[count - 1] : NaN,
    };
  }

  static median(sorted) {
    const { length } = sorted;
    if (!length) return NaN;
    return (sorted[(length - 1) >> 1] + sorted[length >> 1]) / 2;
  }

  // 1 σ of one pixel at the median: errors of neighbors go together, so more pixels do not lessen it.
  static medianSigma(scene, { left, top, right, bottom }, median) {
    if (!scene.sigmaMap) return scene.sigma(median);
    const sigmas = [];
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const sigma = scene.depthAt(x, y) > 0 ? scene.sigmaMap.at(x, y, scene) : NaN;
        if (sigma >= 0) sigmas.push(sigma);
      }
    }
    return sigmas.length ? Profile.median(sigmas.sort((a, b) => a - b)) : null;
  }

  // What a line says in words.
  static lineText(scene, { samples, length }) {
    const known = samples.filter(({ depth }) => depth !== null);
    const pixels = `${Quantity.fixed(length, 1)}\u00a0px`;
    if (!known.length) return [['Line', pixels], ['Depth', 'none along the line']];
    const depths = known.map(({ depth }) => depth);
    return [
      ['Line', pixels],
      ['Near – far', scene.quantity.span(Math.min(...depths), Math.max(...depths))],
      ['From', scene.quantity.length(known[0].depth, known[0].sigma)],
      ['To', scene.quantity.length(known[known.length - 1].depth, known[known.length - 1].sigma)],
      ['Filled', Quantity.percent(100 * known.length / samples.length, 3)],
    ];
  }

  static areaText(scene, area) {
    const size = `${area.right - area.left + 1} × ${area.bottom - area.top + 1}\u00a0px`;
    const filled = `${Quantity.percent(100 * area.fill, 3)} of ${area.total} pixels`;
    if (!area.count) return [['Area', size], ['Filled', filled]];
    const { factor, unit } = scene.quantity.unit(area.median);
    const spread = Quantity.significant(area.spread * factor, 2) + '\u00a0' + unit;
    return [
      ['Median', scene.quantity.length(area.median, area.sigma)],
      ['Spread', spread],
      ['Near – far', scene.quantity.span(area.nearest, area.farthest)],
      ['Filled', filled],
      ['Area', size],
    ];
  }
}
