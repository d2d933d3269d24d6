import { Transform } from './transform.js';

// The cameras of a recording as small pyramids, and the world they stand in.
export class Cameras {
  // More cannot be told apart; of a longer recording every few are shown.
  static shownLimit = 600;
  static reach = 14;
  static axes = [['X', [1, 0, 0], '#e5484d'], ['Y', [0, 1, 0], '#30a46c'], ['Z', [0, 0, 1], '#3e63dd']];

  constructor(cloud) {
    this.cloud = cloud;
    this.poses = [];
    this.isShown = true;
    this.holdsWorld = true;
    this.current = null;
    this.pose = null;
    this.anchor = this.anchorIndex = null;
  }

  // `item`: `frames` with `index` and `pose` (16 numbers, row by row, or null), `worldAxes`.
  setRecording(item) {
    this.anchor = this.pose = this.current = null;
    this.refresh(item);
  }

  // What holds still goes on to.
  refresh(item) {
    this.frames = item?.frames ?? [];
    this.worldAxes = item?.worldAxes ?? 'unknown';
    this.poses = this.frames
      .map((frame, at) => ({ index: frame.index ?? at, pose: Transform.pose(frame.pose) }))
      .filter(({ pose }) => pose);
    if (!this.pose) {
      this.pose = this.poses.find(({ index }) => index === this.current)?.pose ?? null;
      this.locate();
    }
  }

  get areKnown() {
    return this.poses.length > 1 && Boolean(this.pose);
  }

  // The frame that is shown: by its index, else by its name; its own pose comes first.
  setFrame(frame) {
    const header = frame?.header ?? frame ?? {};
    const named = (this.frames ?? []).findIndex(({ name }) => name !== undefined && name === frame?.name);
    this.current = Number.isInteger(frame?.index) ? frame.index : named >= 0 ? named : null;
    const listed = this.poses.find(({ index }) => index === this.current);
    this.pose = Transform.pose(header.worldFromCamera) ?? listed?.pose ?? null;
    this.locate();
  }

  // Where the world holds still, the first camera's frame stays the anchor.
  locate() {
    const { cloud } = this;
    if (!this.pose || !this.holdsWorld) this.anchor = null;
    if (!this.pose || !this.holdsWorld) {
      cloud.anchorFromCamera = null;
      cloud.upright = null;
      return;
    }
    if (!this.anchor) {
      this.anchor = this.pose;
      this.anchorIndex = this.current;
      cloud.upright = cloud.scene?.toUpright ?? null;
    }
    cloud.anchorFromCamera = Transform.product(Transform.inverse(this.anchor), this.pose);
  }

  // The shown camera becomes the anchor.
  takeAnchor() {
    this.anchor = null;
    this.locate();
  }

  // The camera of a frame becomes the anchor, if there is one.
  anchorAt(index) {
    const found = this.poses.find((camera) => camera.index === index);
    if (!found || !this.anchor) return;
    this.anchor = found.pose;
    this.anchorIndex = index;
    this.locate();
  }

  inAnchor(position) {
    return Transform.applied(this.cloud.anchorFromCamera, position);
  }

  get anchorFromWorld() {
    return Transform.inverse(this.anchor ?? this.pose);
  }

  // The corners of the image at a depth of one, from its rays.
  get corners() {
    const { scene } = this.cloud;
    return [[0, 0], [scene.width - 1, 0], [scene.width - 1, scene.height - 1], [0, scene.height - 1]]
      .map(([x, y]) => [...scene.ray(x, y), 1]);
  }

  get size() {
    return 0.14 * this.cloud.orbit.radius;
  }

  get shown() {
    const step = Math.ceil(this.poses.length / Cameras.shownLimit);
    return this.poses.filter(({ index }, at) => at % step === 0 || index === this.current);
  }

  // Of cameras that stand closer together than their pyramids are wide only some get one.
  get spaced() {
    const chosen = new Set();
    let last = null;
    for (const { index, pose } of this.shown) {
      const away = last && Math.hypot(pose[12] - last[12], pose[13] - last[13], pose[14] - last[14]);
      if (index !== this.current && last && away < 0.8 * this.size) continue;
      chosen.add(index);
      last = pose;
    }
    return chosen;
  }

  // From the anchor's frame to points of the canvas.
  get projected() {
    return this.cloud.projector(Transform.product(this.cloud.orbit.matrix, this.cloud.worldFromAnchor));
  }

  draw(context) {
    if (!this.isShown || !this.areKnown) return;
    const { projected, corners, size, anchorFromWorld } = this;
    const all = this.shown.map(({ index, pose }) => {
      const anchorFromCamera = Transform.product(anchorFromWorld, pose);
      const at = (position) => projected(Transform.applied(anchorFromCamera, position));
      return { index, eye: at([0, 0, 0]), corners: corners.map((ray) => at(ray.map((part) => part * size))) };
    });
    this.drawPath(context, all);
    const { spaced } = this;
    for (const camera of all) {
      if (camera.index !== this.current && spaced.has(camera.index)) this.drawCamera(context, camera, false);
    }
    const current = all.find(({ index }) => index === this.current);
    if (current) this.drawCamera(context, current, true);
    this.drawWorldAxes(context, projected);
  }

  drawPath(context, all) {
    context.beginPath();
    let isOpen = false;
    for (const { eye } of all) {
      if (eye && isOpen) context.lineTo(eye[0], eye[1]);
      else if (eye) context.moveTo(eye[0], eye[1]);
      isOpen = Boolean(eye);
    }
    context.lineWidth = 1.25;
    context.strokeStyle = 'rgb(95 125 215 / .75)';
    context.stroke();
    context.fillStyle = 'rgb(95 125 215)';
    for (const { eye } of all) if (eye) context.fillRect(eye[0] - 1.5, eye[1] - 1.5, 3, 3);
  }

  drawCamera(context, { eye, corners }, isCurrent) {
    if (!eye || corners.some((corner) => !corner)) return;
    context.beginPath();
    corners.forEach((corner, index) => {
      const next = corners[(index + 1) % 4];
      context.moveTo(eye[0], eye[1]);
      context.lineTo(corner[0], corner[1]);
      context.lineTo(next[0], next[1]);
    });
    const strokes = isCurrent
      ? [[4, 'rgb(0 0 0 / .5)'], [2, '#ffd60a']] : [[1, 'rgb(95 125 215 / .75)']];
    for (const [width, color] of strokes) {
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
  }

  // At the world's own origin, with which axis points up where the recording says so.
  drawWorldAxes(context, projected) {
    const origin = projected(Transform.applied(this.anchorFromWorld, [0, 0, 0]));
    if (!origin) return;
    const up = { yUp: 'Y', zUp: 'Z' }[this.worldAxes];
    for (const [name, axis, color] of Cameras.axes) {
      const length = 0.3 * this.cloud.orbit.radius;
      const tip = projected(Transform.applied(this.anchorFromWorld, axis.map((part) => part * length)));
      if (!tip) continue;
      context.beginPath();
      context.moveTo(origin[0], origin[1]);
      context.lineTo(tip[0], tip[1]);
      context.lineWidth = 2.5;
      context.strokeStyle = color;
      context.stroke();
      context.fillStyle = color;
      context.font = '600 11px system-ui, sans-serif';
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText(name === up ? name + ' up' : name, tip[0] + (tip[0] < origin[0] ? -10 : 10), tip[1] - 6);
    }
  }

  // The index of the frame whose camera stands at a point of the canvas, or null.
  frameAt([px, py]) {
    if (!this.isShown || !this.areKnown) return null;
    const { projected, anchorFromWorld } = this;
    let [best, least] = [null, Cameras.reach];
    for (const { index, pose } of this.shown) {
      const eye = projected([12, 13, 14].map((at) => Transform.product(anchorFromWorld, pose)[at]));
      const away = eye ? Math.hypot(eye[0] - px, eye[1] - py) : Infinity;
      if (away < least && index !== this.current) [best, least] = [index, away];
    }
    return best;
  }

  // Where the camera of a frame appears, in CSS pixels.
  canvasPoint(index) {
    const found = this.poses.find((camera) => camera.index === index);
    if (!found || !this.areKnown) return null;
    const anchorFromCamera = Transform.product(this.anchorFromWorld, found.pose);
    return this.projected([12, 13, 14].map((at) => anchorFromCamera[at]))?.slice(0, 2) ?? null;
  }
}
