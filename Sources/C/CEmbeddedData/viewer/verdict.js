import { byID, element, entry, icon, plainText } from './element.js';
import { Quantity } from './quantity.js';

// The verdict in one sentence, and the numbers behind it.
export class Verdict {
  static icons = { measurable: 'check', corrected: 'corrected', relative: 'relative', untrusted: 'cross' };

  // The headline of a document, in the library's words: `VerdictHeadline` in PlumblineVerification.
  static headline(report) {
    const { words, tone } = report.headline ?? {};
    const drawing = entry(Verdict.icons, tone);
    return drawing && typeof words === 'string' && words
      ? { words: Quantity.kept(plainText(words)), tone, drawing }
      : { words: 'No verdict', tone: 'unknown', drawing: 'note' };
  }

  // An icon with its words.
  static badge(report) {
    return Verdict.#badge(Verdict.headline(report));
  }

  // What stands for a verdict that is not known yet.
  static pendingBadge() {
    return Verdict.#badge({ words: 'Not checked yet', tone: 'pending', drawing: 'note' });
  }

  static #badge({ words, tone, drawing }) {
    return element('span', { class: 'verdict-badge', 'data-verdict': tone },
      icon(drawing), element('span', {}, words));
  }

  constructor(report, isMetric) {
    this.report = report;
    this.quantity = new Quantity(isMetric);
    this.isMetric = isMetric;
  }

  show() {
    const { words, tone, drawing } = Verdict.headline(this.report);
    byID('verdict').dataset.verdict = tone;
    byID('verdict-badge').replaceChildren(icon(drawing), element('span', {}, words));
    byID('verdict-reason').textContent =
      Quantity.kept(plainText(this.report.reason || 'This report holds no verdict.'));
    byID('verdict-source').textContent = this.source();
    byID('numbers').replaceChildren(...this.numbers().map((number) => this.card(number)));
  }

  source() {
    const source = this.report.source || {};
    const cameras = {
      trueDepth: 'TrueDepth camera', dual: 'dual camera', dualWide: 'dual wide camera',
      lidar: 'LiDAR', stereo: 'stereo camera',
    };
    // No hyphen of a date may break the line.
    const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(source.capturedAt);
    const taken = time
      ? `${time[1].replaceAll('-', '\u2011')}, ${time[2]}` : source.capturedAt;
    return [source.model, entry(cameras, source.camera), taken]
      .filter((part) => part).map(plainText).join(' · ');
  }

  numbers() {
    const depth = this.report.depth || {};
    const calibration = this.report.calibration || {};
    const { zMillimeters, lengthPercent } = this.report.uncertainty || {};
    const sigma = zMillimeters ?? depth.sigmaMillimetersAtMedian;
    const relative = this.isMetric ? '' : 'relative units, ';
    const hasFocal = this.isNumber(calibration.fx) && calibration.present !== false;
    return [
      ['Median depth', this.median(depth.medianMeters, sigma),
        this.isMetric ? 'one pixel, ± 1 σ' : 'relative units'],
      ['Length uncertainty',
        this.isNumber(lengthPercent) ? '± ' + Quantity.percent(lengthPercent) : null,
        this.lengthExample(lengthPercent)],
      ['Depth range', this.range(depth.minMeters, depth.maxMeters), relative + 'near to far'],
      ['Coverage',
        this.isNumber(depth.validFraction) ? Quantity.percent(100 * depth.validFraction, 3) : null,
        depth.width ? `of ${depth.width} × ${depth.height} pixels` : null],
      ['Depth step',
        this.isMetric && this.isNumber(depth.stepMillimetersAtMedian)
          ? Quantity.significant(depth.stepMillimetersAtMedian) + '\u00a0mm' : null,
        'at the median depth'],
      ['Focal length', hasFocal ? Quantity.fixed(calibration.fx, 1) + '\u00a0px' : null,
        this.calibrationNote(calibration), this.calibrationNote(calibration)],
    ];
  }

  // A card has no room for "relative units"; its note says so instead.
  median(meters, millimeters) {
    if (!this.isNumber(meters)) return null;
    if (!this.isMetric) return Quantity.fixed(meters, 3);
    return this.quantity.length(meters, this.isNumber(millimeters) ? millimeters / 1000 : null);
  }

  range(low, high) {
    if (!this.isNumber(low) || !this.isNumber(high)) return null;
    return this.isMetric
      ? this.quantity.span(low, high) : `${Quantity.fixed(low, 2)} – ${Quantity.fixed(high, 2)}`;
  }

  lengthExample(percent) {
    if (!this.isNumber(percent)) return 'not known';
    return this.isMetric
      ? `± ${Quantity.significant(percent)}\u00a0mm on 100\u00a0mm` : 'of the length, ± 1 σ';
  }

  calibrationNote(calibration) {
    if (calibration.present === false) return 'no calibration in the file';
    if (calibration.trusted === true) return 'calibration trusted';
    return calibration.trusted === false ? 'calibration not trusted' : null;
  }

  card([name, value, note, reason]) {
    return element('div', { class: 'number' },
      element('dt', {}, name),
      element('dd', {},
        element('span', { class: value === null ? 'value missing' : 'value' }, value ?? '—'),
        element('span', { class: 'note' }, value === null ? reason || 'not known' : note)));
  }

  isNumber(value) {
    return typeof value === 'number' && Number.isFinite(value);
  }
}
