import { Catalog } from './catalog.js';

// A photo or a recording: the times of its frames, its gaps and its findings.
export class Item {
  static frameSeconds = 1 / 30;

  constructor(document) {
    const list = (value) => (Array.isArray(value) ? value : []);
    this.index = document.index;
    this.name = document.name;
    this.kind = document.kind;
    this.layout = document.layout;
    this.worldAxes = document.worldAxes;
    this.frames = list(document.frames);
    this.drops = list(document.drops);
    this.findings = list(document.findings);
    this.isComplete = document.complete !== false;
    this.times = Item.times(this.frames);
  }

  // What the server has found since: poses, gaps and findings of the same frames.
  async refresh() {
    const fresh = await Item.load(this.index);
    if (fresh.frames.length !== this.frames.length) return;
    for (const key of ['worldAxes', 'frames', 'drops', 'findings', 'isComplete', 'times']) this[key] = fresh[key];
  }

  static async load(index) {
    return new Item(await Catalog.json(`/api/items/${index}`));
  }

  get isRecording() {
    return this.frames.length > 1;
  }

  get duration() {
    return this.times.length ? this.times[this.times.length - 1] : 0;
  }

  // Seconds from the first frame, never falling; 30 frames a second where there is no clock.
  static times(frames) {
    const stamps = frames.map((frame) => frame.timestampSeconds);
    const hasClock = stamps.every((stamp) => Number.isFinite(stamp));
    if (!hasClock) return frames.map((_, index) => index * Item.frameSeconds);
    let latest = 0;
    return stamps.map((stamp) => {
      latest = Math.max(latest, stamp - stamps[0]);
      return latest;
    });
  }

  // The last frame that has come by a time.
  frameAt(seconds) {
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= seconds + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The frame whose time is closest.
  frameNear(seconds) {
    const before = this.frameAt(seconds);
    const after = Math.min(this.times.length - 1, before + 1);
    return this.times[after] - seconds < seconds - this.times[before] ? after : before;
  }
}
