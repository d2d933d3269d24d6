import { byID, element, plainText } from './element.js';
import { Quantity } from './quantity.js';
import { ResultColumns } from './resultcolumns.js';
import { ResultTable } from './resulttable.js';
import { ResultWords } from './resultwords.js';

// All that the page knows about one capture.
export class ResultDetails {
  constructor(columns, explanations) {
    this.columns = columns;
    this.explanations = explanations;
    this.dialog = byID('details');
    byID('details-close').addEventListener('click', () => this.dialog.close());
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  show(row) {
    const { columns } = this;
    byID('details-title').textContent = plainText(columns.name[row]);
    const image = ResultTable.thumbnail(columns, row);
    image?.addEventListener('error', () => image.remove());
    byID('details-image').replaceChildren(...(image ? [image] : []));
    const isFailed = columns.verdict.at(row) === 'failed';
    const facts = [
      ['Verdict', ResultWords.badge(columns.verdict.at(row))],
      [isFailed ? 'Why' : 'Reason', Quantity.kept(plainText(columns.reason.at(row) ?? ''))],
      ['Path', columns.path(row)],
      ['Device', columns.device.at(row)],
      ['System', columns.os.at(row)],
      ['Captured', columns.captured[row]],
      ['Frames', Number.isFinite(columns.frames[row]) ? ResultWords.count(columns.frames[row]) : ''],
      ['Median depth', this.depth(row)],
      ['± of lengths', this.known(columns.length[row], ResultWords.percent)],
    ].filter(([, value]) => value);
    const measured = columns.values[row].split('; ').filter((value) => value);
    if (measured.length) {
      facts.push(['Measured', element('ul', {}, ...measured.map((value) => element('li', {}, value)))]);
    }
    byID('details-content').replaceChildren(
      element('dl', {}, ...facts.map(([name, value]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, value)))),
      ...this.findings(row), ...this.links(row));
    this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  known(value, words) {
    return Number.isFinite(value) ? words(value) : '';
  }

  depth(row) {
    const { columns } = this;
    if (!Number.isFinite(columns.median[row])) return '';
    const sigma = columns.depth[row];
    return new Quantity(true).length(columns.median[row], Number.isFinite(sigma) ? sigma / 1000 : null)
      + (Number.isFinite(sigma) ? ' (one pixel)' : '');
  }

  findings(row) {
    const findings = ResultColumns.findings(this.columns.findings.at(row));
    if (!findings.length) return [];
    return [
      element('h3', {}, 'Findings'),
      element('ul', { class: 'capture-findings' }, ...findings.map(({ severity, code }) =>
        element('li', {}, ResultWords.severity(severity), element('code', {}, code),
          element('p', {}, this.explanations.get(code) ?? '')))),
    ];
  }

  links(row) {
    const { columns } = this;
    const [output, page] = [columns.output[row], columns.page.at(row)];
    if (!output || !page) return [];
    const address = `captures/${encodeURIComponent(output)}/${encodeURIComponent(page)}`;
    return [element('p', { class: 'capture-links' },
      element('a', { href: address, class: 'plain' }, 'Open its report'))];
  }
}
