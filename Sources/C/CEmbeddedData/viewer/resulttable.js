import { byID, element, icon, plainText } from './element.js';
import { Quantity } from './quantity.js';
import { ResultColumns } from './resultcolumns.js';
import { ResultWords } from './resultwords.js';

// The table of captures. Only rows that are seen are elements of the page: all rows have one height, so the
// place of each is known without them.
export class ResultTable {
  // Browsers draw no element that is much higher than this, in pixels.
  static maximumHeight = 15_000_000;
  static spareRows = 6;

  constructor(columns, query, open) {
    this.columns = columns;
    this.query = query;
    this.open = open;
    this.grid = byID('grid');
    this.scroller = byID('scroller');
    this.body = byID('rows');
    this.rows = new Uint32Array(0);
    this.active = 0;
    this.drawn = new Map();
    this.fields = this.makeFields();
    this.showHead();
    this.scroller.addEventListener('scroll', () => this.draw(), { passive: true });
    this.grid.addEventListener('keydown', (event) => this.press(event));
    this.body.addEventListener('click', (event) => this.click(event));
    new ResizeObserver(() => this.resize()).observe(this.scroller);
  }

  makeFields() {
    const { columns } = this;
    const has = (numbers) => numbers.some((number) => number === number);
    const fields = [
      { key: 'path', title: 'Name', cell: (row) => this.name(row) },
      { key: 'verdict', title: 'Verdict', cell: (row) => [ResultWords.badge(columns.verdict.at(row))] },
    ];
    if (has(columns.value)) {
      fields.push({ key: 'value', title: 'Measured', cell: (row) => [this.measured(row)] });
    }
    fields.push(
      { key: 'depth', title: '± of depth', number: true,
        cell: (row) => [ResultWords.millimeters(columns.depth[row])] },
      { key: 'length', title: '± of lengths', number: true,
        cell: (row) => [ResultWords.percent(columns.length[row])] },
      { key: 'median', title: 'Median depth', number: true, cell: (row) => [ResultWords.meters(columns.median[row])] },
      { key: 'device', title: 'Device', cell: (row) => [plainText(columns.device.at(row) ?? '—')] },
      { key: 'findings', title: 'Findings', cell: (row) => this.findings(row) },
      { key: 'captured', title: 'Captured', cell: (row) => [ResultWords.day(columns.captured[row])] });
    this.grid.dataset.fields = fields.length;
    return fields;
  }

  measured(row) {
    return plainText(this.columns.values[row].split('; ')[0] || '—');
  }

  showHead() {
    const cells = this.fields.map(({ key, title, number }) => {
      const button = element('button', { type: 'button', tabindex: 0 }, element('span', {}, title), icon('sort'));
      button.addEventListener('click', () => this.sortBy(key));
      return element('div', { role: 'columnheader', class: this.classes(key, number), 'data-key': key },
        button);
    });
    byID('head').replaceChildren(
      element('div', { role: 'row', class: 'row', 'aria-rowindex': 1 },
        element('div', { role: 'columnheader', class: 'cell cell-image' }, element('span', { class: 'unseen' }, 'Image')),
        ...cells));
    this.grid.setAttribute('aria-colcount', this.fields.length + 1);
  }

  classes(key, isNumber) {
    return `cell cell-${key}${isNumber ? ' number-cell' : ''}`;
  }

  sortBy(key, descending = null) {
    const { query } = this;
    query.descending = descending ?? (query.sortKey === key && !query.descending);
    query.sortKey = key;
    this.update();
  }

  // Shows the rows that pass the filters, from the first one on.
  update() {
    this.rows = this.query.rows();
    this.active = 0;
    for (const cell of byID('head').querySelectorAll('[data-key]')) {
      const isSorted = cell.dataset.key === this.query.sortKey;
      cell.setAttribute('aria-sort',
        !isSorted ? 'none' : this.query.descending ? 'descending' : 'ascending');
    }
    this.clear();
    this.scroller.scrollTop = 0;
    this.resize();
    this.changed?.();
  }

  // How many of the rows the table can hold.
  get capacity() {
    return Math.min(this.rows.length, Math.floor(ResultTable.maximumHeight / this.rowHeight()));
  }

  rowHeight() {
    return parseFloat(getComputedStyle(this.grid).getPropertyValue('--row')) || 60;
  }

  resize() {
    const height = this.rowHeight();
    if (height !== this.height) this.clear();
    this.height = height;
    this.grid.setAttribute('aria-rowcount', this.rows.length + 1);
    this.body.style.height = `${this.capacity * height}px`;
    this.draw();
  }

  clear() {
    this.drawn.clear();
    this.body.replaceChildren();
  }

  draw() {
    const { height } = this;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / height) - ResultTable.spareRows);
    const end = Math.min(this.capacity,
      Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / height) + ResultTable.spareRows);
    for (const [index, row] of this.drawn) {
      if (index < first || index >= end) {
        row.remove();
        this.drawn.delete(index);
      }
    }
    for (let index = first; index < end; index += 1) {
      if (!this.drawn.has(index)) this.add(index);
    }
    this.mark();
  }

  // Adds a row in the order of the table, which is the order in which it is read aloud.
  add(index) {
    const row = this.row(index);
    let next = null;
    for (const [other, node] of this.drawn) {
      if (other > index && (next === null || other < Number(next.dataset.index))) next = node;
    }
    this.body.insertBefore(row, next);
    this.drawn.set(index, row);
  }

  row(index) {
    const row = this.rows[index];
    const cells = this.fields.map(({ key, number, cell }, column) => {
      const content = cell(row);
      const unknown = content[0] === '—' ? ' unknown' : '';
      return element('div', { role: 'gridcell', class: this.classes(key, number) + unknown, 'aria-colindex': column + 2 },
        ...content);
    });
    const node = element('div', {
      role: 'row', class: 'row', id: `row-${index}`, 'aria-rowindex': index + 2, 'data-index': index,
    }, element('div', { role: 'gridcell', class: 'cell cell-image', 'aria-colindex': 1 }, this.image(row)), ...cells);
    node.style.top = `${index * this.height}px`;
    return node;
  }

  image(row) {
    const missing = () => element('span', { class: 'no-image' }, icon('plumb'));
    const image = ResultTable.thumbnail(this.columns, row);
    image?.addEventListener('error', () => image.replaceWith(missing()));
    return image ?? missing();
  }

  // The small image of a capture, null without one.
  static thumbnail(columns, row) {
    if (!columns.thumbnail[row]) return null;
    return element('img', {
      src: `thumbnails/${encodeURIComponent(columns.output[row])}.jpg`, alt: '', decoding: 'async',
    });
  }

  name(row) {
    const { columns } = this;
    const frames = columns.frames[row];
    const under = [
      Number.isFinite(frames) ? (frames === 1 ? '1 frame' : `${ResultWords.count(frames)} frames`) : null,
      ResultTable.ending(columns.folder.at(row)),
    ].filter((part) => part).map(plainText).join(' · ');
    const reason = columns.verdict.at(row) === 'failed' ? columns.failure.at(row) : null;
    return [
      element('span', { class: 'name', title: plainText(columns.path(row)) }, columns.name[row]),
      element('span', { class: 'under-name' }, reason ?? under),
    ];
  }

  // The last two folders of a path, which tell more than the first ones.
  static ending(folder) {
    const parts = (folder ?? '').split('/').filter((part) => part);
    return parts.length > 3 ? `…/${parts.slice(-2).join('/')}/` : folder;
  }

  findings(row) {
    const findings = ResultColumns.findings(this.columns.findings.at(row));
    if (!findings.length) return ['—'];
    return Object.keys(ResultWords.severities).flatMap((severity) => {
      const count = findings.filter((finding) => finding.severity === severity).length;
      return count ? [ResultWords.severity(severity, count)] : [];
    });
  }

  // The chosen row: it is named to screen readers, and kept in sight where a key moved to it.
  mark() {
    const row = this.drawn.get(this.active);
    for (const node of this.drawn.values()) node.classList.toggle('active', node === row);
    if (row) this.grid.setAttribute('aria-activedescendant', row.id);
    else this.grid.removeAttribute('aria-activedescendant');
  }

  press(event) {
    if (event.target !== this.grid || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / this.height) - 1);
    const targets = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page,
      PageUp: this.active - page, Home: 0, End: this.capacity - 1,
    };
    if (event.key === 'Enter' || event.key === ' ') {
      if (this.active < this.capacity) this.open(this.active);
    } else if (Object.hasOwn(targets, event.key)) {
      this.choose(targets[event.key]);
    } else {
      return;
    }
    event.preventDefault();
  }

  choose(index) {
    if (this.capacity === 0) return;
    this.active = Math.max(0, Math.min(this.capacity - 1, index));
    const top = this.active * this.height;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    if (top + this.height > scrollTop + clientHeight) {
      this.scroller.scrollTop = top + this.height - clientHeight;
    }
    this.draw();
  }

  click(event) {
    const node = event.target.closest('.row');
    if (!node || getSelection().toString()) return;
    this.active = Number(node.dataset.index);
    this.mark();
    this.open(this.active);
  }
}
