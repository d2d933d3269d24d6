// Reads a frame's message with the viewer's decoder and prints its header and, for each map, the bits
// of its numbers, as JSON: node stream_values.mjs MESSAGE.
import { readFileSync } from 'node:fs';
import { decodeFrame, meaningOfCodes } from '../../Sources/C/CEmbeddedData/viewer/stream.js';

const file = readFileSync(process.argv[2]);
const message = file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
const { parts, color } = decodeFrame(message);
const answer = { color: color && [...color], parts: {} };
for (const [name, part] of Object.entries(parts)) {
  if (!part.values) continue;
  const { values } = part;
  answer.parts[name] = {
    bits: [...(values instanceof Float32Array ? new Uint32Array(values.buffer) : values)],
    meaning: values instanceof Float32Array ? [] : [...values].map(meaningOfCodes(part)),
  };
}
// Cut anywhere, the message must be refused.
answer.refused = 0;
for (let count = 0; count < message.byteLength; count++) {
  try {
    decodeFrame(message.slice(0, count));
  } catch {
    answer.refused += 1;
  }
}
console.log(JSON.stringify(answer));
