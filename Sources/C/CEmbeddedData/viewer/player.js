// Plays a recording at the speed of its own clock, or a multiple of it.
export class Player {
  static speeds = [0.25, 0.5, 1, 2, 4];

  // `show(index)` brings a frame to the screen; its promise ends when it is there.
  constructor(item, cache, show) {
    Object.assign(this, { item, cache, show });
    this.index = 0;
    this.speed = 1;
    this.isPlaying = false;
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  async go(index) {
    const last = this.item.frames.length - 1;
    this.index = Math.max(0, Math.min(last, index));
    this.restartClock();
    this.changed();
    this.cache.prefetch(this.index);
    await this.show(this.index);
  }

  step(count) {
    this.pause();
    return this.go(this.index + count);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.restartClock();
    this.changed();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  pause() {
    this.isPlaying = false;
    this.changed();
  }

  play() {
    if (this.isPlaying || this.item.frames.length < 2) return;
    if (this.index === this.item.frames.length - 1) this.index = 0;
    this.isPlaying = true;
    this.restartClock();
    this.changed();
    requestAnimationFrame((now) => this.tick(now));
  }

  restartClock() {
    this.clockSeconds = this.item.times[this.index] || 0;
    this.clockNow = null;
  }

  // A frame that has not come yet holds the clock: nothing is left out for a slow connection.
  async tick(now) {
    if (!this.isPlaying) return;
    this.clockNow ??= now;
    const seconds = this.clockSeconds + (now - this.clockNow) / 1000 * this.speed;
    const due = this.item.frameAt(seconds);
    if (due !== this.index || seconds >= this.item.duration) await this.advance(due, seconds, now);
    if (this.isPlaying) requestAnimationFrame((next) => this.tick(next));
  }

  async advance(due, seconds, now) {
    const before = this.index;
    if (!this.cache.ready(due)) {
      try {
        await this.cache.get(due);
      } catch {
        // Shown as an error when its turn comes; the next frame plays on.
      }
      if (this.index !== before || !this.isPlaying) return;
      this.clockSeconds = this.item.times[due];
      this.clockNow = null;
    } else {
      this.clockSeconds = seconds;
      this.clockNow = now;
    }
    this.index = due;
    this.changed();
    this.cache.prefetch(due);
    await this.show(due);
    if (seconds >= this.item.duration && this.index === this.item.frames.length - 1) this.pause();
  }
}
