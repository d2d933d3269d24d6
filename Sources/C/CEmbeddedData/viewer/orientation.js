// The EXIF orientation as an affine map from stored to upright positions, both measured from the
// outer corner of the first pixel.
export class Orientation {
  // X = a·x + c·y + e·width + g·height, Y = b·x + d·y + f·width + h·height
  static table = {
    1: [1, 0, 0, 1, 0, 0, 0, 0],
    2: [-1, 0, 0, 1, 1, 0, 0, 0],
    3: [-1, 0, 0, -1, 1, 0, 0, 1],
    4: [1, 0, 0, -1, 0, 0, 0, 1],
    5: [0, 1, 1, 0, 0, 0, 0, 0],
    6: [0, 1, -1, 0, 0, 0, 1, 0],
    7: [0, -1, -1, 0, 0, 1, 1, 0],
    8: [0, -1, 1, 0, 0, 1, 0, 0],
  };

  constructor(code, width, height) {
    const [a, b, c, d, e, f, g, h] = Orientation.table[code] || Orientation.table[1];
    Object.assign(this, { a, b, c, d });
    this.e = e * width + g * height;
    this.f = f * width + h * height;
    this.width = a === 0 ? height : width;
    this.height = a === 0 ? width : height;
  }

  upright(x, y) {
    return [this.a * x + this.c * y + this.e, this.b * x + this.d * y + this.f];
  }

  // The linear part is orthogonal, so its transpose undoes it.
  stored(x, y) {
    const dx = x - this.e;
    const dy = y - this.f;
    return [this.a * dx + this.b * dy, this.c * dx + this.d * dy];
  }

  storedStep(dx, dy) {
    return [this.a * dx + this.b * dy, this.c * dx + this.d * dy];
  }
}
