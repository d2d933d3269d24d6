// A map of a frame beside its depth: sigma, confidence, a matte, what the file stored.
//
// `codes` are the numbers as they were sent, row by row; value = scale · code + offset, or on the line through
// two codes and their values. It covers the field of view of the depth map, at its own size.
export class FrameMap {
  constructor(part, unit = '') {
    this.name = part.name;
    this.width = part.width;
    this.height = part.height;
    this.codes = part.values;
    const { line } = part;
    this.scale = line ? (line[3] - line[1]) / (line[2] - line[0]) : part.scale ?? 1;
    this.offset = line ? line[1] - line[0] * this.scale : part.offset ?? 0;
    this.missing = part.missing;
    this.levels = part.levels ?? 255;
    this.unit = unit;
    if (this.codes.length !== this.width * this.height) {
      throw new Error(`${this.name} does not fit its size`);
    }
  }

  // The sample under the center of a pixel of the scene.
  indexAt(x, y, scene) {
    const column = Math.floor((x + 0.5) * this.width / scene.width);
    const row = Math.floor((y + 0.5) * this.height / scene.height);
    return Math.min(this.height - 1, row) * this.width + Math.min(this.width - 1, column);
  }

  value(index) {
    const code = this.codes[index];
    return code === this.missing ? NaN : this.scale * code + this.offset;
  }

  at(x, y, scene) {
    return this.value(this.indexAt(x, y, scene));
  }

  // As the file had it; a scaled number with its code.
  storedAt(x, y, scene) {
    const code = this.codes[this.indexAt(x, y, scene)];
    if (code === this.missing) return `${code} (nothing measured)`;
    if (!Number.isFinite(code)) return 'NaN';
    const unit = this.unit ? '\u00a0' + this.unit : '';
    if (this.scale === 1 && this.offset === 0) return FrameMap.numberText(code) + unit;
    return `${code} = ${FrameMap.numberText(this.scale * code + this.offset)}${unit}`;
  }

  static numberText(value) {
    return String(Number(value.toPrecision(6))).replace('-', '\u2212');
  }

  // 0 to 1 at each pixel: of a confidence or a matte.
  shareAt(index) {
    return this.value(index) / this.levels;
  }

  levelText(value) {
    if (this.levels === 2) return ['low', 'medium', 'high'][value] ?? String(value);
    return `${value}\u00a0of\u00a0${this.levels}`;
  }

  // All values as 32-bit floats; NaN where missing.
  values() {
    const { codes, scale, offset, missing } = this;
    if (codes instanceof Float32Array && scale === 1 && offset === 0 && missing === undefined) return codes;
    const values = new Float32Array(codes.length);
    for (let index = 0; index < codes.length; index++) {
      values[index] = codes[index] === missing ? NaN : scale * codes[index] + offset;
    }
    return values;
  }

  get byteSize() {
    return this.codes.byteLength;
  }
}
