// Marks that lie over an image: A, B and C, the line between two, a crosshair.
export class Marks {
  static colors = ['#ffffff', '#ffd60a', '#7fdcff'];

  static draw(context, spots, text) {
    const known = spots.filter((spot) => spot);
    if (known.length === 2) Marks.line(context, known, text);
    spots.forEach((spot, index) => {
      if (spot) Marks.dot(context, spot, index);
    });
  }

  static line(context, [a, b], text) {
    for (const [width, color] of [[4.5, 'rgb(0 0 0 / .55)'], [2, '#fff']]) {
      context.beginPath();
      context.moveTo(...a);
      context.lineTo(...b);
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
    if (text) Marks.label(context, [(a[0] + b[0]) / 2, Math.min(a[1], b[1]) - 40], text);
  }

  // A ring leaves the point itself in sight; its letter stands beside it.
  static dot(context, [x, y], index) {
    Marks.ring(context, [x, y]);
    const side = index === 0 ? -1 : 1;
    context.beginPath();
    context.arc(x + 14 * side, y - 14, 9, 0, 2 * Math.PI);
    context.fillStyle = Marks.colors[index];
    context.strokeStyle = 'rgb(0 0 0 / .7)';
    context.lineWidth = 1.5;
    context.fill();
    context.stroke();
    context.fillStyle = '#111';
    context.font = '700 11px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText('ABC'[index], x + 14 * side, y - 13.5);
  }

  static label(context, [x, y], text) {
    context.font = '600 13px system-ui, sans-serif';
    const width = context.measureText(text).width + 16;
    const room = context.canvas.clientWidth - width / 2 - 4;
    const center = Math.max(width / 2 + 4, Math.min(room, x));
    const middle = Math.max(16, y);
    context.beginPath();
    context.roundRect(center - width / 2, middle - 12, width, 24, 12);
    context.fillStyle = 'rgb(16 20 26 / .88)';
    context.fill();
    context.fillStyle = '#fff';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(text, center, middle + 0.5);
  }

  static ring(context, [x, y]) {
    for (const [width, color] of [[4, 'rgb(0 0 0 / .6)'], [2, '#fff']]) {
      context.beginPath();
      context.arc(x, y, 5, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
  }

  static crosshair(context, [x, y]) {
    for (const [width, color] of [[4, 'rgb(0 0 0 / .6)'], [1.5, '#fff']]) {
      context.beginPath();
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        context.moveTo(x + 5 * dx, y + 5 * dy);
        context.lineTo(x + 18 * dx, y + 18 * dy);
      }
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
  }
}
