/// Samples with a border on all sides, so that kernels never ask whether a neighbor exists.
struct PaddedSamples<Sample: BitwiseCopyable & Sendable>: Sendable {
  /// The distance between two rows, in samples.
  let stride: Int
  /// The index of the first pixel.
  let origin: Int
  let samples: [Sample]

  /// Copies packed rows into a border; O(*n*).
  init(_ packed: [Sample], width: Int, height: Int, border: Int, value: Sample) {
    // Kernels take 16 pixels at a time and may read so many past the end of a row.
    let stride = width + 2 * border
    self.stride = stride
    let origin = border * stride + border
    self.origin = origin
    let count = stride * (height + 2 * border) + 16
    samples = [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      guard let start = buffer.baseAddress else { return }
      packed.withUnsafeBufferPointer { source in
        guard let source = source.baseAddress, width > 0 else {
          start.initialize(repeating: value, count: count)
          return
        }
        var next = start
        func fill(_ length: Int) {
          next.initialize(repeating: value, count: length)
          next += length
        }
        fill(origin)
        for y in 0..<height {
          next.initialize(from: source + y * width, count: width)
          next += width
          fill(2 * border)
        }
        fill(start + count - next)
      }
    }
  }
}
