import { Gestures } from './gestures.js';
import { Orbit } from './orbit.js';

// Pointer and keyboard on the cloud: what gestures and keys do to its view, and flights to other views.
export class Pilot {
  static arrows = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  };
  static turnStep = 0.0873;
  static flightMilliseconds = 260;

  // `actions`: `pick(point, reach)` for a tap, `undoPick()` when it was the first half of a double
  // tap; `grip(point, reach)`, if there, gives what can be dragged.
  constructor(cloud, actions) {
    Object.assign(this, { cloud, actions });
    this.flight = null;
  }

  get isFlying() {
    return Boolean(this.flight);
  }

  attach() {
    const { canvas } = this.cloud;
    const height = () => canvas.clientHeight;
    this.gestures = new Gestures(canvas, {
      turn: (dx, dy) => this.move((orbit) => orbit.turn(dx * 0.008, dy * 0.008)),
      pan: (dx, dy) => this.move((orbit) => orbit.pan(dx / height(), dy / height())),
      zoom: (factor) => this.move((orbit) => orbit.zoom(factor)),
      twist: (angle) => this.move((orbit) => orbit.twist(angle)),
      tap: (point, reach) => this.actions.pick(point, reach),
      grip: (point, reach) => this.actions.grip?.(point, reach),
      doubleTap: () => {
        this.actions.undoPick();
        this.reset();
      },
    });
    canvas.addEventListener('keydown', (event) => {
      if (this.key(event)) event.preventDefault();
    });
  }

  // Keys of the focused cloud; whether this was one.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { canvas } = this.cloud;
    const arrow = Pilot.arrows[event.key];
    const steps = {
      '+': (orbit) => orbit.zoom(0.9), '=': (orbit) => orbit.zoom(0.9),
      '-': (orbit) => orbit.zoom(1 / 0.9),
      '[': (orbit) => orbit.twist(Pilot.turnStep), ']': (orbit) => orbit.twist(-Pilot.turnStep),
    };
    if (arrow && event.shiftKey) {
      this.move((orbit) => orbit.pan(-arrow[0] * 0.05, -arrow[1] * 0.05));
    } else if (arrow) {
      this.move((orbit) => orbit.turn(arrow[0] * Pilot.turnStep, arrow[1] * Pilot.turnStep));
    } else if (Object.hasOwn(steps, event.key)) {
      this.move(steps[event.key]);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.actions.pick([canvas.clientWidth / 2, canvas.clientHeight / 2], 12, true);
    } else {
      return false;
    }
    return true;
  }

  move(change) {
    this.flight = null;
    change(this.cloud.orbit);
    this.cloud.requestMoving();
  }

  // To another view, in a short flight unless motion is unwelcome.
  fly(goal) {
    const { cloud } = this;
    const { orbit } = cloud;
    if (!cloud.isAvailable || !cloud.home) return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.move(() => { orbit.state = goal; });
      return;
    }
    const from = orbit.state;
    const began = performance.now();
    const flight = this.flight = (now) => {
      if (this.flight !== flight) return;
      const share = Math.min(1, Math.max(0, (now - began) / Pilot.flightMilliseconds));
      orbit.state = Orbit.between(from, goal, share * share * (3 - 2 * share));
      cloud.requestMoving();
      if (share < 1) requestAnimationFrame(flight);
      else this.flight = null;
    };
    requestAnimationFrame(flight);
  }

  reset() {
    this.fly(this.cloud.home);
  }

  fit() {
    const { yaw, pitch, roll } = this.cloud.orbit;
    this.fly({ ...this.cloud.center, yaw, pitch, roll });
  }

  view(index) {
    const [yaw, pitch] = Orbit.views[index];
    this.fly({ ...this.cloud.center, yaw, pitch, roll: 0 });
  }
}
