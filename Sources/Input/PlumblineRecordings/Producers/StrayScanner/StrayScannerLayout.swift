import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineNumerics

/// Recordings of the app Stray Scanner: a video of the color camera, numbered depth maps, and
/// lists.
enum StrayScannerLayout: RecordingLayout {
  static let name = "Stray Scanner"
  static let signs = "odometry.csv with rgb.mp4, camera_matrix.csv or depth/000000.png"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool { prefix(names) != nil }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    try recording(from: folder, limits: limits, decoding: FFmpegDecoding())
  }

  /// The same, with another video decoder.
  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits, decoding: any VideoDecoding
  ) throws(CaptureReadingError) -> Recording {
    let names = Set(folder.fileNames)
    let prefix = prefix(names) ?? ""
    let recording = try StrayRecording(folder, prefix: prefix, limits: limits, decoding: decoding)
    let frames = recording.frames
    let motionName = prefix + "imu.csv"
    var motion: Recording.MotionReader?
    if names.contains(motionName) {
      motion = { () throws(CaptureReadingError) in
        do throws(CaptureReadingError) {
          return try StrayMotion.samples(try folder.bytes(of: motionName), limits: limits)
        } catch {
          throw error.inside(motionName)
        }
      }
    }
    return Recording(
      layout: name,
      frames: frames.map {
        RecordedFrame(
          name: StrayRecording.name($0.row.frame), timestampSeconds: $0.row.timestampSeconds)
      }, worldAxes: .yUp, findings: recording.findings, motion: motion
    ) { index, color throws(CaptureReadingError) in
      try frames[index].capture(of: recording, color: color)
    }
  }

  /// The path before its files: empty, or the only folder in an archive.
  private static func prefix(_ names: Set<String>) -> String? {
    let prefixes = names.filter { $0.hasSuffix("odometry.csv") }.map { $0.dropLast(12) }
      .filter { prefix in
        (prefix.isEmpty || prefix.hasSuffix("/")) && pathParts(String(prefix)).count <= 2
          && ["rgb.mp4", "camera_matrix.csv", "depth/000000.png", "depth/000000.npy"]
            .contains { names.contains("\(prefix)\($0)") }
      }
    return prefixes.contains("")
      ? "" : prefixes.count == 1 ? prefixes.first.map { String($0) } : nil
  }
}

/// The motion samples of `imu.csv`.
enum StrayMotion {
  /// Reads the file; rows that cannot be read in full are counted.
  ///
  /// The app's documentation says m/s², which versions up to 2025 wrote; since then the app writes
  /// the sensor's values in g. The median length distinguishes them: for a hand-held phone it is
  /// about 1 g, and never 3 g for a minute. Apple's sign is converted to that of
  /// ``MotionSample/specificForce``.
  ///
  /// - Source: strayrobots/scanner, `IMUEncoder.swift`, `DatasetEncoder.swift`
  ///   (`addRawAccelerometer`).
  /// - Throws: `.malformed`, `.limitExceeded`.
  static func samples(
    _ bytes: [UInt8], limits: ReadingLimits
  ) throws(CaptureReadingError) -> RecordedMotion {
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
    // A table with names may lack the gyroscope.
    let hasRates = !table.names.isEmpty && columns[4...].allSatisfy { $0 < .max }
    var motion = RecordedMotion()
    motion.samples.reserveCapacity(table.rowCount)
    for row in 0..<table.rowCount {
      func vector(from first: Int) -> SIMD3<Double>? {
        let vector = SIMD3(
          table.value(row: row, column: columns[first]),
          table.value(row: row, column: columns[first + 1]),
          table.value(row: row, column: columns[first + 2]))
        return vector.x.isNaN || vector.y.isNaN || vector.z.isNaN ? nil : vector
      }
      let time = table.value(row: row, column: columns[0])
      guard time.isFinite else {
        motion.addUnreadable("row \(row + 1) of imu.csv: no time")
        continue
      }
      var sample = MotionSample(timestampSeconds: time)
      sample.specificForce = vector(from: 1)
      sample.rotationRate = vector(from: 4)
      if sample.specificForce == nil || hasRates && sample.rotationRate == nil {
        motion.addUnreadable("row \(row + 1) of imu.csv: numbers are missing")
      }
      motion.samples.append(sample)
    }
    let lengths = motion.samples.compactMap(\.specificForce).map { ($0 * $0).sum().squareRoot() }
      .sorted()
    // The threshold is the geometric mean of 1 g in both units.
    let median = lengths.middleOfSorted ?? 0
    let gravity = MotionSample.standardGravity
    let factor = median < gravity.squareRoot() ? -gravity : -1
    for index in motion.samples.indices {
      motion.samples[index].specificForce = motion.samples[index].specificForce.map { $0 * factor }
    }
    motion.samples = motion.samples.sortedByTime(\.timestampSeconds)
    return motion
  }
}
