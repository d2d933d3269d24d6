// Color maps as 256 RGB triples from the near end to the far end.
export class ColorMap {
  // 33 knots, linear in between: within 3/255 of the published tables.
  // turbo: A. Mikhailov, Google, 2019 (Apache-2.0). viridis: S. van der Walt, N. Smith, 2015 (CC0).
  static knots = {
    turbo:
      '30123b 392a73 4040a2 4456c7 466be3 4680f6 4293ff 37a7fa 28bbec 1dccd9 18dcc3 ' +
      '1ee8b0 31f299 4cf97e 6bfe64 8aff4c a2fc3c b8f735 cced34 dee037 edd03a f7c03a ' +
      'fdad35 fe982c fb8022 f56818 ec520f e14109 d23105 c12302 ac1701 950d01 7a0403',
    viridis:
      '440154 470d60 48186a 482374 472d7b 453781 424086 3e4989 3b528b 375b8d 33638d ' +
      '2f6b8e 2c728e 297a8e 26828e 23898e 21908c 1f978b 1f9f88 21a685 27ad81 31b57b ' +
      '3ebc74 4dc26c 5cc863 6ece58 82d34d 95d840 aadc32 c0df25 d5e21a eae51a fde725',
  };

  static names = ['turbo', 'viridis', 'jet', 'gray'];

  // What near and far look like, in words.
  static ends = {
    turbo: ['red', 'blue'], jet: ['red', 'blue'], viridis: ['yellow', 'dark'], gray: ['white', 'black'],
  };

  // Red, yellow or white is near and blue or dark is far, as in Apple's sample, unless `isReversed`.
  static table(name, isReversed = false) {
    const table = new Uint8Array(256 * 3);
    const colorAt = { jet: ColorMap.jet, gray: ColorMap.gray }[name] ||
      ColorMap.interpolator(ColorMap.knots[name] || ColorMap.knots.turbo);
    for (let index = 0; index < 256; index++) {
      const position = (isReversed ? index : 255 - index) / 255;
      table.set(colorAt(position), 3 * index);
    }
    return table;
  }

  // For numbers on both sides of 0: blue below, white at 0, red above, as in Swift's DivergingColors.
  static diverging() {
    const table = new Uint8Array(256 * 3);
    const colorAt = ColorMap.interpolator('123a8c 5b9be0 f5f5f5 e8814f 8e1616');
    for (let index = 0; index < 256; index++) table.set(colorAt(index / 255), 3 * index);
    return table;
  }

  static interpolator(text) {
    const knots = text.split(' ').map((hex) =>
      [0, 2, 4].map((start) => parseInt(hex.slice(start, start + 2), 16)));
    return (position) => {
      const at = position * (knots.length - 1);
      const index = Math.min(knots.length - 2, Math.floor(at));
      const weight = at - index;
      return knots[index].map((low, channel) =>
        Math.round(low + weight * (knots[index + 1][channel] - low)));
    };
  }

  // Three trapezoids, dark blue over cyan and yellow to dark red.
  static jet(position) {
    return [3, 2, 1].map((center) => {
      const height = 1.5 - Math.abs(4 * position - center);
      return Math.round(255 * Math.min(1, Math.max(0, height)));
    });
  }

  static gray(position) {
    return Array(3).fill(Math.round(255 * position));
  }

  static gradient(table) {
    const stops = [];
    for (let index = 0; index < 256; index += 15) {
      stops.push(`rgb(${table[3 * index]} ${table[3 * index + 1]} ${table[3 * index + 2]})`);
    }
    return `linear-gradient(to right, ${stops.join(', ')})`;
  }
}
