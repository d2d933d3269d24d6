import { pointIdentityShader, pointVertexShader, surfaceIdentityShader, surfaceVertexShader } from './shaders.js';

// Finds what is seen at a point of the canvas: draws the few pixels around it once more, with each point's number
// for its color, and reads them back. The processor does no work for each point.
export class CloudPick {
  constructor(cloud) {
    this.cloud = cloud;
    this.size = 0;
  }

  // Of the points seen within reach, those of the front surface, and of these the one closest to
  // the point.
  pixelAt(px, py, reach) {
    const { cloud } = this;
    const { scene } = cloud;
    if (!scene || !cloud.isAvailable || cloud.gl.isContextLost()) return null;
    const projected = cloud.projector(cloud.clipFromCamera);
    const near = [];
    for (const index of this.seen(px, py, reach)) {
      const [column, row] = [index % scene.columns, Math.floor(index / scene.columns)];
      const [x, y] = [column * scene.step, row * scene.step];
      const ray = scene.ray(x, y);
      const depth = scene.depth[index];
      const point = projected([ray[0] * depth, ray[1] * depth, depth]);
      if (point) near.push({ x, y, away: Math.hypot(point[0] - px, point[1] - py), w: point[2] });
    }
    if (!near.length) return null;
    const front = near.reduce((least, { w }) => Math.min(least, w), Infinity);
    const best = near.filter(({ w }) => w <= front + 0.05 * cloud.orbit.radius)
      .reduce((a, b) => (b.away < a.away ? b : a));
    return [best.x, best.y];
  }

  // Indices of the samples seen in the circle about a point.
  seen(px, py, reach) {
    const { cloud } = this;
    const { gl, canvas, ratio } = cloud;
    const radius = Math.ceil(reach * ratio);
    this.prepare(2 * radius + 1);
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    const [left, bottom] = [Math.round(px * ratio) - radius, Math.round(height - py * ratio) - radius];
    cloud.orbit.aspect = width / height;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    gl.viewport(-left, -bottom, width, height);
    gl.clearBufferuiv(gl.COLOR, 0, [0, 0, 0, 0]);
    gl.clearBufferfv(gl.DEPTH, 0, [1]);
    const isSurface = cloud.shape === 'surface';
    const program = isSurface
      ? cloud.program('surfaceIdentity', surfaceVertexShader, surfaceIdentityShader)
      : cloud.program('pointIdentity', pointVertexShader, pointIdentityShader);
    program.use(cloud.values(width, height, ratio, cloud.stride));
    gl.drawArrays(isSurface ? gl.TRIANGLES : gl.POINTS, 0, cloud.count(cloud.stride));
    const values = new Uint32Array(4 * this.size * this.size);
    gl.readPixels(0, 0, this.size, this.size, gl.RGBA_INTEGER, gl.UNSIGNED_INT, values);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const seen = new Set();
    for (let row = 0; row < this.size; row++) {
      for (let column = 0; column < this.size; column++) {
        const identity = values[4 * (row * this.size + column)];
        if (identity && Math.hypot(row - radius, column - radius) <= radius) seen.add(identity - 1);
      }
    }
    return seen;
  }

  prepare(size) {
    const { gl } = this.cloud;
    if (this.size === size) return;
    this.framebuffer ??= gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    if (this.size) [this.colors, this.depths].forEach((buffer) => gl.deleteRenderbuffer(buffer));
    this.size = size;
    this.colors = this.buffer(gl.R32UI, gl.COLOR_ATTACHMENT0);
    this.depths = this.buffer(gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT);
  }

  buffer(format, attachment) {
    const { gl } = this.cloud;
    const buffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, this.size, this.size);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer);
    return buffer;
  }
}
