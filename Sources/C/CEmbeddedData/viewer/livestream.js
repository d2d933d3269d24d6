import { Frame } from './frame.js';

// The stream of /api/live: frames as they come, the latest first; it comes back when it breaks off.
//
// `actions`: `frame(frame)`, whose promise ends when the frame is drawn, `status(status)`, `opened(source)`,
// `lost(seconds)` until it is tried again, `ended(reason)`, `failed(error)` for a frame that cannot be read,
// `dismissed()` when the server has ended this client, which then does not reconnect.
export class LiveStream {
  // As Documentation/formats/stream.md has it.
  static dismissedCode = 4001;
  static backOffSeconds = [0.5, 1, 2, 4, 8];
  // A frozen view still takes a frame now and then, since a viewer that takes none is let go.
  static frozenSeconds = 2;

  constructor(actions) {
    this.actions = actions;
    this.attempts = 0;
    this.isFrozen = false;
    this.isClosed = false;
    this.scene = null;
    this.drawnTimes = [];
    this.connect();
  }

  connect() {
    const url = new URL('/api/live', location.href);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this.socket = new WebSocket(url);
    this.socket.binaryType = 'arraybuffer';
    this.socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') this.takeText(data);
      else this.take(data);
    });
    this.socket.addEventListener('close', ({ code }) => {
      if (code === LiveStream.dismissedCode && !this.isClosed) {
        this.isClosed = true;
        this.actions.dismissed();
      }
      this.reconnect();
    });
  }

  reconnect() {
    if (this.isClosed) return;
    const { backOffSeconds } = LiveStream;
    const seconds = backOffSeconds[Math.min(this.attempts, backOffSeconds.length - 1)];
    this.attempts++;
    this.actions.lost(seconds);
    this.timer = setTimeout(() => this.connect(), 1000 * seconds);
  }

  takeText(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message?.type === 'live') {
      this.attempts = 0;
      this.actions.opened(message.source);
    } else if (message?.type === 'scene') {
      this.scene = message;
    } else if (message?.type === 'status') {
      this.actions.status(message);
    } else if (message?.type === 'ended') {
      this.actions.ended(message.reason);
    }
  }

  // While one frame is drawn the latest of those that come waits; the others are skipped.
  async take(bytes) {
    this.waiting = { bytes, scene: this.scene };
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.waiting) {
      const { bytes: next, scene } = this.waiting;
      this.waiting = null;
      await this.show(next, scene);
    }
    this.isBusy = false;
  }

  async show(bytes, scene) {
    const { socket } = this;
    try {
      if (this.isFrozen) {
        await new Promise((done) => setTimeout(done, 1000 * LiveStream.frozenSeconds));
      } else {
        const frame = await Frame.read(bytes, scene);
        if (!this.isFrozen && !this.isClosed) await this.actions.frame(frame);
        else frame.close();
        this.countDrawn();
      }
    } catch (error) {
      this.actions.failed(error);
    }
    const sequence = LiveStream.sequence(bytes);
    if (sequence !== null && socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify({ type: 'shown', sequence }));
    }
  }

  // From the header alone, so that a frame that cannot be shown is still acknowledged.
  static sequence(bytes) {
    try {
      const size = new DataView(bytes).getUint32(4, true);
      return JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, size))).sequence ?? null;
    } catch {
      return null;
    }
  }

  countDrawn() {
    const now = performance.now();
    this.drawnTimes.push(now);
    while (now - this.drawnTimes[0] > 2000) this.drawnTimes.shift();
  }

  // Frames drawn a second, of the last two seconds.
  get framesPerSecond() {
    const times = this.drawnTimes.filter((time) => performance.now() - time <= 2000);
    if (times.length < 2) return 0;
    return 1000 * (times.length - 1) / (times[times.length - 1] - times[0]);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    const { socket } = this;
    // One that is closed while it connects complains in the console.
    if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener('open', () => socket.close());
    else socket.close();
  }
}
