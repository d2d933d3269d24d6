internal import PlumblineModel

/// Calls a closure with bands of rows on some threads; the bands depend on `threads`, so no row's
/// result may depend on the band it is in.
func forEachBand(of rows: Int, threads: Int, _ body: @Sendable (Range<Int>) -> Void) {
  let bands = min(max(threads, 1), max(rows / 16, 1))
  guard rows > 0 else { return }
  forEachConcurrently(bands, threads: threads) { band in
    body(rows * band / bands..<rows * (band + 1) / bands)
  }
}

/// The same for kernels that have many starting costs: an array made by bands that kernels write.
func filled<Element: BitwiseCopyable & Sendable>(
  _ count: Int, rows: Int, threads: Int,
  _ body: @Sendable (Range<Int>, UnsafeMutablePointer<Element>) -> Void
) -> [Element] {
  [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
    initialized = count
    guard let start = buffer.baseAddress else { return }
    nonisolated(unsafe) let target = start
    forEachBand(of: rows, threads: threads) { body($0, target) }
  }
}

extension Array where Element: BitwiseCopyable & Sendable {
  /// Lets bands of rows change the array in place.
  mutating func change(
    rows: Int, threads: Int, _ body: @Sendable (Range<Int>, UnsafeMutablePointer<Element>) -> Void
  ) {
    withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      nonisolated(unsafe) let target = start
      forEachBand(of: rows, threads: threads) { body($0, target) }
    }
  }
}
