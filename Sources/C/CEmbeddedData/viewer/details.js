import { byID, element } from './element.js';

// Every field of the document that the page has not shown elsewhere, in plain words.
export class Details {
  static groups = [
    ['Source', 'source', {
      make: 'Make', model: 'Model', os: 'System', camera: 'Camera', api: 'Interface',
      capturedAt: 'Taken',
    }],
    ['Depth', 'depth', {
      width: 'Width, px', height: 'Height, px', storedType: 'Stored as', kind: 'Kind',
      accuracy: 'Accuracy', filtered: 'Filtered', quality: 'Quality',
      sigmaMillimetersAtMedian: 'σ at the median, mm',
      stepMillimetersAtMedian: 'Step at the median, mm',
    }],
    ['Calibration', 'calibration', {
      present: 'Present', trusted: 'Trusted', fx: 'fx, px', fy: 'fy, px', cx: 'cx, px',
      cy: 'cy, px', referenceWidth: 'Reference width, px', referenceHeight: 'Reference height, px',
      pixelSizeMillimeters: 'Pixel size, mm', distortion: 'Distortion', rectified: 'Rectified',
    }],
    ['Uncertainty', 'uncertainty', {
      zMillimeters: 'Depth, mm', lengthPercent: 'Length, %', basis: 'Basis',
    }],
  ];

  constructor(report) {
    this.report = report;
  }

  show() {
    const groups = Details.groups.map(([title, key, names]) =>
      this.group(title, this.report[key] || {}, names));
    const steps = this.report.provenance || [];
    // A step may be there twice.
    if (steps.length) {
      groups.push(this.group('What was done', steps.map(({ detail }) => detail), steps.map(({ step }) => step)));
    }
    const file = { file: this.report.file, sha256: this.report.sha256 };
    groups.push(this.group('File', file, { file: 'Name', sha256: 'SHA-256' }));
    byID('details-groups').replaceChildren(...groups);
  }

  group(title, values, names) {
    const rows = Object.entries(names).map(([key, name]) => element('div', {},
      element('dt', {}, name), element('dd', {}, this.text(values[key]))));
    return element('section', {}, element('h3', {}, title), element('dl', { class: 'facts' },
      ...rows));
  }

  text(value) {
    if (value === null || value === undefined) return 'not known';
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (typeof value === 'number') return String(Number(value.toPrecision(7)));
    return typeof value === 'object' ? JSON.stringify(value) : value;
  }
}
