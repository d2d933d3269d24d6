// Transforms of space as 16 numbers, column after column as WebGL takes them.
export class Transform {
  static get identity() {
    return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  }

  // From 16 numbers row after row, as poses are written; null unless they are a motion.
  static pose(rows) {
    if (!Array.isArray(rows) || rows.length !== 16 || !rows.every(Number.isFinite)) return null;
    const matrix = new Float64Array(16);
    for (let row = 0; row < 4; row++) {
      for (let column = 0; column < 4; column++) matrix[4 * column + row] = rows[4 * row + column];
    }
    return matrix;
  }

  // First b, then a.
  static product(a, b) {
    const matrix = new Float64Array(16);
    for (let column = 0; column < 4; column++) {
      for (let row = 0; row < 4; row++) {
        let sum = 0;
        for (let inner = 0; inner < 4; inner++) sum += a[4 * inner + row] * b[4 * column + inner];
        matrix[4 * column + row] = sum;
      }
    }
    return matrix;
  }

  // Of a rotation and a translation.
  static inverse(m) {
    const matrix = Transform.identity;
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) matrix[4 * column + row] = m[4 * row + column];
    }
    for (let row = 0; row < 3; row++) {
      matrix[12 + row] = -(m[4 * row] * m[12] + m[4 * row + 1] * m[13] + m[4 * row + 2] * m[14]);
    }
    return matrix;
  }

  static applied(m, [x, y, z]) {
    return [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
  }

  static turned(m, [x, y, z]) {
    return [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z);
  }
}
