// Mouse, pen and touch on the cloud: one finger turns, two pan, pinch and twist, a double tap
// resets. Where `actions.grip(point, reach)` has something there, one finger drags that instead.
// The system counts the clicks of a mouse; taps of fingers and pens are counted here.
export class Gestures {
  static tapReach = 6;
  static doubleTapMilliseconds = 320;
  // A pinch always twists a little; beyond this angle it is meant.
  static twistReach = 0.16;

  constructor(surface, actions) {
    Object.assign(this, { surface, actions });
    this.pointers = new Map();
    this.lastTap = null;
    this.grip = null;
    const on = (name, handler, options) => surface.addEventListener(name, handler, options);
    on('pointerdown', (event) => this.down(event));
    on('pointermove', (event) => this.move(event));
    on('pointerup', (event) => this.up(event));
    on('click', (event) => this.click(event));
    on('pointercancel', (event) => this.forget(event));
    on('contextmenu', (event) => event.preventDefault());
    on('wheel', (event) => this.wheel(event), { passive: false });
  }

  point(event) {
    const box = this.surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    try {
      this.surface.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that a test made up cannot be captured; it works without.
    }
    if (!this.pointers.size) this.travel = 0;
    this.kind = event.pointerType;
    this.pointers.set(event.pointerId, this.point(event));
    if (this.pointers.size > 1) this.travel = Infinity;
    this.twisted = 0;
    this.letGo();
    const isPlain = this.pointers.size === 1 && event.button === 0 && !this.pans(event);
    if (isPlain) this.grip = this.actions.grip?.(this.point(event), event.pointerType === 'mouse' ? 14 : 26) ?? null;
  }

  pans(event) {
    return event.shiftKey || event.ctrlKey || event.metaKey || (event.buttons & 6);
  }

  letGo() {
    this.grip?.end();
    this.grip = null;
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const after = this.point(event);
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, after);
    this.pointers.set(event.pointerId, after);
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    this.travel += Math.hypot(dx, dy);
    if (this.pointers.size > 1) return;
    const isDrag = this.travel > Gestures.tapReach;
    if (this.grip && isDrag) this.grip.move(after);
    else if (this.pans(event)) this.actions.pan(dx, dy);
    else if (isDrag) this.actions.turn(dx, dy);
  }

  pinch(id, before, after) {
    const [, other] = [...this.pointers].find(([key]) => key !== id);
    const span = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
    this.actions.pan((after[0] - before[0]) / 2, (after[1] - before[1]) / 2);
    if (span(after) > 1) this.actions.zoom(span(before) / span(after));
    this.twist(before, after, other);
  }

  // Screens have y down, so that a clockwise twist is positive here and negative in the view.
  twist(before, after, other) {
    const angle = (point) => Math.atan2(point[1] - other[1], point[0] - other[0]);
    const change = angle(after) - angle(before);
    const step = change - 2 * Math.PI * Math.round(change / (2 * Math.PI));
    const was = this.twisted;
    this.twisted += step;
    if (Math.abs(was) > Gestures.twistReach) this.actions.twist(-step);
    else if (Math.abs(this.twisted) > Gestures.twistReach) this.twisted = Math.sign(this.twisted) * 1e3;
  }

  up(event) {
    const isTap = this.pointers.size === 1 && this.travel <= Gestures.tapReach &&
      event.pointerType !== 'mouse';
    const point = this.point(event);
    this.forget(event);
    if (!isTap) return;
    const last = this.lastTap;
    const isDouble = last && event.timeStamp - last.time < Gestures.doubleTapMilliseconds &&
      Math.hypot(point[0] - last.point[0], point[1] - last.point[1]) < 24;
    this.lastTap = isDouble ? null : { time: event.timeStamp, point };
    if (isDouble) this.actions.doubleTap();
    else this.actions.tap(point, event.pointerType === 'touch' ? 16 : 8);
  }

  click(event) {
    if (this.kind !== 'mouse' || this.travel > Gestures.tapReach) return;
    if (event.detail === 2) this.actions.doubleTap();
    else if (event.detail < 2) this.actions.tap(this.point(event), 8);
  }

  forget(event) {
    this.pointers.delete(event.pointerId);
    this.letGo();
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 20 : 1;
    const speed = event.ctrlKey ? 0.01 : 0.0015;
    const delta = Math.max(-120, Math.min(120, event.deltaY * lines));
    this.actions.zoom(Math.exp(delta * speed));
  }
}
