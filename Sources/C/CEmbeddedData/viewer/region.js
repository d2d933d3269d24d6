// A part of the map: a circle about a pixel, or the rectangle between two.
export class Region {
  static shapes = ['circle', 'rectangle'];
  static percents = [0.5, 25];
  // More points make no better plane; a larger region is thinned out evenly.
  static pixelLimit = 8_000;

  constructor() {
    this.shape = 'circle';
    // The radius of the circle as a share of the longer side.
    this.percent = 4;
  }

  restore({ shape, percent }) {
    if (Region.shapes.includes(shape)) this.shape = shape;
    const [least, most] = Region.percents;
    if (Number.isFinite(percent)) this.percent = Math.min(most, Math.max(least, percent));
  }

  static radius(scene, percent) {
    return Math.max(2 * scene.step, Math.max(scene.width, scene.height) * percent / 100);
  }

  static bounds(scene, corners, shape, percent) {
    const [a, b] = [corners[0], corners[corners.length - 1]];
    const more = shape === 'circle' ? Region.radius(scene, percent) : 0;
    const limit = (value, length) => Math.min(length - 1, Math.max(0, value));
    return [[0, scene.width], [1, scene.height]].map(([axis, length]) => [
      limit(Math.min(a[axis], b[axis]) - more, length), limit(Math.max(a[axis], b[axis]) + more, length),
    ]);
  }

  // How far apart the pixels are that are taken.
  static step(scene, corners, shape, percent) {
    const [[left, right], [top, bottom]] = Region.bounds(scene, corners, shape, percent);
    const area = (right - left + 1) * (bottom - top + 1) / scene.step ** 2;
    return scene.step * Math.max(1, Math.ceil(Math.sqrt(area / Region.pixelLimit)));
  }

  static * pixels(scene, corners, shape, percent) {
    const [[left, right], [top, bottom]] = Region.bounds(scene, corners, shape, percent);
    const step = Region.step(scene, corners, shape, percent);
    const radius = Region.radius(scene, percent);
    const [centerX, centerY] = corners[0];
    const first = (value) => Math.ceil(value / scene.step) * scene.step;
    for (let y = first(top); y <= bottom; y += step) {
      for (let x = first(left); x <= right; x += step) {
        if (shape === 'circle' && Math.hypot(x - centerX, y - centerY) > radius) continue;
        yield [x, y];
      }
    }
  }

  static border(scene, corners, shape, percent) {
    const [[left, right], [top, bottom]] = Region.bounds(scene, corners, shape, percent);
    const count = 48;
    const shares = Array.from({ length: count }, (_, index) => index / count);
    if (shape === 'circle') {
      const radius = Region.radius(scene, percent);
      const limit = (value, [low, high]) => Math.min(high, Math.max(low, value));
      return shares.map((share) => [
        limit(corners[0][0] + radius * Math.cos(2 * Math.PI * share), [left, right]),
        limit(corners[0][1] + radius * Math.sin(2 * Math.PI * share), [top, bottom]),
      ]);
    }
    return [[left, top], [right, top], [right, bottom], [left, bottom]];
  }
}
