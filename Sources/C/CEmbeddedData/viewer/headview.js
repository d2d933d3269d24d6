import { CloudProgram } from './cloudprogram.js';
import { ColorMap } from './colormaps.js';
import { HeadMesh } from './headmesh.js';
import { headFragmentShader, headVertexShader } from './headshaders.js';
import { Orbit } from './orbit.js';
import { SurfaceView } from './surfaceview.js';
import { Transform } from './transform.js';

// Draws a head with WebGL 2.
//
// Three frames: the camera's, in which the head was measured; the head's own, x to its left, y up, z out of the face,
// which is the world of the orbit.
export class HeadView extends SurfaceView {
  static paints = ['photo', 'residual', 'sigma', 'measured', 'plain'];
  // A photo has its light in it.
  static leastLights = { photo: 0.72, residual: 0.5, sigma: 0.5, measured: 0.45, plain: 0.25 };

  // What the shader knows an added vertex by.
  static added = -0.3;

  constructor(canvas, mesh) {
    super(canvas, mesh, Transform.inverse(Transform.pose(mesh.cameraFromHead) ?? HeadView.facing));
    this.photo = null;
    // Neck and scalp are unsure by so much that a scale for them would paint all of the face alike.
    this.residualScale = HeadMesh.fullScale(mesh.residuals, 0.95, 0.0001);
    this.sigmaScale = HeadMesh.fullScale(mesh.sigmas, 0.7, 0.0001);
    this.aim();
    this.begin();
  }

  // A head that looks into the camera: half a turn about x.
  static get facing() {
    return Float64Array.of(1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1);
  }

  // Turned a little off the front, with all of the head in sight.
  aim() {
    const { positions } = this.mesh;
    const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (let at = 0; at < positions.length; at += 3) {
      const point = Transform.applied(this.worldFromCamera, positions.slice(at, at + 3));
      point.forEach((value, axis) => {
        low[axis] = Math.min(low[axis], value);
        high[axis] = Math.max(high[axis], value);
      });
    }
    const half = low.map((value, axis) => (high[axis] - value) / 2);
    this.orbit.radius = Math.max(...half, 1e-6);
    const target = low.map((value, axis) => (value + high[axis]) / 2);
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth && clientHeight) this.orbit.aspect = clientWidth / clientHeight;
    const [fx, fy] = this.orbit.focal;
    // Turned, a head is wider than from the front; its nearest point is seen larger than its middle.
    const distance = 1.06 * Math.max(1.25 * half[0] * fx, half[1] * fy) + 0.5 * half[2];
    this.center = { distance, target };
    this.home = { ...Orbit.home, ...this.center };
    this.orbit.state = this.home;
  }

  prepare() {
    const { gl } = this;
    this.program = null;
    this.makeBuffers([3, 3, 2, 3]);
    this.fillIndices(this.indices);
    this.fillFixed();
    this.fillTable();
    this.texture = gl.createTexture();
    this.setPhoto(this.photo);
    gl.enable(gl.DEPTH_TEST);
    this.isStale = true;
  }

  // The corners of all triangles; each opening is a dark fan about its middle, so that one does not look through the
  // eyes at what is behind the head. Nothing is measured on fans.
  get indices() {
    const { triangles, sources, openings } = this.mesh;
    const indices = [...triangles];
    let next = sources.length;
    for (const loop of openings) {
      loop.forEach((_, index) => indices.push(next, next + 1 + index, next + 1 + (index + 1) % loop.length));
      next += loop.length + 1;
    }
    return Uint32Array.from(indices);
  }

  // Values of vertices for the graphics processor: those of the mesh, then of each opening the middle and the border.
  spread(values) {
    const { sources, openings } = this.mesh;
    const spread = [];
    const add = (vertex) => spread.push(values[3 * vertex], values[3 * vertex + 1], values[3 * vertex + 2]);
    sources.forEach(add);
    for (const loop of openings) {
      for (let axis = 0; axis < 3; axis++) {
        spread.push(loop.reduce((sum, vertex) => sum + values[3 * vertex + axis], 0) / loop.length);
      }
      loop.forEach(add);
    }
    return Float32Array.from(spread);
  }

  get cornerCount() {
    return this.mesh.openings.reduce((sum, loop) => sum + loop.length + 1, this.mesh.sources.length);
  }

  // What no expression changes.
  fillFixed() {
    const { gl, mesh } = this;
    const count = this.cornerCount;
    const facts = new Float32Array(3 * count).fill(-1);
    mesh.sources.forEach((vertex, index) => {
      const isMeasured = mesh.isMeasured(vertex);
      const sigma = mesh.sigmas?.[vertex];
      facts[3 * index] = isMeasured ? mesh.residuals[vertex] / this.residualScale : 0;
      facts[3 * index + 1] = Number.isFinite(sigma) ? sigma / this.sigmaScale : -1;
      facts[3 * index + 2] = mesh.isAdded(vertex) ? HeadView.added : Number(isMeasured);
    });
    const coordinates = new Float32Array(2 * count);
    if (mesh.coordinates) coordinates.set(mesh.coordinates);
    this.fill(2, coordinates, gl.STATIC_DRAW);
    this.fill(3, facts, gl.STATIC_DRAW);
  }

  // The colors of residuals, then those of sigma. Residuals have them as the image beside the head does: blue where
  // the surface lies before what was measured.
  static get tables() {
    const diverging = ColorMap.diverging();
    const turned = diverging.map((_, index) => diverging[3 * (255 - Math.floor(index / 3)) + index % 3]);
    return { residual: turned, sigma: ColorMap.table('viridis', true) };
  }

  fillTable() {
    const { gl } = this;
    const { residual, sigma } = HeadView.tables;
    const texels = new Uint8Array(2 * 256 * 4);
    [residual, sigma].forEach((table, row) => {
      for (let index = 0; index < 256; index++) {
        texels.set([...table.slice(3 * index, 3 * index + 3), 255], 4 * (256 * row + index));
      }
    });
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 256, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    }
  }

  // An image for the texture layout, or null.
  setPhoto(photo) {
    this.photo = photo;
    const { gl } = this;
    if (!gl) return;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    if (photo) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, photo);
      gl.generateMipmap(gl.TEXTURE_2D);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([200, 200, 200, 255]));
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    }
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    this.request();
  }

  // Shows the completed head or the face alone.
  showParts(shows) {
    this.mesh.showsParts = shows;
    if (!this.gl) return;
    this.fillIndices(this.indices);
    this.fillFixed();
    this.meshMoved();
  }

  // After the mesh has moved.
  meshMoved() {
    this.isStale = true;
    this.request();
  }

  fillMoving() {
    const { gl, mesh } = this;
    [mesh.positions, mesh.normals].forEach((values, location) => {
      this.fill(location, this.spread(values), gl.DYNAMIC_DRAW);
    });
    this.isStale = false;
  }

  makeProgram() {
    return new CloudProgram(this.gl, headVertexShader, headFragmentShader);
  }

  get uniforms() {
    return {
      photo: 0, table: 1, paint: HeadView.paints.indexOf(this.paint), leastLight: HeadView.leastLights[this.paint],
    };
  }

  beforeDraw() {
    if (this.isStale) this.fillMoving();
  }
}
