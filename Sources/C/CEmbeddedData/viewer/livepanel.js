import { Alarm } from './alarm.js';
import { byID, element, entry, plainText } from './element.js';
import { LiveStream } from './livestream.js';
import { Quantity } from './quantity.js';

// The live stream with its numbers, its alerts and the button that holds an image.
export class LivePanel {
  static thermalWords = {
    nominal: 'normal', fair: 'warm', serious: 'hot', critical: 'too hot',
  };
  static thermalAlerts = {
    serious: 'The phone is hot: its camera may slow down. Let it cool.',
    critical: 'The phone is too hot and is about to stop the camera. Let it cool now.',
  };
  static dropWords = {
    lateData: 'late', outOfBuffers: 'no buffers', discontinuity: 'interrupted', noDepth: 'without depth',
    slowConsumer: 'too slow here', unreadable: 'unreadable', none: 'no reason given',
  };
  // Nearer than this TrueDepth measures little or nothing; ours, of what its recordings show.
  static nearMeters = 0.2;
  static nearShare = 0.05;

  constructor(viewer) {
    this.viewer = viewer;
    this.stream = null;
    this.alarm = new Alarm(viewer.banners);
    byID('freeze').addEventListener('click', () => this.setFrozen(!this.stream?.isFrozen));
  }

  open() {
    this.close();
    const { banners } = this.viewer;
    byID('live').hidden = false;
    this.showStatus({});
    this.showWaiting(true);
    this.stream = new LiveStream({
      frame: (frame) => this.take(frame),
      status: (status) => this.showStatus(status),
      opened: (source) => {
        banners.remove('lost');
        banners.remove('ended');
        this.viewer.setTitle(source || 'Live');
        this.viewer.say('Live.');
      },
      lost: (seconds) => banners.show('lost', 'caution',
        `The connection is lost; trying again in ${Quantity.significant(seconds)} s.`),
      dismissed: () => banners.show('lost', 'fault',
        'The server has ended your view. Open the link again to come back.'),
      ended: (reason) => banners.show('ended', 'note', reason ? `The stream has ended: ${reason}` : 'The stream has ended.'),
      failed: (error) => banners.show('frame', 'fault', `A frame cannot be shown: ${error.message}`),
    });
  }

  close() {
    this.stream?.close();
    this.stream = null;
    byID('live').hidden = true;
    this.alarm.close();
    byID('freeze').setAttribute('aria-pressed', 'false');
    for (const key of ['lost', 'ended', 'thermal', 'near', 'frame']) this.viewer.banners.remove(key);
  }

  // Until the first frame comes there is nothing to see, least of all what was seen before.
  showWaiting(waits) {
    byID('stage').hidden = waits;
    byID('loading').hidden = !waits;
    byID('loading').textContent = 'Waiting for the first frame.';
  }

  async take(frame) {
    this.showWaiting(false);
    // Before the image is drawn: an alarm is not kept waiting.
    this.alarm.take(frame.scene);
    await this.viewer.present(frame);
    this.viewer.banners.remove('frame');
    this.warnOfNearness(frame.scene);
  }

  setFrozen(isFrozen) {
    if (!this.stream) return;
    this.stream.isFrozen = isFrozen;
    byID('freeze').setAttribute('aria-pressed', String(isFrozen));
    // Held, it is drawn with all of its points.
    this.viewer.space?.changed();
    this.viewer.say(isFrozen ? 'The image is held.' : 'Live again.');
  }

  warnOfNearness(scene) {
    const isNear = scene.metric && scene.quantile(LivePanel.nearShare) < LivePanel.nearMeters;
    if (isNear) {
      this.viewer.banners.show('near', 'caution',
        `Something is nearer than ${1000 * LivePanel.nearMeters} mm: depth is not to be trusted there. Step back.`);
    } else {
      this.viewer.banners.remove('near');
    }
  }

  showStatus(status) {
    this.status = status;
    const alert = entry(LivePanel.thermalAlerts, status.thermal);
    if (alert) this.viewer.banners.show('thermal', status.thermal === 'critical' ? 'fault' : 'caution', alert);
    else this.viewer.banners.remove('thermal');
    const shown = this.stream ? this.stream.framesPerSecond : 0;
    byID('live-status').replaceChildren(...[
      ['Shown', `${Quantity.fixed(shown, 1)}\u00a0fps`],
      ['Source', LivePanel.number(status.framesPerSecond, 1, 'fps')],
      ['Latency', LivePanel.latency(status)],
      ['Lost', LivePanel.drops(status.dropped)],
      ['Skipped here', LivePanel.number(status.skipped, 0, '')],
      ['Heat', entry(LivePanel.thermalWords, status.thermal) ?? 'not known', status.thermal],
      ['Viewers', LivePanel.number(status.viewers, 0, '')],
      ['Recording', LivePanel.recording(status.recording)],
    ].map(([name, value, state]) => element('div', { 'data-state': state },
      element('dt', {}, name), element('dd', {}, value))));
  }

  static number(value, decimals, unit) {
    if (!Number.isFinite(value)) return '—';
    return Quantity.fixed(value, decimals) + (unit ? '\u00a0' + unit : '');
  }

  static latency({ latencyMilliseconds: value, latencyPlusMinusMilliseconds: plusMinus }) {
    if (!Number.isFinite(value)) return 'not known';
    // One clock at both ends has no ±.
    return plusMinus > 0 ? Quantity.withSigma(value, plusMinus, 'ms') : LivePanel.number(value, 1, 'ms');
  }

  static drops(dropped) {
    const reasons = Object.entries(dropped && typeof dropped === 'object' ? dropped : {})
      .filter(([, count]) => count > 0);
    if (!reasons.length) return '0';
    return reasons.map(([reason, count]) =>
      `${count}\u00a0${entry(LivePanel.dropWords, reason) ?? plainText(reason)}`).join(', ');
  }

  static recording(recording) {
    if (!recording) return 'off';
    const size = Quantity.fixed((recording.bytes || 0) / 1e6, 1);
    return `${recording.frames} frames, ${recording.stored ?? 0} safe, ${size}\u00a0MB`;
  }
}
