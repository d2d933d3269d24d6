'use strict';

// The verdict in one sentence, and the numbers behind it.
class Verdict {
  static kinds = {
    measurable: { word: 'Measurable', icon: 'check' },
    corrected: { word: 'Measurable after correction', icon: 'corrected' },
    relative: { word: 'Relative only', icon: 'relative' },
    untrusted: { word: 'Not trustworthy', icon: 'cross' },
  };

  constructor(report, isMetric) {
    this.report = report;
    this.quantity = new Quantity(isMetric);
    this.isMetric = isMetric;
  }

  show() {
    const known = Object.hasOwn(Verdict.kinds, this.report.verdict);
    const kind = known ? this.report.verdict : 'unknown';
    const { word, icon: drawing } =
      Verdict.kinds[kind] || { word: 'No verdict', icon: 'relative' };
    byID('verdict').dataset.verdict = kind;
    byID('verdict-badge').replaceChildren(icon(drawing), element('span', {}, word));
    byID('verdict-reason').textContent =
      plainText(this.report.reason || 'This report holds no verdict.');
    byID('verdict-source').textContent = this.source();
    byID('numbers').replaceChildren(...this.numbers().map((number) => this.card(number)));
  }

  source() {
    const source = this.report.source || {};
    const cameras = {
      trueDepth: 'TrueDepth camera', dual: 'dual camera', dualWide: 'dual wide camera',
      lidar: 'LiDAR', stereo: 'stereo camera',
    };
    const camera = Object.hasOwn(cameras, source.camera) ? cameras[source.camera] : null;
    return [source.model, camera, source.capturedAt]
      .filter((part) => part).map(plainText).join(' · ');
  }

  numbers() {
    const depth = this.report.depth || {};
    const calibration = this.report.calibration || {};
    const uncertainty = this.report.uncertainty || {};
    const length = (meters, millimeters = null) => this.isNumber(meters)
      ? this.quantity.length(meters, this.isMetric && millimeters !== null
        ? millimeters / 1000 : null)
      : null;
    const millimeters = (value) => this.isMetric && this.isNumber(value)
      ? Quantity.significant(value) + '\u00a0mm' : null;
    const zSigma = uncertainty.zMillimeters ?? depth.sigmaMillimetersAtMedian ?? null;
    const range = this.isNumber(depth.minMeters) && this.isNumber(depth.maxMeters)
      ? this.span(depth.minMeters, depth.maxMeters) : null;
    const isCentered = this.isNumber(calibration.fx) && calibration.present !== false;
    return [
      ['Median depth', length(depth.medianMeters, zSigma), 'one pixel, ± 1 σ'],
      ['Uncertainty of a length',
        this.isNumber(uncertainty.lengthPercent)
          ? '± ' + Quantity.percent(uncertainty.lengthPercent) : null,
        this.lengthExample(uncertainty.lengthPercent)],
      ['Depth range', range, 'nearest to farthest'],
      ['Coverage',
        this.isNumber(depth.validFraction)
          ? Quantity.percent(100 * depth.validFraction, 3) : null,
        depth.width ? `of ${depth.width} × ${depth.height} pixels` : null],
      ['Depth step', millimeters(depth.stepMillimetersAtMedian), 'between codes, at the median'],
      ['Focal length', isCentered ? Quantity.fixed(calibration.fx, 1) + '\u00a0px' : null,
        this.calibrationNote(calibration)],
    ].filter(([, value, note]) => value !== null || note !== null);
  }

  lengthExample(percent) {
    if (!this.isNumber(percent)) return 'not known';
    return this.isMetric
      ? `± ${Quantity.significant(percent)}\u00a0mm on 100\u00a0mm, 1 σ` : 'of the length, 1 σ';
  }

  calibrationNote(calibration) {
    if (calibration.present === false) return 'no calibration in the file';
    if (calibration.trusted === true) return 'calibration trusted';
    return calibration.trusted === false ? 'calibration not trusted' : null;
  }

  span(low, high) {
    const { factor, unit } = this.quantity.unit(high);
    const decimals = unit === 'mm' ? 0 : 2;
    return Quantity.fixed(low * factor, decimals) + ' – ' +
      Quantity.fixed(high * factor, decimals) + '\u00a0' + unit;
  }

  card([name, value, note]) {
    return element('div', { class: 'number' },
      element('dt', {}, name),
      element('dd', {},
        element('span', { class: value === null ? 'value missing' : 'value' }, value ?? '—'),
        note ? element('span', { class: 'note' }, note) : null));
  }

  isNumber(value) {
    return typeof value === 'number' && Number.isFinite(value);
  }
}
