import { ColorMap } from './colormaps.js';
import { element } from './element.js';

// What the cloud's shaders read: the maps of a scene as they are, its photo, and the color table.
export class CloudTextures {
  static names = ['depthMap', 'rayGrid', 'sigmaMap', 'confidenceMap', 'inventedMap', 'photo', 'table', 'rankMap'];
  // Finer than any map; a larger photo only costs memory.
  static photoLimit = 4096;
  static gray = new Uint8Array([150, 150, 150, 255]);

  constructor(gl) {
    this.gl = gl;
    this.sizes = new Map();
    this.thinning = 1;
    // Maps of bytes have rows of any length.
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.textures = CloudTextures.names.map((name, unit) => {
      const texture = gl.createTexture();
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      const filter = name === 'photo' ? gl.LINEAR : gl.NEAREST;
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
      return texture;
    });
    this.units = Object.fromEntries(CloudTextures.names.map((name, unit) => [name, unit]));
  }

  // The most pixels of a side that this processor takes.
  get limit() {
    return this.gl.getParameter(this.gl.MAX_TEXTURE_SIZE);
  }

  // The maps beside depth have their own sizes, or are absent. Of one that is too large every few pixels are kept,
  // of depth every `thinning` in both directions.
  fill(scene) {
    const { gl } = this;
    const { sigmaMap, confidenceMap, inventedMap } = scene;
    this.thinning = this.uploadThinned(
      'depthMap', [scene.columns, scene.rows], gl.R32F, gl.FLOAT, scene.depth);
    this.upload('rayGrid', [scene.rayColumns, scene.rayRows], gl.RG32F, gl.RG, gl.FLOAT, scene.rays);
    this.uploadMap('sigmaMap', sigmaMap, gl.R32F, gl.FLOAT, sigmaMap?.values() ?? new Float32Array(1));
    for (const [name, map] of [['confidenceMap', confidenceMap], ['inventedMap', inventedMap]]) {
      this.uploadMap(name, map, gl.R8, gl.UNSIGNED_BYTE, CloudTextures.bytes(map));
    }
  }

  uploadMap(name, map, format, type, values) {
    this.uploadThinned(name, map ? [map.width, map.height] : [1, 1], format, type, values);
  }

  uploadThinned(name, [width, height], format, type, values) {
    const step = Math.ceil(Math.max(width, height) / this.limit);
    const size = [width, height].map((side) => Math.ceil(side / step));
    this.upload(name, size, format, this.gl.RED, type, CloudTextures.thinned(values, width, size, step));
    return step;
  }

  static thinned(values, width, [columns, rows], step) {
    if (step === 1) return values;
    const thin = new values.constructor(columns * rows);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        thin[row * columns + column] = values[step * (row * width + column)];
      }
    }
    return thin;
  }

  // Levels as bytes; other numbers as a share of 255.
  static bytes(map) {
    if (!map) return new Uint8Array(1);
    if (map.codes instanceof Uint8Array) return map.codes;
    const bytes = new Uint8Array(map.codes.length);
    for (let index = 0; index < bytes.length; index++) bytes[index] = 255 * map.shareAt(index);
    return bytes;
  }

  // A live frame of the same size goes into the storage of the one before.
  upload(name, [width, height], format, channels, type, values) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + this.units[name]);
    const size = `${width} ${height}`;
    if (this.sizes.get(name) === size) {
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, channels, type, values);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, channels, type, values);
      this.sizes.set(name, size);
    }
  }

  // An image whose memory was freed has no size any more.
  fillPhoto(photo) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + this.units.photo);
    if (photo?.width) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, this.fitting(photo));
    } else {
      gl.texImage2D(
        gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, CloudTextures.gray);
    }
  }

  fitting(photo) {
    const limit = Math.min(CloudTextures.photoLimit, this.limit);
    const share = limit / Math.max(photo.width, photo.height);
    if (share >= 1) return photo;
    const [width, height] = [photo.width, photo.height].map((side) => Math.max(1, Math.floor(side * share)));
    const canvas = element('canvas', { width, height });
    canvas.getContext('2d').drawImage(photo, 0, 0, width, height);
    return canvas;
  }

  // Row 0 maps depth, row 1 sigma and confidence: dark is little, bright is much. Equalized, depths come to their
  // positions by their ranks.
  fillTable(range) {
    const { gl } = this;
    const texels = new Uint8Array(2 * 256 * 4).fill(255);
    [range.ranks ? range.colors : range.table, ColorMap.table('viridis', true)].forEach((table, row) => {
      for (let index = 0; index < 256; index++) {
        texels.set(table.subarray(3 * index, 3 * index + 3), 4 * (256 * row + index));
      }
    });
    gl.activeTexture(gl.TEXTURE0 + this.units.table);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    const [size, positions] = range.ranks ? [256, range.ranks.positions] : [1, new Uint8Array(1)];
    this.upload('rankMap', [size, size], gl.R8, gl.RED, gl.UNSIGNED_BYTE, positions);
  }
}
