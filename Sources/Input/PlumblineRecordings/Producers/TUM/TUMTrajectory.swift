package import PlumblineIO
package import PlumblineImages
package import PlumblineModel

/// Poses of a camera with their times, in the text form of the TUM RGB-D benchmark that most SLAM programs
/// and `evo` read and write: a line `timestamp tx ty tz qx qy qz qw` for each pose.
///
/// - Source: Computer Vision Group TUM, *RGB-D SLAM Dataset and Benchmark*, File formats: the optical
///   center in the world, so `worldFromCamera`, in meters and seconds.
package struct TUMTrajectory: Sendable {
  /// A pose and its time.
  package struct TimedPose: Sendable, Hashable {
    /// Seconds on the recording's clock.
    package var seconds: Double
    /// The camera in the world, in meters.
    package var worldFromCamera: RigidTransform

    /// Joins both.
    package init(seconds: Double, worldFromCamera: RigidTransform) {
      self.seconds = seconds
      self.worldFromCamera = worldFromCamera
    }
  }

  /// The poses in the order of the file.
  package var poses: [TimedPose]
  /// The lines before them, without `#` and without an end.
  package var comments: [String]

  /// Takes poses, and what is said before them.
  package init(_ poses: [TimedPose], comments: [String]) {
    self.poses = poses
    self.comments = comments
  }

  /// Reads a text; lines that begin with `#` are comments.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - limits: Bound it as they bound other tables.
  /// - Throws: `.malformed` for a line that is no pose, with its number among the poses; `.limitExceeded`.
  ///   O(*n*).
  package init(
    parsing bytes: [UInt8], limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let table = try NumberLines(bytes, limits: limits, path: "trajectory")
    comments = table.comments.map { String($0.drop { $0 == " " }) }
    poses = []
    for (number, line) in table.lines.enumerated() {
      guard let pose = Self.pose(line) else {
        throw CaptureReadingError(
          .malformed, path: ["pose \(number + 1)"],
          expected: "a line of timestamp tx ty tz qx qy qz qw",
          found: printable(text: line.joined(separator: " ").prefix(80)))
      }
      poses.append(pose)
    }
  }

  /// The pose of a line; `nil` for one of other numbers, or with a rotation or a position that is none.
  static func pose(_ line: NumberLines.Line) -> TimedPose? {
    guard line.count == 8, let n = line.numbers,
      let rotation = Rotation(quaternion: [n[4], n[5], n[6], n[7]]),
      n[1...3].allSatisfy({ abs($0) <= 1e9 })
    else { return nil }
    return TimedPose(
      seconds: n[0],
      worldFromCamera: RigidTransform(rotation: rotation, translation: [n[1], n[2], n[3]]))
  }

  /// The line of a pose with its end; numbers are read back bit for bit.
  static func line(_ pose: TimedPose) -> String {
    let t = pose.worldFromCamera.translation
    let q = pose.worldFromCamera.rotation.quaternion
    return "\(pose.seconds) \(t.x) \(t.y) \(t.z) \(q.x) \(q.y) \(q.z) \(q.w)\n"
  }

  /// The text of all poses.
  package var text: String {
    (comments.map { "# \(printable(text: $0))\n" } + ["# timestamp tx ty tz qx qy qz qw\n"]
      + poses.map(Self.line)).joined()
  }
}
