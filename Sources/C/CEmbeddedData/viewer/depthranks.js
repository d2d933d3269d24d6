// Where a depth lies among all others of a map, 0 (nearest) to 255 (farthest): each color covers as much of the
// image as any other.
//
// Bins and positions are those of `DepthColors.Span.equalized` in Swift, so that both color alike: a bin is 1/2048
// of a power of two, from 2⁻¹⁶ to 2¹⁶, and the middle of a bin's ranks counts.
// - Source: histogram equalization, as Apple's sample "TrueDepth Camera Streaming" colors.
export class DepthRanks {
  static binCount = 1 << 16;
  static firstBin = 111 << 11;

  // By the bits of a number above 0.
  static bin(bits) {
    const bin = (bits >> 12) - DepthRanks.firstBin;
    return bin < 0 ? 0 : bin > 65535 ? 65535 : bin;
  }

  // `depths` as Float32Array; only those from `low` to `high` count. Of bins without any, the positions lie between
  // those of their neighbors. O(n).
  constructor(depths, low = 0, high = Infinity) {
    const { binCount } = DepthRanks;
    const counts = new Uint32Array(binCount);
    const bits = new Int32Array(depths.buffer, depths.byteOffset, depths.length);
    let total = 0;
    for (let index = 0; index < depths.length; index++) {
      const depth = depths[index];
      if (!(depth > 0 && depth < Infinity && depth >= low && depth <= high)) continue;
      counts[DepthRanks.bin(bits[index])]++;
      total++;
    }
    this.positions = new Uint8Array(binCount);
    let nearer = 0;
    for (let bin = 0; bin < binCount && total > 0; bin++) {
      this.positions[bin] = Math.min(255, Math.floor(128 * (2 * nearer + counts[bin]) / total));
      nearer += counts[bin];
    }
  }

  positionOf(depth) {
    return this.positions[DepthRanks.bin(new Int32Array(Float32Array.of(depth).buffer)[0])];
  }
}
