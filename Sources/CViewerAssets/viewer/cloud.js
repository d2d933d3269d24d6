import { ColorMap } from './colormaps.js';
import { styleColor } from './element.js';
import { Orbit } from './orbit.js';
import { fragmentShader, vertexShader } from './shaders.js';

// The depth map as points in space, drawn with WebGL 2.
export class Cloud {
  static modes = ['photo', 'depth', 'sigma'];
  static splatSizes = [1, 1.4, 2, 3, 4.5];

  constructor(canvas, scene, range, probe) {
    Object.assign(this, { canvas, scene, range, probe });
    this.orbit = new Orbit();
    this.mode = 'depth';
    this.splatIndex = 2;
    this.photo = null;
    this.gl = canvas.getContext('webgl2', { antialias: false, preserveDrawingBuffer: true });
    if (!this.gl) return;
    this.collectPoints();
    this.aim();
    this.prepare();
    range.onChange(() => this.rangeChanged());
    probe.onChange(() => this.request());
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => { this.prepare(); this.request(); });
    new ResizeObserver(() => this.request()).observe(canvas);
  }

  get isAvailable() {
    return Boolean(this.gl);
  }

  collectPoints() {
    const { depth, columns, rows, step, width, height, validCount } = this.scene;
    this.positions = new Float32Array(3 * validCount);
    this.places = new Uint16Array(2 * validCount);
    let count = 0;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const z = depth[row * columns + column];
        if (!(z > 0)) continue;
        const [x, y] = [column * step, row * step];
        const ray = this.scene.ray(x, y);
        this.positions.set([ray[0] * z, ray[1] * z, z], 3 * count);
        this.places[2 * count] = Math.round((x + 0.5) / width * 65535);
        this.places[2 * count + 1] = Math.round((y + 0.5) / height * 65535);
        count++;
      }
    }
    this.count = count;
  }

  // The home view: turned a little off the photo's own, about what stands in its middle.
  aim() {
    const { scene } = this;
    const depth = scene.subjectDepth;
    const corner = scene.ray(0, 0);
    const opposite = scene.ray(scene.width - 1, scene.height - 1);
    const center = [0, 1].map((axis) => (corner[axis] + opposite[axis]) / 2 * depth);
    const half = [0, 1].map((axis) => Math.abs(opposite[axis] - corner[axis]) / 2 * depth);
    this.orbit.radius = Math.max(...half, 1e-6);
    const reach = Math.tan(Orbit.fieldOfView / 2);
    const distance = Math.max(Math.hypot(...half) * 0.78 / reach, 1e-6);
    const target = this.worldFromCamera([...center, depth]);
    this.home = { ...Orbit.home, distance, target };
    this.orbit.state = this.home;
  }

  // Upright, then y up and z towards the viewer.
  worldFromCamera([x, y, z]) {
    const { a, b, c, d } = this.scene.toUpright;
    return [a * x + c * y, -(b * x + d * y), -z];
  }

  get clipFromCamera() {
    const world = this.orbit.matrix;
    const matrix = new Float64Array(16);
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((axis, column) => {
      const image = this.worldFromCamera(axis);
      for (let row = 0; row < 4; row++) {
        matrix[4 * column + row] = image[0] * world[row] + image[1] * world[4 + row] +
          image[2] * world[8 + row];
      }
    });
    matrix.set(world.subarray(12), 12);
    return matrix;
  }

  prepare() {
    const { gl } = this;
    this.program = this.linked();
    this.uniforms = {};
    for (const name of ['clipFromCamera', 'splatScale', 'smallestSplat', 'depthRange',
      'sigmaRange', 'sigmaParts', 'colorMode', 'hidesOutside', 'photo', 'table']) {
      this.uniforms[name] = gl.getUniformLocation(this.program, name);
    }
    gl.bindVertexArray(gl.createVertexArray());
    this.upload(0, this.positions, 3, gl.FLOAT, false);
    this.upload(1, this.places, 2, gl.UNSIGNED_SHORT, true);
    this.textures = [gl.createTexture(), gl.createTexture()];
    this.fillPhoto();
    this.fillTable();
    gl.enable(gl.DEPTH_TEST);
  }

  linked() {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertexShader],
      [gl.FRAGMENT_SHADER, fragmentShader]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error('point cloud: ' + gl.getProgramInfoLog(program));
    }
    return program;
  }

  upload(location, values, size, type, isNormalized) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, isNormalized, 0, 0);
  }

  setPhoto(photo) {
    this.photo = photo;
    this.mode = photo ? 'photo' : this.mode;
    if (!this.isAvailable) return;
    this.fillPhoto();
    this.request();
  }

  fillPhoto() {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.textures[0]);
    this.filter(gl.LINEAR);
    const gray = new Uint8Array([150, 150, 150, 255]);
    if (this.photo) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, this.photo);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, gray);
    }
  }

  // Row 0 maps depth, row 1 sigma: dark is certain, bright is not.
  fillTable() {
    const { gl } = this;
    const texels = new Uint8Array(2 * 256 * 4).fill(255);
    [this.range.table, ColorMap.table('viridis', true)].forEach((table, row) => {
      for (let index = 0; index < 256; index++) {
        texels.set(table.subarray(3 * index, 3 * index + 3), 4 * (256 * row + index));
      }
    });
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.textures[1]);
    this.filter(gl.NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  }

  filter(kind) {
    const { gl } = this;
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, kind);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, kind);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  rangeChanged() {
    this.fillTable();
    this.request();
  }

  get sigmaRange() {
    return this.range.range.map((depth) => this.scene.sigma(depth));
  }

  request() {
    if (!this.isAvailable || this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame(() => { this.isRequested = false; this.draw(); });
  }

  draw() {
    const { gl, canvas, scene } = this;
    const ratio = Math.min(2, devicePixelRatio || 1);
    if (!canvas.clientWidth || gl.isContextLost()) return;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
    }
    this.orbit.aspect = width / height;
    gl.viewport(0, 0, width, height);
    gl.clearColor(...Cloud.background());
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(this.uniforms.clipFromCamera, false, this.clipFromCamera);
    const pitch = Math.abs(scene.ray(scene.width - 1, 0)[0] - scene.ray(0, 0)[0]) /
      Math.max(1, scene.width - 1) * scene.step;
    const slanted = Math.abs(scene.ray(scene.width - 1, 0)[1] - scene.ray(0, 0)[1]) /
      Math.max(1, scene.width - 1) * scene.step;
    const size = Cloud.splatSizes[this.splatIndex];
    gl.uniform1f(this.uniforms.splatScale,
      size * Math.hypot(pitch, slanted) * this.orbit.focal[1] * height / 2);
    gl.uniform1f(this.uniforms.smallestSplat, Math.max(1, size * 0.6) * ratio);
    gl.uniform2f(this.uniforms.depthRange, ...this.range.range);
    gl.uniform2f(this.uniforms.sigmaRange, ...this.sigmaRange);
    gl.uniform3f(this.uniforms.sigmaParts, scene.sigmaConstant || 0, scene.sigmaPerMeter || 0,
      scene.sigmaPerMeterSquared || 0);
    gl.uniform1i(this.uniforms.colorMode, Cloud.modes.indexOf(this.mode));
    gl.uniform1i(this.uniforms.hidesOutside, this.range.hidesOutside ? 1 : 0);
    gl.uniform1i(this.uniforms.photo, 0);
    gl.uniform1i(this.uniforms.table, 1);
    gl.drawArrays(gl.POINTS, 0, this.count);
    this.afterDraw?.();
  }

  static background() {
    const hex = styleColor('--stage').slice(1);
    return [0, 2, 4].map((start) => parseInt(hex.slice(start, start + 2), 16) / 255).concat(1);
  }

  // Where a point of the camera frame appears, in CSS pixels; null behind the eye.
  placeOf(position) {
    const m = this.clipFromCamera;
    const [x, y, z] = position;
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    if (w <= 0) return null;
    const u = (m[0] * x + m[4] * y + m[8] * z + m[12]) / w;
    const v = (m[1] * x + m[5] * y + m[9] * z + m[13]) / w;
    return [(u + 1) / 2 * this.canvas.clientWidth, (1 - v) / 2 * this.canvas.clientHeight];
  }

  // The pixel of the map whose point is seen at a place: of the points within reach, those of the
  // front surface, and of these the one closest to the place. O(n).
  pixelAt(px, py, reach = 8) {
    const m = this.clipFromCamera;
    const { positions } = this;
    const [halfWidth, halfHeight] = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
    const near = [];
    let front = Infinity;
    for (let index = 0; index < 3 * this.count; index += 3) {
      const [x, y, z] = [positions[index], positions[index + 1], positions[index + 2]];
      const w = m[3] * x + m[7] * y + m[11] * z + m[15];
      if (w <= 0 || this.range.isOutside(z)) continue;
      const dx = ((m[0] * x + m[4] * y + m[8] * z + m[12]) / w + 1) * halfWidth - px;
      if (dx > reach || dx < -reach) continue;
      const dy = (1 - (m[1] * x + m[5] * y + m[9] * z + m[13]) / w) * halfHeight - py;
      if (dx * dx + dy * dy > reach * reach) continue;
      near.push([w, dx * dx + dy * dy, index / 3]);
      front = Math.min(front, w);
    }
    const surface = near.filter(([w]) => w <= front + 0.05 * this.orbit.radius);
    if (!surface.length) return null;
    const [, , best] = surface.reduce((a, b) => (b[1] < a[1] ? b : a));
    return [0, 1].map((axis) => Math.round(
      this.places[2 * best + axis] / 65535 * (axis ? this.scene.height : this.scene.width) - 0.5));
  }
}
