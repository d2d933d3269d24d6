// Times viewer/stream.js on the messages that write_parts made, against the maps themselves, and the
// browser's own inflating of the same numbers. Usage: node decode.mjs MAP …
import { readFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { decodeFrame } from '../../Sources/C/CEmbeddedData/viewer/stream.js';

const ROUNDS = 41;
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
// Processor time, which does not grow when other programs run.
const milliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

for (const path of process.argv.slice(2)) {
  const map = readFileSync(path);
  const file = readFileSync(`${path}.pls1`);
  const message = file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
  const frame = decodeFrame(message);
  const { values, samples } = frame.parts.depth;
  const truth = map.subarray(16);
  const bytes = new Uint8Array(values.buffer);
  if (samples !== 'float16' && Buffer.compare(Buffer.from(bytes), truth) !== 0) {
    throw new Error(`${path}: other numbers`);
  }
  const times = [];
  for (let i = 0; i < ROUNDS; i++) {
    const start = milliseconds();
    decodeFrame(message);
    times.push(milliseconds() - start);
  }
  const packed = deflateRawSync(truth, { level: 1 });
  const inflating = [];
  for (let i = 0; i < ROUNDS; i++) {
    const start = milliseconds();
    inflateRawSync(packed);
    inflating.push(milliseconds() - start);
  }
  const name = path.split('/').pop();
  console.log(`${name}\t${median(times).toFixed(2)}\t${median(inflating).toFixed(2)}`);
}
