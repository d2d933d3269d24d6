import { plainText } from './element.js';

// The color of a frame as a picture that can be drawn.
export class FrameColor {
  static mediaTypes = { jpeg: 'image/jpeg', png: 'image/png' };

  // Null where this browser cannot decode it. Orientation belongs to the frame alone.
  static async decoded(part) {
    const options = { imageOrientation: 'none' };
    try {
      if (part.encoding === 'raw') return await createImageBitmap(FrameColor.pixels(part));
      const type = FrameColor.mediaTypes[part.encoding];
      if (!type) return null;
      const blob = new Blob([part.bytes], { type });
      return await createImageBitmap(blob, options);
    } catch {
      return null;
    }
  }

  static pixels({ width, height, bytes }) {
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
    return `The color of this frame (${plainText(part.encoding)}) cannot be shown by this browser.`;
  }
}
