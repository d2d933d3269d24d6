import { element, plainText } from './element.js';

// An image of the 3D view with what it needs to be understood: file, colors with their unit, what
// was measured.
export class Snapshot {
  static margin = 14;
  static lineHeight = 20;

  // `legend`: `{ table, label, low, high }` or null; `lines`: texts. The images are drawn just now.
  static compose(layers, { title, legend, lines }) {
    const [width, height] = [layers[0].width, layers[0].height];
    const ratio = width / layers[0].clientWidth;
    const { margin, lineHeight } = Snapshot;
    const rows = 1 + (legend ? 1 : 0) + lines.length;
    const foot = Math.round((2 * margin + rows * lineHeight) * ratio);
    const canvas = element('canvas', { width, height: height + foot });
    const context = canvas.getContext('2d');
    for (const layer of layers) context.drawImage(layer, 0, 0, width, height);
    context.setTransform(ratio, 0, 0, ratio, 0, height);
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, width / ratio, foot / ratio);
    context.textBaseline = 'middle';
    let top = margin + lineHeight / 2;
    const room = width / ratio - 2 * margin;
    const write = (text, font, color) => {
      context.font = font;
      context.fillStyle = color;
      context.fillText(plainText(text), margin, top, room);
      top += lineHeight;
    };
    write(title, '600 14px system-ui, sans-serif', '#161a20');
    if (legend) {
      Snapshot.drawLegend(context, legend, [margin, top]);
      top += lineHeight;
    }
    for (const line of lines) write(line, '13px system-ui, sans-serif', '#465060');
    return canvas;
  }

  static drawLegend(context, { table, label, low, high }, [left, middle]) {
    context.font = '13px system-ui, sans-serif';
    context.fillStyle = '#465060';
    const text = `${label}: ${low}`;
    context.fillText(text, left, middle);
    const start = left + context.measureText(text).width + 8;
    for (let index = 0; index < 256; index++) {
      context.fillStyle = `rgb(${table[3 * index]} ${table[3 * index + 1]} ${table[3 * index + 2]})`;
      context.fillRect(start + index * 0.5, middle - 5, 1, 10);
    }
    context.fillStyle = '#465060';
    context.fillText(high, start + 136, middle);
  }

  static async save(canvas, name) {
    const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
    if (!blob) return false;
    const link = element('a', { href: URL.createObjectURL(blob), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    return true;
  }

  // A name that any system takes.
  static fileName(title) {
    const stem = plainText(title).replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
    return (stem || 'plumbline') + '-3d.png';
  }
}
