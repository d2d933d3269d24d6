import { byID } from './element.js';
import { ProximityAlert, ProximityReading } from './proximity.js';
import { Quantity } from './quantity.js';

// The alarm of a live stream: a banner and a sound when something is nearer than the reader chose.
export class Alarm {
  static middle = [0.25, 0.25, 0.5, 0.5];
  static limits = [0.05, 20];

  constructor(banners) {
    this.banners = banners;
    this.alert = null;
    this.audio = null;
    this.signals = 0;
    byID('alarm-on').addEventListener('change', () => this.reset());
    byID('alarm-distance').addEventListener('change', () => this.reset());
    byID('alarm-middle').addEventListener('change', () => this.reset());
    byID('alarm-sound').addEventListener('change', () => this.allowSound());
    this.reset();
  }

  // Begins anew with what is chosen; a distance that cannot be becomes the nearest that can.
  reset() {
    const [least, most] = Alarm.limits;
    const input = byID('alarm-distance');
    const typed = Number(input.value);
    const near = Math.min(most, Math.max(least, typed > 0 ? typed : 0.5));
    if (near !== typed) input.value = near;
    this.alert = byID('alarm-on').checked ? new ProximityAlert(near) : null;
    byID('alarm').dataset.state = this.alert ? 'unknown' : 'off';
    byID('alarm-reading').textContent = '';
    this.banners.remove('alarm');
    if (this.alert) this.allowSound();
  }

  // Browsers let a page sound only after it was touched, which it has been when this is called.
  allowSound() {
    if (!this.alert || !byID('alarm-sound').checked || !window.AudioContext) return;
    this.audio ??= new AudioContext();
    this.audio.resume().catch(() => {});
  }

  take(scene, seconds = performance.now() / 1000) {
    if (!this.alert) return;
    if (!scene.metric) {
      this.banners.show('alarm', 'note', 'The alarm takes depth in meters, and this depth has no unit.');
      return;
    }
    const reading = new ProximityReading(scene, byID('alarm-middle').checked ? Alarm.middle : undefined);
    byID('alarm-reading').textContent = Alarm.words(reading);
    const event = this.alert.next(reading, seconds);
    byID('alarm').dataset.state = this.alert.state;
    if (this.alert.state === 'near') {
      // The number is beside the switch: a message that changed with each frame could not be read out.
      this.banners.show('alarm', 'fault', `Something is nearer than ${Quantity.significant(1000 * this.alert.near)} mm.`);
    } else {
      this.banners.remove('alarm');
    }
    if (event?.isSignal) this.signal();
  }

  static words({ nearest, sigma, measuredShare }) {
    if (nearest === null) return `nothing measured (${Math.round(100 * measuredShare)} % of the pixels)`;
    const text = sigma > 0 ? Quantity.withSigma(1000 * nearest, 1000 * sigma, 'mm')
      : `${Quantity.fixed(1000 * nearest, 0)}\u00a0mm, ± not known`;
    return `nearest ${text}`;
  }

  // Two short tones: one could be anything.
  signal() {
    this.signals++;
    if (!this.audio || !byID('alarm-sound').checked) return;
    for (const start of [0, 0.16]) {
      const tone = this.audio.createOscillator();
      const volume = this.audio.createGain();
      const from = this.audio.currentTime + start;
      tone.frequency.value = 880;
      volume.gain.setValueAtTime(0.2, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + 0.12);
      tone.connect(volume).connect(this.audio.destination);
      tone.start(from);
      tone.stop(from + 0.13);
    }
  }

  close() {
    this.banners.remove('alarm');
    this.alert = null;
    byID('alarm-on').checked = false;
    byID('alarm').dataset.state = 'off';
    byID('alarm-reading').textContent = '';
  }
}
