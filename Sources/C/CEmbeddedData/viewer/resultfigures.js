import { byID, element, plainText } from './element.js';
import { Quantity } from './quantity.js';
import { ResultWords } from './resultwords.js';

// How accurate the captures of each device are: a histogram for each on one logarithmic scale, since the ±
// of two kinds of sensor can differ by a hundred times.
export class ResultFigures {
  static bins = 64;
  static shown = 8;

  constructor(columns, choose) {
    this.columns = columns;
    this.choose = choose;
    this.devices = this.grouped();
  }

  show() {
    const figures = [
      ['depth', '± of depth, mm', 'One standard deviation of the depth of one pixel, at the median depth of each capture.',
        (value) => Quantity.significant(value) + '\u00a0mm'],
      ['length', '± of lengths, %', 'One standard deviation of lengths across the image.',
        (value) => Quantity.percent(value)],
    ].map((figure) => this.figure(...figure)).filter((figure) => figure);
    byID('accuracy').replaceChildren(...figures);
    byID('accuracy').hidden = !figures.length;
  }

  // Rows of measurable captures by device, those with the most captures first.
  grouped() {
    const { device, verdict, count } = this.columns;
    const groups = new Map();
    for (let row = 0; row < count; row += 1) {
      if (!['measurable', 'corrected'].includes(verdict.at(row))) continue;
      const key = device.at(row) ?? '';
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(row);
    }
    return [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  }

  figure(key, title, caption, words) {
    const groups = this.devices.map(([name, rows]) => [
      name, Float64Array.from(rows, (row) => this.columns[key][row]).filter((value) => value > 0).sort(),
    ]).filter(([, values]) => values.length);
    if (!groups.length) return null;
    const scale = ResultFigures.scale(groups.map(([, values]) => values));
    const rows = groups.map(([name, values]) => this.device(name, values, scale, words));
    rows.slice(ResultFigures.shown).forEach((node) => { node.hidden = true; });
    const table = element('div', { class: 'strips', role: 'table', 'aria-label': title },
      element('div', { role: 'row', class: 'strip strip-head' },
        ...['Device', 'Distribution', 'Median', 'Captures'].map((text, index) =>
          element('span', { role: 'columnheader', class: index > 1 ? 'number-cell' : '' }, text))),
      ...rows);
    const axis = element('div', { class: 'strip strip-axis', 'aria-hidden': true }, element('span', {}), this.axis(scale));
    const figure = element('figure', { class: 'card plot' }, element('h2', {}, title), table, axis);
    if (rows.length > ResultFigures.shown) figure.append(this.more(rows));
    figure.append(element('figcaption', {}, caption
      + ' Only captures that can be measured; the line is their median.'));
    return figure;
  }

  more(rows) {
    const more = element('button', { type: 'button', class: 'plain' }, `Show all ${rows.length} devices`);
    more.addEventListener('click', () => {
      rows.forEach((node) => { node.hidden = false; });
      rows[ResultFigures.shown].querySelector('button').focus();
      more.remove();
    });
    return more;
  }

  // The ends of the axis as powers of ten, at least a factor of four apart.
  static scale(groups) {
    let [low, high] = [Infinity, -Infinity];
    for (const values of groups) {
      low = Math.min(low, values[0]);
      high = Math.max(high, values[values.length - 1]);
    }
    [low, high] = [Math.log10(low), Math.log10(high)];
    const spare = Math.max(0.06 * (high - low), (0.6 - (high - low)) / 2);
    return { low: low - spare, high: high + spare };
  }

  static place(value, { low, high }) {
    return 100 * (Math.log10(value) - low) / (high - low);
  }

  device(name, values, scale, words) {
    const median = values[Math.floor((values.length - 1) / 2)] / 2 + values[Math.ceil((values.length - 1) / 2)] / 2;
    const button = element('button', { type: 'button', class: 'link' }, name || 'Device not named');
    if (name) button.addEventListener('click', () => this.choose({ device: name }, true));
    else button.disabled = true;
    return element('div', { role: 'row', class: 'strip' },
      element('span', { role: 'cell', class: 'strip-name' }, button),
      element('span', { role: 'cell' }, this.drawing(values, median, scale),
        element('span', { class: 'unseen' }, `${words(values[0])} to ${words(values[values.length - 1])}`)),
      element('span', { role: 'cell', class: 'number-cell' }, '± ' + words(median)),
      element('span', { role: 'cell', class: 'number-cell soft' }, ResultWords.count(values.length)));
  }

  drawing(values, median, scale) {
    const counts = new Uint32Array(ResultFigures.bins);
    for (const value of values) {
      const bin = Math.floor(ResultFigures.place(value, scale) / 100 * ResultFigures.bins);
      counts[Math.max(0, Math.min(ResultFigures.bins - 1, bin))] += 1;
    }
    const highest = counts.reduce((a, b) => Math.max(a, b), 1);
    const width = 100 / ResultFigures.bins;
    const bars = [...counts].flatMap((count, bin) => {
      if (!count) return [];
      const height = Math.max(1.5, 28 * count / highest);
      return [ResultFigures.shape('rect', {
        x: bin * width, y: 30 - height, width: width * 0.92, height, class: 'bar main',
      })];
    });
    const place = ResultFigures.place(median, scale);
    const line = ResultFigures.shape('line', { x1: place, x2: place, y1: 0, y2: 30, class: 'median-line' });
    return ResultFigures.shape('svg', {
      class: 'figure drawing', viewBox: '0 0 100 30', preserveAspectRatio: 'none', 'aria-hidden': 'true',
    }, ...bars, line);
  }

  axis(scale) {
    const steps = scale.high - scale.low > 2.4 ? [1] : [1, 2, 5];
    const ticks = [];
    for (let power = Math.floor(scale.low); power <= Math.ceil(scale.high); power += 1) {
      for (const step of steps) {
        const value = Number(`${step}e${power}`);
        const place = ResultFigures.place(value, scale);
        if (place < 2 || place > 98) continue;
        const tick = element('span', { class: 'axis-tick' }, Quantity.significant(value));
        tick.style.left = `${place}%`;
        ticks.push(tick);
      }
    }
    return element('span', { class: 'axis-line' }, ...ticks);
  }

  static shape(tag, attributes, ...children) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, plainText(value));
    node.append(...children);
    return node;
  }
}
