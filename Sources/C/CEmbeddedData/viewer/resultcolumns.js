// Texts that repeat, each kept once: `codes[row]` is the position of a row's text in `words`, -1 without one.
export class WordColumn {
  constructor(count) {
    this.words = [];
    this.codes = new Int32Array(count).fill(-1);
    this.known = new Map();
  }

  code(word) {
    let code = this.known.get(word);
    if (code === undefined) {
      code = this.words.length;
      this.words.push(word);
      this.known.set(word, code);
    }
    return code;
  }

  put(block, start) {
    const codes = block.words.map((word) => this.code(word));
    block.at.forEach((at, row) => { this.codes[start + row] = at < 0 ? -1 : codes[at]; });
  }

  at(row) {
    return this.codes[row] < 0 ? null : this.words[this.codes[row]];
  }
}

// All rows of a batch as columns, which take a fifth of the memory of objects: numbers in typed arrays with
// NaN for unknown, texts that repeat once.
export class ResultColumns {
  static numbers = ['depth', 'length', 'median', 'frames', 'value'];
  static words = ['folder', 'verdict', 'device', 'os', 'findings', 'reason', 'failure', 'page'];
  static texts = ['name', 'output', 'captured', 'values'];

  constructor(blocks) {
    this.count = blocks.reduce((sum, block) => sum + block.rows, 0);
    for (const key of ResultColumns.numbers) this[key] = new Float64Array(this.count).fill(NaN);
    for (const key of ResultColumns.words) this[key] = new WordColumn(this.count);
    for (const key of ResultColumns.texts) this[key] = new Array(this.count).fill('');
    this.thumbnail = new Uint8Array(this.count);
    let start = 0;
    for (const block of blocks) {
      this.put(block, start);
      start += block.rows;
    }
  }

  put(block, start) {
    for (const key of ResultColumns.numbers) {
      block[key]?.forEach((value, row) => { this[key][start + row] = value ?? NaN; });
    }
    for (const key of ResultColumns.words) if (block[key]) this[key].put(block[key], start);
    for (const key of ResultColumns.texts) {
      block[key]?.forEach((value, row) => { this[key][start + row] = value ?? ''; });
    }
    block.thumbnail?.forEach((value, row) => { this.thumbnail[start + row] = value; });
  }

  path(row) {
    return (this.folder.at(row) ?? '') + this.name[row];
  }

  // The findings of a row as codes with their severities.
  static findings(word) {
    const severities = { f: 'fault', c: 'caution', n: 'note' };
    return (word ?? '').split(' ').filter((part) => part).map((part) => ({
      severity: severities[part[0]] ?? 'note', code: part.slice(2),
    }));
  }
}
