import { CloudPick } from './cloudpick.js';
import { CloudProgram } from './cloudprogram.js';
import { CloudTextures } from './cloudtextures.js';
import { styleColor } from './element.js';
import { HomeView } from './homeview.js';
import { Orbit } from './orbit.js';
import { pointFragmentShader, pointVertexShader, surfaceFragmentShader, surfaceVertexShader } from './shaders.js';
import { Transform } from './transform.js';

// A depth map as points or as a surface in space, drawn with WebGL 2 straight from its pixels.
//
// Three frames: the camera's, in which points are measured; the anchor's, the camera frame in which
// the view holds still (the same unless a recording's world is held); and the world of the orbit,
// the anchor's turned upright, y up and z towards the viewer.
export class Cloud {
  static modes = ['photo', 'depth', 'sigma', 'confidence'];
  static splatSizes = [1, 1.4, 2, 3, 4.5];
  static shapes = ['points', 'surface'];
  // More neither fit a phone's memory nor show on its screen; a larger map is thinned out.
  static pointLimit = 2_100_000;
  // An image in motion may take this long before it is thinned out, until it rests again.
  static patienceMilliseconds = 45;
  static restMilliseconds = 180;
  static mostHaste = 8;
  static mostPauseMilliseconds = 500;

  constructor(canvas, scene = null, range = null, probe = null) {
    Object.assign(this, { canvas, scene, range });
    this.orbit = new Orbit();
    this.mode = 'depth';
    this.shape = 'points';
    this.splatSize = 2;
    this.marksInvented = true;
    this.photo = null;
    this.box = null;
    this.anchorFromCamera = null;
    this.haste = 1;
    // Whether images follow each other without an end, as a stream's do.
    this.follows = false;
    this.drawingBegan = this.drawingEnded = 0;
    this.gl = canvas.getContext('webgl2', { antialias: false, preserveDrawingBuffer: true });
    if (!this.gl) return;
    this.prepare();
    if (range) this.setRange(range);
    if (scene) this.show(scene);
    if (scene) this.aim();
    range?.onChange(() => this.rangeChanged());
    probe?.onChange(() => this.request());
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.onInterruption?.(true);
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.prepare();
      this.refill();
      this.onInterruption?.(false);
      this.request();
    });
    new ResizeObserver(() => this.request()).observe(canvas);
  }

  get isAvailable() {
    return Boolean(this.gl);
  }

  // The view stays where it is; `aim` brings it home.
  show(scene) {
    this.scene = scene;
    if (!this.isAvailable) return;
    this.textures.fill(scene);
    this.sigmaLimits = scene.sigmaMap ? Cloud.limits(scene.sigmaMap.values()) : null;
    this.request();
  }

  setPhoto(photo) {
    this.photo = photo;
    if (!this.isAvailable) return;
    this.textures.fillPhoto(photo);
    this.request();
  }

  // `range`: `range` [near, far], `table` of 256 colors between them, `hidesOutside`.
  setRange(range) {
    this.range = range;
    this.rangeChanged();
  }

  rangeChanged() {
    if (!this.isAvailable) return;
    this.textures.fillTable(this.range);
    this.request();
  }

  prepare() {
    const { gl } = this;
    this.programs = {};
    this.textures = new CloudTextures(gl);
    this.pick = new CloudPick(this);
    gl.bindVertexArray(gl.createVertexArray());
    gl.enable(gl.DEPTH_TEST);
  }

  refill() {
    this.textures.fillPhoto(this.photo);
    if (this.range) this.textures.fillTable(this.range);
    if (this.scene) this.textures.fill(this.scene);
  }

  program(name, vertexSource, fragmentSource) {
    this.programs[name] ??= new CloudProgram(this.gl, vertexSource, fragmentSource);
    return this.programs[name];
  }

  aim() {
    Object.assign(this, HomeView.of(this));
  }

  get worldFromAnchor() {
    const { a, b, c, d } = this.upright ?? this.scene.toUpright;
    return Float64Array.of(a, -b, 0, 0, c, -d, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1);
  }

  get worldFromCamera() {
    const { anchorFromCamera } = this;
    return anchorFromCamera
      ? Transform.product(this.worldFromAnchor, anchorFromCamera) : this.worldFromAnchor;
  }

  get clipFromCamera() {
    return Transform.product(this.orbit.matrix, this.worldFromCamera);
  }

  // Nearly all values of a sample spread over a map.
  static limits(values) {
    const step = Math.max(1, Math.floor(values.length / 4099));
    const sample = values.filter((value, index) => index % step === 0 && value > 0).sort();
    return sample.length ? [0.02, 0.98].map((share) => sample[Math.round(share * (sample.length - 1))]) : null;
  }

  get sigmaRange() {
    return this.sigmaLimits ?? this.range.range.map((depth) => this.scene.sigma(depth));
  }

  // The step of a ray's tangent from one sample to the next.
  get pitch() {
    const { scene } = this;
    const [first, last] = [scene.ray(0, 0), scene.ray(scene.width - 1, 0)];
    return Math.hypot(last[0] - first[0], last[1] - first[1]) / Math.max(1, scene.width - 1) *
      scene.step;
  }

  // Thin enough for the limit, and thinner while something moves and the machine is slow.
  get stride() {
    const { columns, rows } = this.scene;
    const { thinning } = this.textures;
    let stride = thinning * Math.max(1, Math.floor(Math.sqrt(columns * rows / Cloud.pointLimit) / thinning));
    while (Math.ceil(columns / stride) * Math.ceil(rows / stride) > Cloud.pointLimit) stride += thinning;
    return stride;
  }

  values(width, height, ratio, stride) {
    const { scene, range, textures } = this;
    const clipFromCamera = this.clipFromCamera;
    const eye = Transform.applied(
      Transform.inverse(this.anchorFromCamera ?? Transform.identity), this.eyeInAnchor);
    return {
      ...textures.units,
      gridSize: [scene.columns, scene.rows],
      stride,
      thinning: textures.thinning,
      rayScale: [
        scene.width > 1 ? scene.step * (scene.rayColumns - 1) / (scene.width - 1) : 0,
        scene.height > 1 ? scene.step * (scene.rayRows - 1) / (scene.height - 1) : 0,
      ],
      uvScale: [scene.step / scene.width, scene.step / scene.height],
      uvShift: [0.5 / scene.width, 0.5 / scene.height],
      clipFromCamera,
      boxFromCamera: this.anchorFromCamera ?? Transform.identity,
      boxLow: this.box?.low ?? [0, 0, 0],
      boxHigh: this.box?.high ?? [0, 0, 0],
      clips: Boolean(this.box),
      depthRange: range.range,
      sigmaRange: this.sigmaRange,
      sigmaParts: [scene.sigmaConstant || 0, scene.sigmaPerMeter || 0, scene.sigmaPerMeterSquared || 0],
      hasSigmaMap: Boolean(scene.sigmaMap),
      marksInvented: this.marksInvented && Boolean(scene.inventedMap),
      hidesOutside: range.hidesOutside,
      equalizes: Boolean(range.ranks),
      confidenceScale: scene.confidenceMap?.codes instanceof Uint8Array
        ? 255 / scene.confidenceMap.levels : 1,
      colorMode: Cloud.modes.indexOf(this.mode),
      splatScale: this.splatSize * this.pitch * stride * this.orbit.focal[1] * height / 2,
      smallestSplat: Math.max(1, this.splatSize * 0.6) * ratio,
      steepest: this.pitch * stride * Math.tan(80 * Math.PI / 180),
      eye,
      leastLight: this.mode === 'photo' ? 0.7 : 0.4,
    };
  }

  get eyeInAnchor() {
    return Transform.applied(Transform.inverse(this.worldFromAnchor), this.orbit.eye);
  }

  // One vertex for each point, or six for each square between points.
  count(stride) {
    const [across, down] = [this.scene.columns, this.scene.rows].map((n) => Math.ceil(n / stride));
    return this.shape === 'surface' ? 6 * (across - 1) * (down - 1) : across * down;
  }

  get ratio() {
    return Math.min(2, devicePixelRatio || 1);
  }

  request() {
    if (!this.isAvailable || this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame(() => {
      this.isRequested = false;
      if (this.follows && this.stillDraws()) this.request();
      else this.draw();
    });
  }

  // Checks, in a stream, whether the image before is still being drawn, and notes its end. As long a rest
  // follows it: the image beside it, and the page, have the same graphics processor.
  stillDraws() {
    const { gl, fence } = this;
    const now = performance.now();
    if (fence && !gl.isContextLost()) {
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return true;
      gl.deleteSync(fence);
      this.drawingEnded = now;
    }
    this.fence = null;
    // A page that was hidden or held hears of the end late.
    const drawnFor = Math.min(this.drawingEnded - this.drawingBegan, Cloud.mostPauseMilliseconds);
    return now - this.drawingEnded < drawnFor;
  }

  // A request for one of many images that follow each other.
  requestMoving() {
    clearTimeout(this.rest);
    if (!this.moves) this.movedAt = performance.now();
    this.moves = true;
    this.request();
  }

  // Images in motion get coarser or finer by how long they were waited for; at rest nothing is left
  // out. Points get fewer with the square.
  pace() {
    if (!this.moves) return this.follows ? this.haste : 1;
    this.moves = false;
    const waited = performance.now() - this.movedAt;
    if (waited > Cloud.patienceMilliseconds) {
      const wanted = this.haste * Math.min(2, Math.sqrt(waited / Cloud.patienceMilliseconds));
      this.haste = Math.min(Cloud.mostHaste, Math.ceil(wanted));
    } else if (waited < Cloud.patienceMilliseconds / 2) {
      this.haste = Math.max(1, this.haste - 1);
    }
    // A stream never rests.
    if (!this.follows) this.rest = setTimeout(() => this.request(), Cloud.restMilliseconds);
    return this.haste;
  }

  draw() {
    const { gl, canvas, scene, ratio } = this;
    if (!scene || !this.range || !canvas.clientWidth || gl.isContextLost()) return;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
    }
    this.orbit.aspect = width / height;
    gl.viewport(0, 0, width, height);
    gl.clearColor(...Cloud.background());
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const stride = this.stride * this.pace();
    const isSurface = this.shape === 'surface';
    const program = this.drawProgram(isSurface);
    if (!program) return;
    program.use(this.values(width, height, ratio, stride));
    gl.drawArrays(isSurface ? gl.TRIANGLES : gl.POINTS, 0, this.count(stride));
    this.drawnCount = this.count(stride);
    if (this.follows) {
      this.drawingBegan = performance.now();
      this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      gl.flush();
    }
    this.afterDraw?.();
  }

  // A processor that refuses the shaders shows nothing, and that is said.
  drawProgram(isSurface) {
    try {
      return isSurface ? this.program('surface', surfaceVertexShader, surfaceFragmentShader)
        : this.program('points', pointVertexShader, pointFragmentShader);
    } catch {
      this.gl = null;
      this.onFailure?.();
      return null;
    }
  }

  static background() {
    const hex = styleColor('--stage').slice(1);
    return [0, 2, 4].map((start) => parseInt(hex.slice(start, start + 2), 16) / 255).concat(1);
  }

  // Where a point of the camera frame appears, in CSS pixels; null behind the eye.
  canvasPoint(position) {
    return this.projector(this.clipFromCamera)(position)?.slice(0, 2) ?? null;
  }

  // Of many points by one matrix: position on the canvas and distance from the eye, or null behind it.
  projector(m) {
    const [halfWidth, halfHeight] = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
    return ([x, y, z]) => {
      const w = m[3] * x + m[7] * y + m[11] * z + m[15];
      if (w <= 0) return null;
      const u = (m[0] * x + m[4] * y + m[8] * z + m[12]) / w;
      const v = (m[1] * x + m[5] * y + m[9] * z + m[13]) / w;
      return [(u + 1) * halfWidth, (1 - v) * halfHeight, w];
    };
  }

  // The pixel of the map whose point is seen at a point of the canvas, or null.
  pixelAt(px, py, reach = 8) {
    return this.pick.pixelAt(px, py, reach);
  }
}
