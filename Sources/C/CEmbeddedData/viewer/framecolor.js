import { plainText } from './element.js';

// The color of a frame as an image that can be drawn.
export class FrameColor {
  static mediaTypes = { jpeg: 'image/jpeg', png: 'image/png' };

  // Null where this browser cannot decode it. Orientation belongs to the frame alone.
  static async decoded(part, bytes) {
    const options = { imageOrientation: 'none' };
    try {
      if (part.encoding === 'raw') return await createImageBitmap(FrameColor.pixels(part, bytes));
      if (part.encoding === 'hevc') {
        const { HEVCDecoder } = await import('./hevcdecoder.js');
        return await HEVCDecoder.decoded(bytes);
      }
      const type = FrameColor.mediaTypes[part.encoding];
      if (!type) return null;
      const blob = new Blob([bytes], { type });
      return await createImageBitmap(blob, options);
    } catch {
      return null;
    }
  }

  static pixels({ width, height }, bytes) {
    if (bytes.length !== 3 * width * height) throw new Error('color does not fit its size');
    const pixels = new ImageData(width, height);
    for (let from = 0, to = 0; from < 3 * width * height; from += 3, to += 4) {
      pixels.data[to] = bytes[from];
      pixels.data[to + 1] = bytes[from + 1];
      pixels.data[to + 2] = bytes[from + 2];
      pixels.data[to + 3] = 255;
    }
    return pixels;
  }

  static missingNote(part) {
    if (part.encoding === 'hevc' && !isSecureContext) {
      return 'The color is HEVC, which browsers decode over https alone. Depth is shown without it.';
    }
    if (part.encoding === 'hevc') {
      return 'The color is HEVC, which this browser cannot decode; Safari can. Depth is shown without it.';
    }
    return `The color of this frame (${plainText(part.encoding)}) cannot be shown by this browser.`;
  }
}
