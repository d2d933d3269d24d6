import PlumblineTestSupport

/// Bytes of many kinds, each decided by its seed alone.
enum LZFSESamples {
  /// Sizes around the limits of the format: nothing, LZVN below 4,096 and blocks of 40,000 literals.
  static let sizes = [0, 1, 7, 8, 15, 64, 700, 4_095, 4_096, 30_011, 100_003]

  static func all() -> [(name: String, bytes: [UInt8])] {
    var samples: [(String, [UInt8])] = []
    for size in sizes {
      var random = SeededGenerator(seed: UInt64(size))
      let noise = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      samples.append(("random-\(size)", noise))
      samples.append(("zeros-\(size)", Array(repeating: 0, count: size)))
      samples.append(("text-\(size)", text(size, &random)))
      let skewed = noise.map { (byte: UInt8) -> UInt8 in byte & (byte >> 3) & 0x3F }
      samples.append(("skewed-\(size)", skewed))
      // Repeats of noise at distances up to 30,000 bytes.
      let repeated = (0..<size).map { (index: Int) -> UInt8 in
        noise[index < 20_000 ? index % 523 : index - 20_000]
      }
      samples.append(("repeats-\(size)", repeated))
    }
    samples.append(("map", depthMap(width: 96, height: 128)))
    let levels = (0..<12_288).map { (index: Int) -> UInt8 in
      let diagonal = index / 96 + index % 96
      return UInt8(diagonal / 40 % 3)
    }
    samples.append(("levels", levels))
    return samples
  }

  private static func text(_ size: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let words = ["depth ", "camera ", "meters ", "of ", "a ", "pixel, ", "0.25 ", "\n"]
    var bytes: [UInt8] = []
    while bytes.count < size { bytes += words[Int(random.next() % 8)].utf8 }
    return Array(bytes.prefix(size))
  }

  /// A sloping floor with noise of a millimeter as 32-bit numbers, as LiDAR maps are.
  static func depthMap(width: Int, height: Int) -> [UInt8] {
    var random = SeededGenerator(seed: 5)
    var bytes: [UInt8] = []
    for index in 0..<(width * height) {
      let noise = Float(random.next() % 1024) * 1e-6
      let slope = 0.004 * Float(index / width) + 0.001 * Float(index % width)
      let meters: Float = 1.2 + slope + noise
      withUnsafeBytes(of: meters.bitPattern.littleEndian) { bytes += $0 }
    }
    return bytes
  }
}
