import { Catalog } from './catalog.js';
import { Frame } from './frame.js';

// Frames of one item that were fetched, the latest used ones, up to a number of bytes; and a few ahead.
export class FrameCache {
  static byteLimit = 256 * 1024 * 1024;
  static ahead = 4;

  constructor(item, byteLimit = FrameCache.byteLimit) {
    this.item = item;
    this.byteLimit = byteLimit;
    this.entries = new Map();
    this.byteSize = 0;
    this.abort = new AbortController();
  }

  // The frame, now or when it is there; each request makes it the latest in the cache.
  get(index) {
    let entry = this.entries.get(index);
    if (entry) this.entries.delete(index);
    else entry = this.fetched(index);
    this.entries.set(index, entry);
    return entry.promise;
  }

  // The frame if it is there already, else null.
  ready(index) {
    const entry = this.entries.get(index);
    return entry?.frame || null;
  }

  fetched(index) {
    const entry = { frame: null, promise: null };
    const options = { signal: this.abort.signal };
    entry.promise = Catalog.frame(this.item.index, index, options)
      .then((bytes) => Frame.read(bytes))
      .then((frame) => {
        entry.frame = frame;
        if (this.abort.signal.aborted) frame.close();
        else this.byteSize += frame.byteSize;
        this.trim(index);
        return frame;
      });
    // A failed frame may be requested again; all that wait for it get the error.
    entry.promise.catch(() => {
      if (this.entries.get(index) === entry) this.entries.delete(index);
    });
    return entry;
  }

  prefetch(index, direction = 1) {
    for (let step = 1; step <= FrameCache.ahead; step++) {
      const next = index + direction * step;
      if (next < 0 || next >= this.item.frames.length || this.entries.has(next)) continue;
      this.get(next).catch(() => {});
    }
  }

  // The oldest leave; what is shown, and what has just come, stays.
  trim(latest) {
    for (const [index, entry] of this.entries) {
      if (this.byteSize <= this.byteLimit) return;
      if (!entry.frame || entry.frame === this.shown || index === latest) continue;
      this.entries.delete(index);
      this.byteSize -= entry.frame.byteSize;
      entry.frame.close();
    }
  }

  close() {
    this.abort.abort();
    for (const { frame } of this.entries.values()) frame?.close();
    this.entries.clear();
    this.byteSize = 0;
  }
}
