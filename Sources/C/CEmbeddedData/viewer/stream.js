// Reads a frame's message: `plumbline.stream/1`, see Documentation/formats/stream.md.

const MARK = 0x504c5331;  // "PLS1"
const MAXIMUM_HEADER_BYTES = 1 << 20;
const MAXIMUM_PIXELS = 1 << 24;
// Besides mattes.
const MAPS = ['depth', 'stored', 'sigma', 'confidence', 'invented', 'residual', 'residualSigma'];

// The modes of the encoding `rice`.
const BLOCK_PIXELS = 16;
const ESCAPE_ZEROS = 16;
const MODE_FULL = 30;
const MODE_ZERO = 31;

/**
 * Reads a whole message: {header, parts, color}.
 *
 * `parts` has an object for each map by its name: the members of the header and `values`, its
 * numbers: Float32Array for float16 and float32, Uint16Array and Uint8Array for codes.
 * `color` is the image's bytes as they came, or null; `parts.color` says what they are.
 * Throws an Error with a sentence for bytes that are no message.
 */
export function decodeFrame(arrayBuffer) {
  const view = new DataView(arrayBuffer);
  if (view.byteLength < 8 || view.getUint32(0) !== MARK) throw new Error('this is no frame: no mark PLS1');
  const length = view.getUint32(4, true);
  if (length > MAXIMUM_HEADER_BYTES || 8 + length > view.byteLength) {
    throw new Error(`the frame's header of ${length} bytes is not there`);
  }
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(arrayBuffer, 8, length)));
  if (header.type !== 'frame' || !Array.isArray(header.parts)) throw new Error('this is no frame: no parts');
  const parts = {};
  let color = null;
  let offset = 8 + length;
  for (const part of header.parts) {
    const { name, width, height, bytes } = part;
    if (!Number.isInteger(bytes) || bytes < 0 || bytes > view.byteLength - offset) {
      throw new Error(`the part ${name} is cut off`);
    }
    if (Object.hasOwn(parts, name)) throw new Error(`the part ${name} comes twice`);
    const data = new Uint8Array(arrayBuffer, offset, bytes);
    offset += bytes;
    if (name === 'color') {
      color = data;
      parts.color = { ...part };
    } else if (MAPS.includes(name)
      || name.startsWith('matte:')) {
      if (!(width > 0 && height > 0 && width * height <= MAXIMUM_PIXELS)) {
        throw new Error(`the part ${name} of ${width} × ${height} pixels cannot be shown`);
      }
      parts[name] = { ...part, values: mapValues(part, data) };
    }
  }
  if (offset !== view.byteLength) throw new Error('the frame goes on behind its last part');
  return { header, parts, color };
}

/** What the codes of a part mean, as a function; missing is NaN. */
export function meaningOfCodes(part) {
  const { scale = 1, offset = 0, line, missing } = part;
  return (code) => {
    if (code === missing) return NaN;
    const value = line
      ? line[1] + (code - line[0]) * ((line[3] - line[1]) / (line[2] - line[0]))
      : scale * code + offset;
    return value > 0 && value < Infinity ? value : NaN;
  };
}

function mapValues(part, data) {
  const kinds = { uint8: Uint8Array, uint16: Uint16Array, float16: Uint16Array, float32: Uint32Array };
  const Codes = kinds[part.samples];
  if (!Codes) throw new Error(`the part ${part.name} has samples of ${part.samples}`);
  const count = part.width * part.height;
  let codes;
  if (part.encoding === 'raw') {
    if (data.length !== count * Codes.BYTES_PER_ELEMENT) {
      throw new Error(`the part ${part.name} has ${data.length} bytes`);
    }
    // A copy, since its offset need not be a multiple of its numbers' size. Every browser's machine
    // has the low byte first, as the format has.
    codes = new Codes(data.slice().buffer);
  } else if (part.encoding === 'rice') {
    if (data.length < Math.ceil(part.width / BLOCK_PIXELS) * part.height >> 2) {
      throw new Error(`the part ${part.name} has ${data.length} bytes`);
    }
    codes = decodeRice(data, part.width, part.height, Codes.BYTES_PER_ELEMENT);
    if (!codes) throw new Error(`the part ${part.name} is no sound rice`);
    if (Codes !== Uint32Array) codes = new Codes(codes);
  } else {
    throw new Error(`the part ${part.name} is encoded as ${part.encoding}`);
  }
  if (part.samples === 'float32') return new Float32Array(codes.buffer);
  return part.samples === 'float16' ? floatsOfHalves(codes) : codes;
}

// All halves as singles, made when the first one is requested.
let singlesOfHalves = null;

function floatsOfHalves(codes) {
  if (!singlesOfHalves) {
    const bits = new Uint32Array(1 << 16);
    singlesOfHalves = new Float32Array(bits.buffer);
    for (let half = 0; half < 1 << 16; half++) {
      const sign = half & 0x8000 ? 0x80000000 : 0;
      const exponent = half >> 10 & 31;
      const fraction = half & 1023;
      if (exponent === 31) {
        bits[half] = (sign | 0x7f800000 | fraction << 13) >>> 0;
      } else if (exponent === 0) {
        singlesOfHalves[half] = (sign ? -1 : 1) * fraction * 2 ** -24;
      } else {
        bits[half] = (sign | exponent + 112 << 23 | fraction << 13) >>> 0;
      }
    }
  }
  // By bits: a float that passes through a number may lose the payload of its NaN.
  const table = new Uint32Array(singlesOfHalves.buffer);
  const bits = new Uint32Array(codes.length);
  for (let i = 0; i < codes.length; i++) bits[i] = table[codes[i]];
  return new Float32Array(bits.buffer);
}

// The 32 bits from a position on.
function bitsAt(view, position) {
  const byte = position >>> 3;
  const shift = position & 7;
  return view.getInt32(byte) << shift | view.getUint8(byte + 4) >>> 8 - shift;
}

// One body for 8, 16 and 32 bits, which compilers see with one type of array only. Numbers of 32 bits
// are kept with their highest bit turned, so that comparing them with a sign orders them without.
// Returns the numbers, or null where the bytes are no map and nothing else.
function decodeRice(data, width, height, size) {
  const bitsPerCode = 8 * size;
  const mask = size === 4 ? -1 : (1 << bitsPerCode) - 1;
  const bias = size === 4 ? 1 << 31 : 0;
  if (data.length < size) return null;
  // Zeros behind the end stand for the bits that a damaged part lacks.
  const padded = new Uint8Array(data.length + 128);
  padded.set(data);
  const view = new DataView(padded.buffer);
  const end = 8 * data.length;
  const hole = size === 4 ? view.getInt32(0, true) : size === 2 ? view.getUint16(0, true) : padded[0];
  const codes = new Int32Array(width * height);
  let above = new Int32Array(width).fill(bias);
  let current = new Int32Array(width);
  let position = bitsPerCode;
  let mode = MODE_ZERO;
  for (let y = 0; y < height; y++) {
    let left = above[0];
    let corner = left;
    let index = y * width;
    for (let start = 0; start < width; start += BLOCK_PIXELS) {
      if (position > end) return null;
      const length = Math.min(BLOCK_PIXELS, width - start);
      let measured = (1 << length) - 1;
      let bits = bitsAt(view, position);
      if (bits >= 0) {
        position += 1;
      } else if (bits << 1 >= 0) {
        measured = 0;
        position += 2;
      } else {
        measured = bits << 2 >>> 32 - length;
        position += 2 + length;
      }
      if (measured !== 0) {
        bits = bitsAt(view, position);
        position += 1;
        if (bits < 0) {
          mode = bits >>> 26 & 31;
          position += 5;
          if (mode >= bitsPerCode && mode < MODE_FULL) return null;
        }
      }
      for (let x = start, flag = 1 << length - 1; flag !== 0; flag >>= 1, x++) {
        const up = above[x];
        if ((measured & flag) === 0) {
          codes[index++] = hole;
          current[x] = left;
          corner = up;
          continue;
        }
        let residual = 0;
        if (mode < MODE_FULL) {
          bits = bitsAt(view, position);
          const zeros = Math.clz32(bits);
          if (zeros < ESCAPE_ZEROS) {
            position += zeros + 1;
            residual = zeros << mode & mask;
            if (mode !== 0) {
              // Where the rest lies behind these 32 bits, look again.
              bits = zeros + 1 + mode <= 32 ? bits << zeros + 1 : bitsAt(view, position);
              residual |= bits >>> 32 - mode;
              position += mode;
            }
          } else {
            position += ESCAPE_ZEROS;
            residual = bitsAt(view, position) >>> 32 - bitsPerCode;
            position += bitsPerCode;
            if (position > end) return null;
          }
        } else if (mode === MODE_FULL) {
          residual = bitsAt(view, position) >>> 32 - bitsPerCode;
          position += bitsPerCode;
          if (position > end) return null;
        }
        const low = left < up ? left : up;
        const high = left < up ? up : left;
        const predicted = corner >= high ? low : corner <= low ? high : left + up - corner | 0;
        left = predicted + (residual >>> 1 ^ -(residual & 1)) & mask;
        codes[index++] = left ^ bias;
        current[x] = left;
        corner = up;
      }
    }
    if (position > end) return null;
    [above, current] = [current, above];
  }
  return position + 7 >> 3 === data.length ? codes : null;
}
