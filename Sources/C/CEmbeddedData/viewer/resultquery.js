import { ResultColumns } from './resultcolumns.js';

// Chooses rows by filters and puts them in order.
export class ResultQuery {
  // From good to bad.
  static verdicts = [
    'measurable', 'fits', 'done', 'corrected', 'relative', 'cannotTell', 'untrusted', 'doesNotFit', 'failed',
  ];

  constructor(columns) {
    this.columns = columns;
    this.filter = { text: '', verdict: '', device: '', finding: '', failure: '' };
    this.sortKey = 'path';
    this.descending = false;
  }

  // The rows that pass all filters, in order.
  rows() {
    const chosen = this.chosen();
    const value = this.values();
    if (!value) return this.descending ? chosen.reverse() : chosen;
    const sign = this.descending ? -1 : 1;
    // Unknown comes last in both directions; equal ones keep the order of their paths.
    return chosen.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      const [isKnown, isOtherKnown] = [x === x && x !== '', y === y && y !== ''];
      if (!isKnown || !isOtherKnown) return isOtherKnown - isKnown || a - b;
      return x < y ? -sign : x > y ? sign : a - b;
    });
  }

  chosen() {
    const { filter, columns } = this;
    const tests = [];
    const require = (column, wanted, fits = (word) => word === wanted) => {
      if (!wanted) return;
      const passes = column.words.map(fits);
      tests.push((row) => column.codes[row] >= 0 && passes[column.codes[row]]);
    };
    require(columns.verdict, filter.verdict);
    require(columns.device, filter.device);
    require(columns.failure, filter.failure);
    require(columns.findings, filter.finding,
      (word) => ResultColumns.findings(word).some(({ code }) => code === filter.finding));
    for (const term of filter.text.toLowerCase().split(/\s+/).filter((word) => word)) {
      tests.push(this.textTest(term));
    }
    const rows = new Uint32Array(columns.count);
    let count = 0;
    for (let row = 0; row < columns.count; row += 1) {
      if (tests.every((test) => test(row))) rows[count++] = row;
    }
    return rows.slice(0, count);
  }

  textTest(term) {
    const { columns } = this;
    const lists = ['folder', 'device', 'os', 'reason', 'findings', 'values'].map((key) => columns[key])
      .filter((column) => column.words)
      .map((column) => [column.codes, column.words.map((word) => word.toLowerCase().includes(term))]);
    this.names ??= columns.name.map((name) => name.toLowerCase());
    return (row) => this.names[row].includes(term)
      || lists.some(([codes, passes]) => codes[row] >= 0 && passes[codes[row]]);
  }

  // What a row is sorted by; null for the order of the paths, which is that of the rows.
  values() {
    const { columns, sortKey } = this;
    if (sortKey === 'path') return null;
    if (sortKey === 'captured') return (row) => columns.captured[row];
    if (sortKey === 'verdict') {
      return this.ranked(columns.verdict, (word) => ResultQuery.verdicts.indexOf(word));
    }
    if (sortKey === 'findings') return this.ranked(columns.findings, ResultQuery.gravity, 0);
    if (sortKey === 'device') {
      const order = [...columns.device.words].sort();
      const ranks = new Map(order.map((word, rank) => [word, rank]));
      return this.ranked(columns.device, (word) => ranks.get(word));
    }
    return (row) => columns[sortKey][row];
  }

  ranked(column, rank, missing = NaN) {
    const ranks = column.words.map(rank);
    return (row) => (column.codes[row] < 0 ? missing : ranks[column.codes[row]]);
  }

  // One fault weighs more than any number of cautions, and one of these more than any number of notes.
  static gravity(word) {
    const weights = { fault: 1e6, caution: 1e3, note: 1 };
    return ResultColumns.findings(word).reduce((sum, { severity }) => sum + weights[severity], 0);
  }
}
