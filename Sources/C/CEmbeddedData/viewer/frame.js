import { entry } from './element.js';
import { FrameColor } from './framecolor.js';
import { FrameMap } from './framemap.js';
import { DepthScene } from './scene.js';
import { decodeFrame } from './stream.js';

// One frame as it is shown: a depth map with its scene, its maps, and its color.
export class Frame {
  static units = { depth: 'm', range: 'm', disparity: '1/m' };
  // By what files call their numbers.
  static storedUnits = { hdis: '1/m', fdis: '1/m', hdep: 'm', fdep: 'm' };

  // `announced` is the scene that a live stream sent before; a frame's own comes first.
  static async read(bytes, announced = null) {
    const { header, parts, color } = decodeFrame(bytes);
    const photo = color ? await FrameColor.decoded(parts.color, color) : null;
    return new Frame(header, new Map(Object.entries(parts)), header.scene || announced, photo);
  }

  constructor(header, parts, parameters, photo) {
    this.header = header;
    this.photo = photo;
    const color = parts.get('color');
    this.colorNote = color && !photo ? FrameColor.missingNote(color) : null;
    const depth = parts.get('depth');
    const meaning = header.depth || {};
    const known = parameters || {};
    const [width, height] = depth ? [depth.width, depth.height] : Frame.sizeWithoutDepth(photo);
    const scene = {
      ...Frame.raysOf(known), width, height, step: 1,
      metric: known.metric ?? (meaning.accuracy === 'absolute' && meaning.hasUnit !== false),
      calibrated: Boolean(known.calibrated && known.rays),
      orientation: header.orientation || 1,
      sigmaConstant: known.sigmaConstant, sigmaPerMeter: known.sigmaPerMeter,
      sigmaPerMeterSquared: known.sigmaPerMeterSquared,
      lengthPercent: known.lengthPercent ?? null, errors: known.errors ?? null,
      // Numbers that a network gave: { model, fittedTo }, null for measured ones.
      estimate: known.estimate ?? null,
      isStereo: header.source?.camera === 'stereo',
      ...Frame.maps(parts, meaning),
    };
    const { rays } = scene;
    const values = depth
      ? new FrameMap(depth).values() : new Float32Array(width * height).fill(NaN);
    this.scene = new DepthScene(scene, values, rays);
    if (depth && meaning.kind && meaning.kind !== 'depth') this.convert(meaning.kind);
    this.verdict = known.verdict ?? null;
  }

  get name() {
    return this.header.name ?? String(this.header.sequence);
  }

  static sizeWithoutDepth(photo) {
    if (!photo) throw new Error('the frame has neither depth nor a color that can be shown');
    const share = Math.min(1, 480 / Math.max(photo.width, photo.height));
    return [photo.width, photo.height].map((length) => Math.max(1, Math.round(length * share)));
  }

  // Without rays of a camera the image still needs some, to be seen as points.
  static raysOf(known) {
    if (Array.isArray(known.rays)) {
      return { rayColumns: known.rayColumns, rayRows: known.rayRows, rays: Float32Array.from(known.rays) };
    }
    const corners = [-0.5, -0.375, 0.5, -0.375, -0.5, 0.375, 0.5, 0.375];
    return { rayColumns: 2, rayRows: 2, rays: Float32Array.from(corners) };
  }

  static maps(parts, { kind, hasUnit, storedType, nativeType }) {
    const map = (name, of = '') => (parts.has(name) ? new FrameMap(parts.get(name), of) : undefined);
    const mattes = new Map();
    for (const [name, part] of parts) {
      if (name.startsWith('matte:')) mattes.set(name.slice(6), new FrameMap(part));
    }
    // Codes such as L008 stand for values of the native type.
    const storedUnit = entry(Frame.storedUnits, storedType) || entry(Frame.storedUnits, nativeType) || '';
    return {
      // A map that is measured with as it was stored is its own record.
      storedMap: map('stored', hasUnit === false ? '' : storedUnit) ||
        map('depth', hasUnit === false ? '' : entry(Frame.units, kind) || ''),
      sigmaMap: map('sigma'), confidenceMap: map('confidence'), inventedMap: map('invented'),
      residualMap: map('residual', 'm'), residualSigmaMap: map('residualSigma', 'm'), mattes,
    };
  }

  // To depth along the optical axis, in place of what came.
  convert(kind) {
    const { scene } = this;
    const { depth, width } = scene;
    const values = new Float32Array(depth.length);
    for (let index = 0; index < depth.length; index++) {
      const value = depth[index];
      if (!(value > 0)) {
        values[index] = NaN;
      } else if (kind === 'disparity') {
        values[index] = 1 / value;
      } else {
        values[index] = value / Math.hypot(1, ...scene.ray(index % width, Math.floor(index / width)));
      }
    }
    this.scene = new DepthScene({ ...scene, sorted: undefined }, values, scene.rays);
  }

  get byteSize() {
    const { scene, photo } = this;
    const maps = [scene.storedMap, scene.sigmaMap, scene.confidenceMap, scene.inventedMap, scene.residualMap,
      scene.residualSigmaMap, ...scene.mattes.values()];
    return scene.depth.byteLength + (photo ? 4 * photo.width * photo.height : 0) +
      maps.reduce((sum, map) => sum + (map ? map.byteSize : 0), 0);
  }

  // An image's memory is freed at once, not when the collector comes by.
  close() {
    this.photo?.close();
  }
}
