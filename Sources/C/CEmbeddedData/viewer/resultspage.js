import { byID, element, plainText } from './element.js';
import { ResultColumns } from './resultcolumns.js';
import { ResultDetails } from './resultdetails.js';
import { ResultFigures } from './resultfigures.js';
import { ResultQuery } from './resultquery.js';
import { ResultSummary } from './resultsummary.js';
import { ResultTable } from './resulttable.js';
import { ResultWords } from './resultwords.js';
import { Theme } from './theme.js';

// The page of a batch: reads the rows, then shows figures, lists and the table.
export class ResultsPage {
  constructor() {
    this.summary = JSON.parse(byID('plumbline-results').textContent);
    this.blocks = [];
    Theme.attach(() => {});
  }

  async start() {
    await this.load();
    const rows = this.blocks.reduce((sum, block) => sum + block.rows, 0);
    if (rows !== this.summary.total) {
      throw new Error(`The rows are not those of this page: ${ResultWords.count(this.summary.total)} expected, `
        + `${ResultWords.count(rows)} found in ${this.summary.data ?? 'it'}. Make both again.`);
    }
    this.columns = new ResultColumns(this.blocks);
    this.blocks = [];
    this.query = new ResultQuery(this.columns);
    const explanations = new Map(this.summary.findings.map(({ code, meaning }) => [code, meaning]));
    this.details = new ResultDetails(this.columns, explanations);
    const choose = (filter, scrolls) => this.choose(filter, scrolls);
    this.parts = new ResultSummary(this.summary, choose);
    this.parts.show();
    new ResultFigures(this.columns, choose).show();
    byID('captures').hidden = false;
    this.table = new ResultTable(this.columns, this.query, (index) => this.details.show(this.table.rows[index]));
    this.table.changed = () => this.changed();
    this.attachFilters();
    this.table.update();
  }

  // Rows are inside the page, or beside it: a page without a network may run a script beside it, but may
  // not read a file.
  async load() {
    for (const node of document.querySelectorAll('script.plumbline-rows')) {
      this.blocks.push(JSON.parse(node.textContent));
    }
    const { data } = this.summary;
    if (!data) return;
    window.plumblineRows = (block) => this.blocks.push(block);
    await new Promise((done, fail) => {
      const script = element('script', { src: encodeURIComponent(data) });
      script.addEventListener('load', done);
      script.addEventListener('error', () => fail(new Error(
        `The rows are in ${data}, which is not beside this page: keep both files in one folder.`)));
      document.head.append(script);
    });
  }

  attachFilters() {
    const { columns, summary } = this;
    const fill = (id, first, entries) => byID(id).replaceChildren(
      element('option', { value: '' }, first),
      ...entries.map(([value, text]) => element('option', { value }, text)));
    const counted = (count, text) => `${plainText(text).slice(0, 80)} (${ResultWords.count(count)})`;
    fill('filter-verdict', 'All', summary.verdicts.map(({ key, count }) =>
      [key, counted(count, ResultWords.verdict(key).words)]));
    fill('filter-device', 'All', this.deviceCounts().map(([name, count]) => [name, counted(count, name)]));
    fill('filter-finding', 'All', summary.findings.map(({ code, count }) => [code, counted(count, code)]));
    fill('filter-failure', 'All', summary.failures.map(({ reason, count }) => [reason, counted(count, reason)]));
    byID('filter-failure-field').hidden = !summary.failures.length;
    for (const key of ['verdict', 'device', 'finding', 'failure']) {
      byID(`filter-${key}`).addEventListener('change', (event) => this.choose({ [key]: event.target.value }, false));
    }
    byID('filter-text').addEventListener('input', (event) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.choose({ text: event.target.value }, false), 120);
    });
    byID('filters').addEventListener('submit', (event) => event.preventDefault());
    byID('clear').addEventListener('click', () => this.choose(
      { text: '', verdict: '', device: '', finding: '', failure: '' }, false));
    this.attachSorting();
  }

  // In a narrow window the heads of columns have no room; a list stands for them.
  attachSorting() {
    const orders = this.table.fields.flatMap(({ key, title }) => [
      element('option', { value: `${key} up` }, `${title}, ascending`),
      element('option', { value: `${key} down` }, `${title}, descending`)]);
    byID('sort').replaceChildren(...orders);
    byID('sort').addEventListener('change', (event) => {
      const [key, direction] = event.target.value.split(' ');
      this.table.sortBy(key, direction === 'down');
    });
  }

  deviceCounts() {
    const { codes, words } = this.columns.device;
    const counts = new Uint32Array(words.length);
    for (const code of codes) if (code >= 0) counts[code] += 1;
    return words.map((word, code) => [word, counts[code]]).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }

  // Changes filters; a choice made elsewhere in the page clears the other ones and leads to the table.
  choose(filter, scrolls) {
    const none = { text: '', verdict: '', device: '', finding: '', failure: '' };
    Object.assign(this.query.filter, scrolls ? none : {}, filter);
    for (const [key, value] of Object.entries(this.query.filter)) {
      const control = byID(`filter-${key}`);
      if (control.value !== value) control.value = value;
    }
    this.table.update();
    if (!scrolls) return;
    byID('captures').scrollIntoView();
    byID('grid').focus({ preventScroll: true });
  }

  changed() {
    const { rows, capacity } = this.table;
    const { total } = this.summary;
    const isAll = rows.length === total;
    byID('shown').textContent = (isAll ? ResultWords.captures(total)
      : `${ResultWords.count(rows.length)} of ${ResultWords.captures(total)}`)
      + (capacity < rows.length ? `; the table holds the first ${ResultWords.count(capacity)}, filters show the others` : '');
    byID('none').hidden = rows.length > 0;
    byID('scroller').hidden = rows.length === 0;
    byID('clear').disabled = Object.values(this.query.filter).every((value) => !value);
    byID('sort').value = `${this.query.sortKey} ${this.query.descending ? 'down' : 'up'}`;
    this.parts.mark(this.query.filter.verdict);
  }
}

// Also for tests of the page.
const resultsPage = new ResultsPage();
window.plumblineResults = {
  page: resultsPage,
  ready: resultsPage.start().catch((error) => {
    byID('problem').textContent = plainText(error.message);
    byID('problem').hidden = false;
    throw error;
  }),
};
