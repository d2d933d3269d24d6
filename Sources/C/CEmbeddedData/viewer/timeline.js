import { byID, element, entry, icon, plainText } from './element.js';
import { Findings } from './findings.js';
import { Quantity } from './quantity.js';

// A recording's frames along its time: scrubbing, playing, gaps where frames were lost, findings.
export class Timeline {
  static findingLimit = 400;
  static frameButtonLimit = 12;

  constructor(viewer) {
    this.viewer = viewer;
    byID('play').addEventListener('click', () => this.player?.toggle());
    byID('frame-back').addEventListener('click', () => this.player?.step(-1));
    byID('frame-next').addEventListener('click', () => this.player?.step(1));
    byID('speed').addEventListener('change', (event) => this.player?.setSpeed(Number(event.target.value)));
    byID('scrub').addEventListener('input', (event) => this.scrubbed(Number(event.target.value)));
    byID('scrub').addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.drawTrack()).observe(byID('track'));
  }

  // Null for a photo or a live stream.
  setPlayer(player) {
    this.player?.pause();
    this.player = player;
    byID('timeline').hidden = !player;
    byID('recording-findings').hidden = true;
    if (!player) return;
    player.onChange(() => this.show());
    byID('speed').value = String(player.speed);
    this.refresh();
  }

  // What is known of the recording may have become more.
  refresh() {
    if (!this.player) return;
    byID('recording-findings').hidden = !this.item.findings.length;
    byID('scrub').max = String(Math.max(1, Math.round(1000 * this.item.duration)));
    this.showGaps();
    this.showFindings();
    this.drawTrack();
    this.show();
  }

  get item() {
    return this.player.item;
  }

  share(index) {
    const { times, duration } = this.item;
    return duration > 0 ? times[index] / duration : 0;
  }

  scrubbed(milliseconds) {
    this.viewer.showFrame(this.item.frameNear(milliseconds / 1000));
  }

  // The slider steps by frames, not by milliseconds.
  key(event) {
    const last = this.item.frames.length - 1;
    const goal = {
      ArrowLeft: this.player.index - 1, ArrowDown: this.player.index - 1,
      ArrowRight: this.player.index + 1, ArrowUp: this.player.index + 1,
      PageDown: this.player.index - 10, PageUp: this.player.index + 10, Home: 0, End: last,
    };
    if (!Object.hasOwn(goal, event.key)) return;
    event.preventDefault();
    this.viewer.showFrame(goal[event.key]);
  }

  show() {
    const { index, isPlaying } = this.player;
    const { frames, times } = this.item;
    const text = `frame ${index + 1} of ${frames.length}, ${Quantity.fixed(times[index], 3)} s`;
    byID('scrub').value = String(Math.round(1000 * times[index]));
    byID('scrub').setAttribute('aria-valuetext', text);
    byID('frame-text').textContent = text;
    byID('play').setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
    byID('play').replaceChildren(icon(isPlaying ? 'pause' : 'play'));
  }

  showGaps() {
    const { drops, times, duration } = this.item;
    const known = drops.filter(({ after }) => after >= 0 && after < times.length);
    const lost = known.reduce((sum, { count }) => sum + (count || 0), 0);
    byID('lost-text').textContent = lost ? `${lost} frame${lost > 1 ? 's' : ''} lost` : '';
    byID('gaps').replaceChildren(...known.map(({ after, count, seconds }) => {
      const end = times[Math.min(times.length - 1, after + 1)];
      const gap = element('span', {
        class: 'gap', title: `${count} lost after frame ${after + 1}, ${Quantity.significant(seconds, 3)} s`,
      });
      gap.style.left = 100 * (duration ? times[after] / duration : 0) + '%';
      gap.style.width = 100 * (duration ? (end - times[after]) / duration : 0) + '%';
      return gap;
    }));
  }

  // One stroke for each frame, so that a gap is seen.
  drawTrack() {
    const canvas = byID('track');
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!this.player || !width) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    context.fillStyle = getComputedStyle(canvas).color;
    const { times, duration } = this.item;
    for (const time of times) {
      context.fillRect((duration ? time / duration : 0) * (width - 1), 0, 1, height);
    }
  }

  showFindings() {
    const marks = [];
    for (const finding of this.item.findings) {
      for (const frame of Array.isArray(finding.frames) ? finding.frames : []) {
        if (!(frame >= 0 && frame < this.item.frames.length)) continue;
        if (marks.length >= Timeline.findingLimit) break;
        const mark = element('span', { class: 'finding-mark', 'data-severity': finding.severity });
        mark.style.left = 100 * this.share(frame) + '%';
        marks.push(mark);
      }
    }
    byID('finding-marks').replaceChildren(...marks);
    byID('recording-findings-list').replaceChildren(...this.item.findings.map((finding) => this.row(finding)));
  }

  row(finding) {
    const { icon: drawing, word } = entry(Findings.severities, finding.severity) || Findings.severities.note;
    const frames = (Array.isArray(finding.frames) ? finding.frames : [])
      .filter((frame) => frame >= 0 && frame < this.item.frames.length);
    const buttons = frames.slice(0, Timeline.frameButtonLimit).map((frame) => this.frameButton(frame));
    const more = frames.length - buttons.length;
    return element('li', { 'data-severity': finding.severity },
      element('span', { class: 'severity' }, icon(drawing), element('span', {}, word)),
      element('span', { class: 'message' }, plainText(finding.message || finding.code)),
      element('span', { class: 'chips' }, ...buttons, more > 0 ? `and ${more} more` : null));
  }

  frameButton(frame) {
    const button = element('button', { class: 'chip', type: 'button', 'data-frame': frame }, `Frame ${frame + 1}`);
    button.addEventListener('click', () => this.viewer.showFrame(frame));
    return button;
  }
}
