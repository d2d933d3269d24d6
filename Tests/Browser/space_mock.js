// The 3D view on scenes whose truth is known exactly; `mockSpace` is what the tests talk to.
import { ColorMap } from '/viewer/colormaps.js';
import { DepthRanks } from '/viewer/depthranks.js';
import { DepthScene } from '/viewer/scene.js';
import { Space } from '/viewer/space.js';

const parameters = new URLSearchParams(location.search);
const number = (name, otherwise) => Number(parameters.get(name) ?? otherwise);
const kind = parameters.get('scene') ?? 'plane';
const [width, height] = [number('width', 320), number('height', 240)];
const noise = number('noise', 0);
const sigma = { constant: 0.001, perMeter: 0.002, perMeterSquared: 0.0005 };
const degrees = Math.PI / 180;
const tilt = number('tilt', 30) * degrees;

// As the maps of a frame: numbers of their own size that cover the image.
class MockMap {
  constructor(codes, levels = 255) {
    Object.assign(this, { codes, levels, width, height });
  }

  values() {
    return this.codes;
  }

  at(x, y) {
    return this.codes[y * width + x];
  }

  shareAt(index) {
    return this.codes[index] / this.levels;
  }
}

class MockScene extends DepthScene {
  probe(x, y) {
    const point = super.probe(x, y);
    if (this.sigmaMap && point.depth !== null) point.sigma = this.sigmaMap.at(point.x, point.y);
    return point;
  }
}

// mulberry32; normal by Box and Muller.
function generator(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

const focal = 0.9 * width;
const rayAt = (x, y) => [(x - (width - 1) / 2) / focal, (y - (height - 1) / 2) / focal];

// The depth on a ray, or NaN. Planes are n·p = d.
const shapes = {
  // Turned by `tilt` about the X axis, 1 m away in the middle of the image.
  plane: ([x, y]) => Math.cos(tilt) / (Math.cos(tilt) + Math.sin(tilt) * y),
  // A ball of 0.25 m, its center 1 m away, before a wall at 1.6 m.
  sphere: ([x, y]) => {
    const square = 1 + x * x + y * y;
    const root = 1 - square * (1 - 0.25 * 0.25);
    return root >= 0 ? (1 - Math.sqrt(root)) / square : 1.6;
  },
  // Two walls that meet at a right angle in the middle, 2 m away; the left one turned by `tilt`.
  corner: ([x]) => {
    const [a, b] = [tilt, tilt - Math.PI / 2].map((angle) =>
      2 * Math.cos(angle) / (Math.cos(angle) - Math.sin(angle) * x));
    return Math.min(a > 0 ? a : Infinity, b > 0 ? b : Infinity);
  },
};

function depthOf(seed = 1) {
  const normal = generator(seed);
  const depth = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const truth = shapes[kind](rayAt(x, y));
      const deviation = Math.hypot(
        sigma.constant, sigma.perMeter * truth, sigma.perMeterSquared * truth * truth);
      depth[y * width + x] = truth + (noise ? noise * deviation * normal() : 0);
    }
  }
  // A hole, in each form that says so.
  [NaN, 0, -1, Infinity].forEach((value, index) => { depth[3 * width + 3 + index] = value; });
  return depth;
}

function sceneOf(seed, orientation = number('orientation', 1)) {
  const [low, high] = [rayAt(0, 0), rayAt(width - 1, height - 1)];
  const rays = Float32Array.of(low[0], low[1], high[0], low[1], low[0], high[1], high[0], high[1]);
  const depth = depthOf(seed);
  const maps = parameters.has('maps') ? {
    sigmaMap: new MockMap(Float32Array.from(depth, (_, index) => 0.001 + 0.004 * (index % width) / width)),
    confidenceMap: new MockMap(
      Uint8Array.from(depth, (_, index) => Math.min(2, Math.floor(3 * (index % width) / width))), 2),
    inventedMap: new MockMap(
      Uint8Array.from(depth, (_, index) => (Math.floor(index / width) > 0.8 * height ? 1 : 0))),
  } : {};
  return new MockScene({
    schema: 'plumbline.scene/2', width, height, step: 1,
    metric: !parameters.has('relative'), calibrated: !parameters.has('uncalibrated'), orientation,
    rayColumns: 2, rayRows: 2, sigmaConstant: sigma.constant, sigmaPerMeter: sigma.perMeter,
    sigmaPerMeterSquared: sigma.perMeterSquared, lengthPercent: 0.5, ...maps,
  }, depth, rays);
}

// A checkered image, so that what is seen tells its position.
async function photoOf() {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  for (let y = 0; y < 12; y++) {
    for (let x = 0; x < 16; x++) {
      context.fillStyle = (x + y) % 2 ? `hsl(${22 * x} 60% 60%)` : `hsl(${22 * x} 45% 35%)`;
      context.fillRect(x * width / 16, y * height / 12, width / 16 + 1, height / 12 + 1);
    }
  }
  return createImageBitmap(canvas);
}

function rangeOf(scene) {
  const [low, high] = [scene.quantile(0.002), scene.quantile(0.998)];
  return {
    range: [low * 0.99, high * 1.01], table: ColorMap.table('turbo'), hidesOutside: false,
    colors: ColorMap.table('turbo'), ranks: parameters.has('equalize') ? new DepthRanks(scene.depth) : null,
  };
}

// A camera that moves to the right and looks ahead: translation alone, in a world with y up.
function recordingOf(count) {
  const frames = Array.from({ length: count }, (_, index) => ({
    index, name: `frame ${index}`,
    pose: [1, 0, 0, 0.06 * (index - count / 2), 0, -1, 0, 1.2, 0, 0, -1, 0, 0, 0, 0, 1],
  }));
  return { index: 0, name: 'tour', kind: 'recording', worldAxes: 'yUp', frames };
}

const shownFrames = [];
const viewer = {
  caption: 'mock ' + kind,
  showFrame: (index) => { shownFrames.push(index); show(index); },
};
const space = new Space(document.getElementById('space'), viewer);
const recording = parameters.has('poses') ? recordingOf(number('poses', 12)) : null;
let scene = null;
let photo = null;

function show(index) {
  scene = sceneOf(index + 1);
  const frame = recording
    ? { index, name: `frame ${index}`, header: { worldFromCamera: recording.frames[index].pose } }
    : { name: 'mock', header: {} };
  if (!photo?.isReady) space.setRange(rangeOf(scene));
  space.show(scene, photo, frame);
}

async function start() {
  photo = parameters.has('plain') ? null : await photoOf();
  if (recording) space.setRecording(recording);
  show(0);
}

const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

window.mockSpace = {
  ready: start(),
  space, show, shownFrames,
  async waitUntilDrawn() {
    while (space.pilot.isFlying) await nextFrame();
    await nextFrame();
    await nextFrame();
  },
  canvasPoint(x, y) {
    return space.cloud.canvasPoint(scene.probe(x, y).position);
  },
  truth: (x, y) => shapes[kind](rayAt(x, y)),
  ray: (x, y) => rayAt(x, y),
  probe: (x, y) => scene.probe(x, y),
  get results() { return space.ruler.results; },
  get points() { return space.ruler.points.map(({ x, y }) => [x, y]); },
  // Milliseconds of each of `count` whole images, waited for until their pixels are there.
  time(count) {
    const { gl } = space.cloud;
    const pixel = new Uint8Array(4);
    const times = [];
    for (let index = 0; index < count; index++) {
      const began = performance.now();
      space.cloud.orbit.turn(0.01, 0);
      space.cloud.moves = false;
      space.cloud.draw();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      times.push(performance.now() - began);
    }
    return times;
  },
  // Milliseconds until a new frame's maps are there and drawn.
  timeUpload(count) {
    const { gl } = space.cloud;
    const pixel = new Uint8Array(4);
    return Array.from({ length: count }, () => {
      const began = performance.now();
      space.show(scene, photo, space.frame);
      const uploaded = performance.now();
      space.cloud.draw();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      return [uploaded - began, performance.now() - began];
    });
  },
  colorAt(px, py) {
    const { cloud } = space;
    cloud.moves = false;
    cloud.draw();
    const pixel = new Uint8Array(4);
    const { gl, canvas } = cloud;
    gl.readPixels(Math.round(px * cloud.ratio), canvas.height - 1 - Math.round(py * cloud.ratio), 1, 1,
      gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel];
  },
};
