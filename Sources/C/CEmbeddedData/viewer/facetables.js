import { byID, element, icon, plainText } from './element.js';
import { Quantity } from './quantity.js';

// The headline of a face, its lengths, and what is left region by region.
export class FaceTables {
  static tones = { measured: ['measurable', 'check'], assumed: ['relative', 'relative'], unknown: ['relative', 'caution'] };

  constructor(report, area) {
    Object.assign(this, { report, area });
  }

  static isNumber(value) {
    return typeof value === 'number' && Number.isFinite(value);
  }

  static millimeters(value, sigma = null) {
    return FaceTables.isNumber(value) ? Quantity.withSigma(value, sigma, 'mm') : '—';
  }

  static hundredths(millimeters, unit = '\u00a0mm') {
    return FaceTables.isNumber(millimeters) ? Quantity.fixed(millimeters, 2) + unit : '—';
  }

  show() {
    const { report } = this;
    const [tone, drawing] = Object.hasOwn(FaceTables.tones, report.scale) ? FaceTables.tones[report.scale] : ['unknown', 'note'];
    byID('verdict').dataset.verdict = tone;
    byID('verdict-badge').replaceChildren(icon(drawing), element('span', {}, report.badge || 'No verdict'));
    const headline = typeof report.headline === 'string' ? report.headline : '';
    byID('verdict-reason').textContent = Quantity.kept(plainText(headline || 'This page holds no verdict.'));
    byID('verdict-source').textContent = Quantity.kept(plainText(report.statement || ''));
    if (report.scale !== 'measured') byID('lengths-title').textContent = 'Lengths, if the head is of usual size';
    byID('lengths').replaceChildren(...this.lengths());
    byID('areas').textContent = this.areas();
    this.showRegions();
    byID('sources').replaceChildren(...this.sources());
  }

  lengths() {
    const { measurements } = this.report;
    return (Array.isArray(measurements) ? measurements : [])
      .map(({ label, millimeters, plusMinusMillimeters }) => element('tr', {},
        element('th', { scope: 'row' }, label),
        element('td', {}, FaceTables.millimeters(millimeters, plusMinusMillimeters))));
  }

  // An area errs by twice the share of lengths, at least; NaN without a head.
  areas() {
    const centimeters = (area) => `${Quantity.significant(1e4 * area, 3)}\u00a0cm²`;
    const { whole, measured } = this.area;
    if (!FaceTables.isNumber(whole)) return '';
    const percent = this.report.scalePercent;
    const uncertainty = FaceTables.isNumber(percent) ? `, ± ${Quantity.percent(2 * percent)} by the scale alone` : '';
    const part = measured > 0 ? `, of it measured: ${centimeters(measured)}` : '';
    return `Surface as the photo shows it: ${centimeters(whole)}${part}${uncertainty}. ` +
      'Where the head is cut off is the model’s choice, and so is the whole.';
  }

  showRegions() {
    const { regions, residual, landmarksPercent } = this.report;
    const rows = (Array.isArray(regions) ? regions : []).map((region) => element('tr', {},
      element('th', { scope: 'row' }, region.name),
      element('td', {}, FaceTables.hundredths(region.medianMillimeters, '')),
      element('td', {}, FaceTables.hundredths(region.p95Millimeters, '')),
      element('td', {}, `±\u00a0${FaceTables.hundredths(region.sigmaMillimeters, '')}`),
      element('td', {}, Quantity.percent(100 * region.measuredShare, 2))));
    byID('regions').replaceChildren(...rows);
    byID('regions-table').hidden = !rows.length;
    const words = residual
      ? `Left between surface and depth: ${FaceTables.hundredths(residual.medianMillimeters)} in the median, ` +
        `${FaceTables.hundredths(residual.p95Millimeters)} at 95\u00a0%, over ${residual.pixels} pixels of depth. `
      : 'Nothing was measured: no depth in meters was used for this face. Its shape is that of a statistical model fitted to the landmarks. ';
    byID('regions-words').textContent = words +
      (FaceTables.isNumber(landmarksPercent)
        ? `Landmarks are met to ${Quantity.fixed(landmarksPercent, 1)}\u00a0% of the distance between the eyes’ outer corners.` : '');
  }

  sources() {
    const { models = {}, photoPercent, file, sha256 } = this.report;
    const facts = [
      ['Photo', file], ['SHA-256', sha256], ['Landmarks by', models.landmarks], ['Head', models.morphable],
      ['License of the head', models.morphableLicense], ['Runtime', models.runtime],
      ['Texture', FaceTables.isNumber(photoPercent)
        ? `${Quantity.percent(photoPercent)} of it is the photo’s, the rest is mirrored or filled in` : null],
    ];
    return facts.filter(([, value]) => value).map(([name, value]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  }
}
