import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Camera poses as Redwood's `.log` files hold them: three whole numbers, then a 4×4 matrix.
///
/// - Source: Redwood, *Indoor LiDAR-RGBD Scan Dataset*, file formats: the matrix takes points of the
///   camera to the world; the first number is that of the frame.
struct TrajectoryLog {
  /// `worldFromCamera` by the number of the frame.
  let poses: [Int: RigidTransform]

  /// Reads a file.
  ///
  /// - Throws: `.malformed` with the number of the entry; `.limitExceeded`.
  init(_ bytes: [UInt8], limits: ReadingLimits, path: String) throws(CaptureReadingError) {
    let lines = try NumberLines(bytes, limits: limits, path: path).lines
    try limits.require(
      lines.count / 5, atMost: limits.sequenceFrames, "poses", path: [path])
    var poses: [Int: RigidTransform] = [:]
    for start in stride(from: 0, to: lines.count, by: 5) {
      let entry = lines[start..<min(start + 5, lines.count)]
      let rows = entry.dropFirst().compactMap(\.numbers)
      guard entry.count == 5, rows.count == 4, rows.allSatisfy({ $0.count == 4 }),
        let number = entry.first?.first.flatMap({ Int($0) }), number >= 0,
        let pose = RigidTransform(rowMajor: rows.flatMap(\.self))
      else {
        throw CaptureReadingError(
          .malformed, path: [path, "entry \(start / 5)"],
          expected: "a number and four rows of a rigid 4×4 matrix",
          found: printable(text: entry.flatMap(\.self).joined(separator: " ").prefix(60)))
      }
      poses[number] = poses[number] ?? pose
    }
    self.poses = poses
  }
}
