import { element } from './element.js';
import { Quantity } from './quantity.js';

// Depth along a line with its ± 1 σ, or the depths of an area, drawn with axes and units.
export class ProfilePlot {
  static size = { width: 460, height: 190, left: 58, right: 12, top: 10, bottom: 38 };

  // `quantity` writes depths.
  constructor(quantity) {
    this.quantity = quantity;
  }

  static svg(tag, attributes, text) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  // Ends of an axis with round steps between.
  static ticks(low, high, count) {
    const power = 10 ** Math.floor(Math.log10((high - low) / count));
    const step = [1, 2, 5, 10].find((multiple) => (high - low) / (multiple * power) <= count) * power;
    const values = [];
    for (let value = Math.ceil(low / step - 1e-9); value * step <= high + 1e-9 * step; value++) {
      values.push(value * step);
    }
    return { values, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
  }

  static padded(low, high) {
    const pad = Math.max((high - low) * 0.08, Math.abs(high) * 1e-4, 1e-9);
    return [low - pad, high + pad];
  }

  frame(xRange, yRange, xTitle, yTitle, label) {
    const { width, height, left, right, top, bottom } = ProfilePlot.size;
    this.x = (value) =>
      left + (value - xRange[0]) / (xRange[1] - xRange[0]) * (width - left - right);
    this.y = (value) =>
      height - bottom - (value - yRange[0]) / (yRange[1] - yRange[0]) * (height - top - bottom);
    const plot = ProfilePlot.svg('svg', {
      class: 'plot', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label,
    });
    const xTicks = ProfilePlot.ticks(...xRange, 6);
    for (const value of xTicks.values) {
      plot.append(
        ProfilePlot.svg('line', { class: 'grid', x1: this.x(value), x2: this.x(value), y1: top, y2: height - bottom }),
        ProfilePlot.svg('text', { x: this.x(value), y: height - bottom + 15, 'text-anchor': 'middle' },
          Quantity.fixed(value, xTicks.decimals)));
    }
    const yTicks = ProfilePlot.ticks(...yRange, 4);
    for (const value of yTicks.values) {
      plot.append(
        ProfilePlot.svg('line', { class: 'grid', x1: left, x2: width - right, y1: this.y(value), y2: this.y(value) }),
        ProfilePlot.svg('text', { x: left - 7, y: this.y(value) + 4, 'text-anchor': 'end' },
          Quantity.fixed(value, yTicks.decimals)));
    }
    plot.append(
      ProfilePlot.svg('text', { class: 'title', x: (left + width - right) / 2, y: height - 5, 'text-anchor': 'middle' }, xTitle),
      ProfilePlot.svg('text', {
        class: 'title', x: 0, y: 0, 'text-anchor': 'middle',
        transform: `translate(13 ${(top + height - bottom) / 2}) rotate(-90)`,
      }, yTitle));
    return plot;
  }

  line({ samples }) {
    const known = samples.filter(({ depth }) => depth !== null);
    if (known.length < 2) return element('p', { class: 'hint' }, 'Too few depths along the line for a plot.');
    const { factor, unit } = this.quantity.unit(known[known.length >> 1].depth);
    const rows = samples.map(({ along, depth, sigma }) => ({
      along, depth: depth === null ? null : depth * factor, sigma: (sigma || 0) * factor,
    }));
    const measured = rows.filter(({ depth }) => depth !== null);
    const yRange = ProfilePlot.padded(
      Math.min(...measured.map(({ depth, sigma }) => depth - sigma)),
      Math.max(...measured.map(({ depth, sigma }) => depth + sigma)));
    const plot = this.frame([0, Math.max(1, rows[rows.length - 1].along)], yRange,
      'along the line, px', `depth, ${unit}`, 'Depth along the line, with its uncertainty of 1 σ');
    for (const run of ProfilePlot.runs(rows)) {
      const above = run.map(({ along, depth, sigma }) => `${this.x(along)},${this.y(depth + sigma)}`);
      const below = run.map(({ along, depth, sigma }) => `${this.x(along)},${this.y(depth - sigma)}`);
      plot.append(
        ProfilePlot.svg('polygon', { class: 'band', points: [...above, ...below.reverse()].join(' ') }),
        ProfilePlot.svg('polyline', {
          class: 'curve', points: run.map(({ along, depth }) => `${this.x(along)},${this.y(depth)}`).join(' '),
        }));
    }
    return plot;
  }

  // Parts without holes: no stroke crosses what was not measured.
  static runs(rows) {
    const runs = [[]];
    for (const row of rows) {
      if (row.depth !== null) runs[runs.length - 1].push(row);
      else if (runs[runs.length - 1].length) runs.push([]);
    }
    return runs.filter((run) => run.length);
  }

  area({ sorted, count, median }) {
    if (!count) return element('p', { class: 'hint' }, 'No depth was measured in this area.');
    const { factor, unit } = this.quantity.unit(median);
    const [low, high] = ProfilePlot.padded(sorted[0] * factor, sorted[count - 1] * factor);
    const bins = new Uint32Array(Math.min(40, Math.max(8, Math.round(Math.sqrt(count)))));
    for (const depth of sorted) {
      bins[Math.min(bins.length - 1, Math.floor((depth * factor - low) / (high - low) * bins.length))]++;
    }
    const most = Math.max(...bins);
    const plot = this.frame([low, high], [0, most * 1.08], `depth, ${unit}`, 'pixels',
      'Histogram of the depths in the area; the line is their median');
    const step = (high - low) / bins.length;
    bins.forEach((pixels, bin) => {
      const left = this.x(low + bin * step);
      plot.append(ProfilePlot.svg('rect', {
        class: 'bin', x: left, y: this.y(pixels), height: this.y(0) - this.y(pixels),
        width: Math.max(0.5, this.x(low + (bin + 1) * step) - left - 1),
      }));
    });
    const middle = this.x(median * factor);
    plot.append(ProfilePlot.svg('line', { class: 'median', x1: middle, x2: middle, y1: this.y(0), y2: this.y(most) }));
    return plot;
  }
}
