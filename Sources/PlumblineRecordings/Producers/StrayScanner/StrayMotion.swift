import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The motion samples of `imu.csv`.
enum StrayMotion {
  /// Reads the file.
  ///
  /// The app's documentation says m/s², and versions up to 2025 wrote that; since then it writes
  /// what the sensor says, in g. The median length separates them: a phone in a hand is felt at
  /// about 1 g, never at 3 g for a minute. Apple's sign is turned to that of
  /// ``MotionSample/specificForce``.
  ///
  /// - Source: strayrobots/scanner, `IMUEncoder.swift`, `DatasetEncoder.swift`
  ///   (`addRawAccelerometer`).
  /// - Throws: `.malformed`, `.limitExceeded`.
  static func samples(
    _ bytes: [UInt8], limits: ReadingLimits
  ) throws(CaptureReadingError) -> [MotionSample] {
    let table = try StrayTable(bytes, mostRows: limits.motionSamples, limits: limits)
    let names = ["timestamp", "a_x", "a_y", "a_z", "alpha_x", "alpha_y", "alpha_z"]
    let columns = names.enumerated().map { index, name in
      table.names.isEmpty ? index : table.column(name) ?? Int.max
    }
    guard columns[..<4].allSatisfy({ $0 < .max }) else {
      throw CaptureReadingError(
        .malformed, expected: "columns \(names.joined(separator: ", "))",
        found: table.names.joined(separator: ", "))
    }
    var samples: [MotionSample] = []
    samples.reserveCapacity(table.rowCount)
    for row in 0..<table.rowCount {
      func vector(from first: Int) -> SIMD3<Double>? {
        let vector = SIMD3(
          table.value(row: row, column: columns[first]),
          table.value(row: row, column: columns[first + 1]),
          table.value(row: row, column: columns[first + 2]))
        return vector.x.isNaN || vector.y.isNaN || vector.z.isNaN ? nil : vector
      }
      let time = table.value(row: row, column: columns[0])
      guard time.isFinite else { continue }
      var sample = MotionSample(timestampSeconds: time)
      sample.specificForce = vector(from: 1)
      sample.rotationRate = vector(from: 4)
      samples.append(sample)
    }
    let lengths = samples.compactMap(\.specificForce).map { ($0 * $0).sum().squareRoot() }.sorted()
    // The border is the geometric middle of 1 g in either unit.
    let median = lengths.isEmpty ? 0 : lengths[lengths.count / 2]
    let gravity = MotionSample.standardGravity
    let factor = median < gravity.squareRoot() ? -gravity : -1
    for index in samples.indices {
      samples[index].specificForce = samples[index].specificForce.map { $0 * factor }
    }
    return samples.sortedByTime(\.timestampSeconds)
  }
}
