import { styleColor } from './element.js';
import { Orbit } from './orbit.js';
import { Transform } from './transform.js';

// A surface of triangles in WebGL 2, with the camera, gestures and marks of the point cloud. A point cloud is drawn
// straight from a depth map; this one has triangles.
//
// Two frames: the mesh's, called the camera's as of a cloud, and the world of the orbit, x right, y up, z to the viewer.
// What draws a kind of surface has `aim`, `prepare`, `makeProgram`, `uniforms` and, where it needs them, `beforeDraw`
// and `drawFurther`.
export class SurfaceView {
  constructor(canvas, mesh, worldFromCamera = Transform.identity) {
    Object.assign(this, { canvas, mesh, worldFromCamera, paint: 'plain', orbit: new Orbit() });
  }

  // Once there is what `aim` and `prepare` need.
  begin() {
    const { canvas } = this;
    this.gl = canvas.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true });
    if (!this.gl) return;
    this.prepare();
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.prepare();
      this.request();
    });
    new ResizeObserver(() => this.request()).observe(canvas);
  }

  get isAvailable() {
    return Boolean(this.gl);
  }

  get clipFromCamera() {
    return Transform.product(this.orbit.matrix, this.worldFromCamera);
  }

  get eyeInCamera() {
    return Transform.applied(Transform.inverse(this.worldFromCamera), this.orbit.eye);
  }

  // Buffers of floats, so many for each vertex at the locations 0, 1 and so on.
  makeBuffers(sizes) {
    const { gl } = this;
    this.vertexArray = gl.createVertexArray();
    gl.bindVertexArray(this.vertexArray);
    this.buffers = sizes.map((size, location) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
      return buffer;
    });
    this.indexBuffer = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.indexBuffer);
  }

  fillIndices(indices) {
    const { gl } = this;
    gl.bindVertexArray(this.vertexArray);
    this.drawnCount = indices.length;
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  }

  fill(location, values, usage) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[location]);
    gl.bufferData(gl.ARRAY_BUFFER, values, usage);
  }

  beforeDraw() {}

  drawFurther() {}

  request() {
    if (!this.isAvailable || this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame(() => {
      this.isRequested = false;
      this.draw();
    });
  }

  requestMoving() {
    this.request();
  }

  draw() {
    const { gl, canvas } = this;
    if (!canvas.clientWidth || !gl || gl.isContextLost()) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.round(side * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    this.orbit.aspect = width / height;
    try {
      this.program ??= this.makeProgram();
    } catch {
      this.gl = null;
      this.onFailure?.();
      return;
    }
    this.beforeDraw();
    const hex = styleColor('--stage').slice(1);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...[0, 2, 4].map((start) => parseInt(hex.slice(start, start + 2), 16) / 255), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.program.use({ clipFromCamera: this.clipFromCamera, eye: this.eyeInCamera, ...this.uniforms });
    gl.bindVertexArray(this.vertexArray);
    gl.drawElements(gl.TRIANGLES, this.drawnCount, gl.UNSIGNED_INT, 0);
    this.drawFurther();
    this.afterDraw?.();
  }

  // Where a point of the camera frame appears, in CSS pixels; null behind the eye.
  canvasPoint([x, y, z]) {
    const m = this.clipFromCamera;
    const [across, down, , w] = [0, 1, 2, 3].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
    if (w <= 0) return null;
    return [(across / w + 1) * this.canvas.clientWidth / 2, (1 - down / w) * this.canvas.clientHeight / 2];
  }

  // The point of the surface seen at a point of the canvas, or null.
  hitAt(px, py) {
    const { orbit, canvas } = this;
    orbit.aspect = canvas.clientWidth / canvas.clientHeight;
    const [right, up, back] = orbit.rotation;
    const [fx, fy] = orbit.focal;
    const u = (2 * px / canvas.clientWidth - 1) / fx;
    const v = (1 - 2 * py / canvas.clientHeight) / fy;
    const direction = [0, 1, 2].map((axis) => u * right[axis] + v * up[axis] - back[axis]);
    const cameraFromWorld = Transform.inverse(this.worldFromCamera);
    return this.mesh.hit(this.eyeInCamera, Transform.turned(cameraFromWorld, direction));
  }
}
