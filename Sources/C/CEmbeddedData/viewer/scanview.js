import { CloudProgram } from './cloudprogram.js';
import { ColorMap } from './colormaps.js';
import { HeadMesh } from './headmesh.js';
import { Orbit } from './orbit.js';
import { lineFragmentShader, lineVertexShader, scanFragmentShader, scanVertexShader } from './scanshaders.js';
import { SurfaceView } from './surfaceview.js';

// Draws the surface of a scan and the path of its camera. The mesh may be replaced at any time, or not be there.
export class ScanView extends SurfaceView {
  static paints = ['color', 'sigma', 'plain'];
  static leastLights = { color: 0.7, sigma: 0.5, plain: 0.25 };

  constructor(canvas) {
    super(canvas, null);
    Object.assign(this, { path: new Float32Array(0), cameraLines: new Float32Array(0), isOwnView: false, facing: null });
    this.sigmaScale = 0.001;
    this.aim();
    this.begin();
  }

  setMesh(mesh) {
    this.mesh = mesh;
    // The edges of what was seen are unsure by so much that a scale for them would paint all else alike.
    this.sigmaScale = HeadMesh.fullScale(mesh.sigmas, 0.8, 0.0001);
    this.aim();
    if (this.gl) this.fillMesh();
    this.request();
  }

  // `points`: three numbers each; `camera`: center and ends of its axes, twelve numbers, or null.
  setPath(points, camera) {
    this.path = Float32Array.from(points);
    this.cameraLines = camera ? ScanView.frustum(camera, 0.08 * this.orbit.radius) : new Float32Array(0);
    if (camera && !this.facing) {
      this.facing = camera.slice(9, 12);
      this.aim();
    }
    this.isPathStale = true;
    this.request();
  }

  // Where a camera stands and looks, as pairs of points.
  static frustum(camera, size) {
    const [center, x, y, z] = [0, 3, 6, 9].map((start) => camera.slice(start, start + 3));
    const corner = (right, down) => center.map((value, axis) =>
      value + size * (z[axis] + 0.6 * right * x[axis] + 0.45 * down * y[axis]));
    const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    const lines = corners.flatMap((end, index) => [center, end, end, corners[(index + 1) % 4]]);
    return Float32Array.from(lines.flat());
  }

  // All of the surface in sight, from where the camera first looked; the reader's own view stays.
  aim() {
    const { low, high } = this.mesh?.bounds ?? { low: [-1, -1, -1], high: [1, 1, 1] };
    const half = low.map((value, axis) => (high[axis] - value) / 2);
    this.orbit.radius = Math.max(...half, 1e-3);
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth && clientHeight) this.orbit.aspect = clientWidth / clientHeight;
    const target = low.map((value, axis) => (value + high[axis]) / 2);
    const view = { ...Orbit.home };
    if (this.facing) {
      const [x, y, z] = this.facing;
      view.yaw = Math.atan2(x, -z) - 0.3;
      // A little from above.
      view.pitch = Math.max(-1.2, Math.min(1.2, 0.25 - Math.asin(Math.max(-1, Math.min(1, y)))));
    }
    this.center = { distance: ScanView.distance(half, view, this.orbit.focal), target };
    this.home = { ...view, ...this.center };
    if (!this.isOwnView) this.orbit.state = this.home;
  }

  // From where all corners of a box about the target are in sight.
  static distance(half, view, [fx, fy]) {
    const { rotation: [right, up, back] } = Object.assign(new Orbit(), view);
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const end = half.map((value, axis) => (corner >> axis & 1 ? value : -value));
      const along = (row) => row.reduce((sum, value, axis) => sum + value * end[axis], 0);
      distance = Math.max(distance, along(back) + Math.max(Math.abs(along(right)) * fx, Math.abs(along(up)) * fy));
    }
    return 1.05 * distance;
  }

  // Pilot calls it when the reader moves the view.
  requestMoving() {
    this.isOwnView = true;
    this.request();
  }

  prepare() {
    const { gl } = this;
    this.program = null;
    this.lineProgram = null;
    this.makeBuffers([3, 3, 3, 1]);
    this.drawnCount = 0;
    gl.bindVertexArray(null);
    this.lineArray = gl.createVertexArray();
    gl.bindVertexArray(this.lineArray);
    this.lineBuffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    this.fillTable();
    gl.enable(gl.DEPTH_TEST);
    this.isPathStale = true;
    if (this.mesh) this.fillMesh();
  }

  fillMesh() {
    const { gl, mesh } = this;
    const count = mesh.positions.length / 3;
    const sigmas = new Float32Array(count).fill(-1);
    mesh.sigmas?.forEach((sigma, vertex) => {
      if (Number.isFinite(sigma)) sigmas[vertex] = sigma;
    });
    const colors = new Float32Array(3 * count).fill(0.8);
    mesh.colors?.forEach((value, index) => { colors[index] = value / 255; });
    this.fillIndices(mesh.triangles);
    [mesh.positions, mesh.normals, colors, sigmas].forEach((values, location) => {
      this.fill(location, values, gl.STATIC_DRAW);
    });
  }

  static get table() {
    return ColorMap.table('viridis', true);
  }

  fillTable() {
    const { gl } = this;
    const texels = new Uint8Array(256 * 4).fill(255);
    for (let index = 0; index < 256; index++) texels.set(ScanView.table.slice(3 * index, 3 * index + 3), 4 * index);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  }

  makeProgram() {
    this.lineProgram = new CloudProgram(this.gl, lineVertexShader, lineFragmentShader);
    return new CloudProgram(this.gl, scanVertexShader, scanFragmentShader);
  }

  get uniforms() {
    return {
      table: 0, paint: ScanView.paints.indexOf(this.paint), leastLight: ScanView.leastLights[this.paint],
      fullSigma: this.sigmaScale,
    };
  }

  hitAt(px, py) {
    return this.mesh ? super.hitAt(px, py) : null;
  }

  // The path, and what of it lies behind the surface faintly.
  drawFurther() {
    const { gl } = this;
    const pathCount = this.path.length / 3;
    const count = pathCount + this.cameraLines.length / 3;
    if (!count) return;
    gl.bindVertexArray(this.lineArray);
    if (this.isPathStale) {
      const values = new Float32Array(3 * count);
      values.set(this.path);
      values.set(this.cameraLines, this.path.length);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
      this.isPathStale = false;
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const size = 3 * Math.min(2, devicePixelRatio || 1);
    for (const [isHidden, strength] of [[true, 0.35], [false, 1]]) {
      gl.depthFunc(isHidden ? gl.ALWAYS : gl.LESS);
      this.lineProgram.use({ clipFromCamera: this.clipFromCamera, ink: [0.93, 0.36, 0.12], strength, size });
      gl.drawArrays(gl.LINE_STRIP, 0, pathCount);
      gl.drawArrays(gl.POINTS, 0, pathCount);
      gl.drawArrays(gl.LINES, pathCount, count - pathCount);
    }
    gl.disable(gl.BLEND);
  }
}
