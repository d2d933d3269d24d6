import { dot } from './vectors.js';

// A symmetric 3 × 3 matrix: a normal matrix, or a covariance.
export class Symmetric3 {
  constructor(rows = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]) {
    this.rows = rows;
  }

  // Adds weight · v vᵀ.
  add(vector, weight) {
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        this.rows[row][column] += weight * vector[row] * vector[column];
      }
    }
  }

  times(vector) {
    return this.rows.map((row) => dot(row, vector));
  }

  scaled(factor) {
    return new Symmetric3(this.rows.map((row) => row.map((value) => value * factor)));
  }

  // vᵀ M v, the variance along a gradient; roundings never make it negative.
  along(vector) {
    return Math.max(0, dot(vector, this.times(vector)));
  }

  // T M Tᵀ, for T as rows.
  carried(transform) {
    const half = transform.map((row) => this.times(row));
    return new Symmetric3(transform.map((row) => half.map((column) => dot(row, column))));
  }

  // By Cramer's rule, after the diagonal was brought to 1; null where columns hardly differ.
  get inverse() {
    const scale = [0, 1, 2].map((axis) => 1 / Math.sqrt(this.rows[axis][axis]));
    if (!scale.every((value) => Number.isFinite(value) && value > 0)) return null;
    const m = this.rows.map((row, i) => row.map((value, j) => value * scale[i] * scale[j]));
    const cofactor = (i, j) => {
      const [r0, r1] = [0, 1, 2].filter((row) => row !== i);
      const [c0, c1] = [0, 1, 2].filter((column) => column !== j);
      return ((i + j) % 2 ? -1 : 1) * (m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]);
    };
    const determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
    if (!(determinant > 1e-9)) return null;
    return new Symmetric3(m.map((row, i) =>
      row.map((_, j) => cofactor(i, j) / determinant * scale[i] * scale[j])));
  }
}
