public import PlumblineIO
import PlumblineImages
import PlumblineModel
import PlumblineRecordings

extension RecordingPoses {
  /// Reads a file: `plumbline.poses/1` where it begins as JSON does, else lines of
  /// `timestamp tx ty tz qx qy qz qw`.
  ///
  /// - Throws: ``InputError``, ``PosesFileError``. Cost: O(*n*).
  public init(path: String) throws {
    let bytes = try InputFile(path: path).bytes
    let name = printable(text: lastPathPart(path))
    do {
      try self.init(parsing: bytes, named: name)
    } catch let error as JSONReadingError {
      throw PosesFileError(
        path: path, place: error.path, expected: error.expected, found: error.found)
    } catch let error as CaptureReadingError {
      throw PosesFileError(
        path: path, place: error.path, expected: error.expected, found: error.found)
    }
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: ``JSONReadingError``, ``CaptureReadingError``.
  init(parsing bytes: [UInt8], named name: String) throws {
    if bytes.first(where: { $0 > 32 }) == UInt8(ascii: "{") {
      try self.init(JSONFields(JSONValue(parsing: bytes)), named: name)
      return
    }
    let trajectory = try TUMTrajectory(parsing: bytes)
    let world = trajectory.comments.compactMap { comment in
      WorldAxes.allCases.first { comment.hasSuffix(Self.worldComment + $0.words) }
    }
    self.init(
      frames: trajectory.poses.map {
        Frame(timestampSeconds: $0.seconds, worldFromCamera: $0.worldFromCamera)
      }, worldAxes: world.first ?? .unknown, basis: name)
  }

  /// What stands before the axes of the world in a comment.
  private static let worldComment = "world: "

  private init(_ fields: JSONFields, named name: String) throws(JSONReadingError) {
    let schema = try fields.text("schema") ?? "none"
    guard schema == Self.schema else {
      throw JSONReadingError(
        .unsupported, path: ["schema"], expected: Self.schema,
        found: printable(text: schema.prefix(60)))
    }
    let worldAxes: WorldAxes = try fields.word("worldAxes") ?? .unknown
    var frames: [Frame] = []
    for entry in try fields.required("frames", fields.list) {
      frames.append(try Self.frame(entry))
    }
    self.init(frames: frames, worldAxes: worldAxes, basis: name)
  }

  private static func frame(_ entry: JSONFields) throws(JSONReadingError) -> Frame {
    let numbers = try entry.numbers("worldFromCamera", count: 12...12)
    let pose = numbers.flatMap { RigidTransform(rowMajor: $0) }
    guard numbers == nil || pose != nil else {
      throw entry.failure(
        at: "worldFromCamera", expected: "a rotation and a position", found: "another matrix")
    }
    return Frame(
      name: try entry.required("name", entry.text),
      timestampSeconds: try entry.number("seconds"), worldFromCamera: pose,
      covariance: try entry.numbers("covariance", count: 36...36),
      state: try entry.text("state"), surface: try entry.integer("surface"))
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - recording: The name of the recording, which the file says.
  /// - Returns: UTF-8.
  /// - Throws: `.missing` for ``Format/tum`` where a pose has no time. Cost: O(*n*).
  public func bytes(
    as format: Format, recording: String
  ) throws(CaptureReadingError) -> [UInt8] {
    switch format {
    case .json: JSONWriter().bytes(document(recording: recording))
    case .tum: Array(try trajectoryText(recording: recording).utf8)
    }
  }

  /// The document `plumbline.poses/1`.
  func document(recording: String) -> JSONValue {
    .object([
      ("schema", .string(Self.schema)), ("recording", .string(recording)),
      ("unit", "m"), ("worldAxes", .string(worldAxes.rawValue)),
      ("camera", .string(Self.cameraAxes)),
      (
        "covarianceOf",
        .string(
          "rotation vector in radians, then translation in meters, in the camera's axes: the true pose "
            + "is worldFromCamera times that motion")
      ),
      (
        "frames",
        .array(
          frames.map { frame in
            .object([
              ("name", .string(frame.name)), ("seconds", .number(frame.timestampSeconds)),
              ("state", .string(frame.state)), ("surface", .integer(frame.surface)),
              ("worldFromCamera", .numbers(frame.worldFromCamera?.rowMajor)),
              ("covariance", .numbers(frame.covariance)),
            ])
          })
      ),
    ])
  }

  /// The poses of the first surface as lines; other surfaces have worlds of their own.
  private func trajectoryText(recording: String) throws(CaptureReadingError) -> String {
    var poses: [TUMTrajectory.TimedPose] = []
    for frame in frames where frame.isUsable {
      guard let seconds = frame.timestampSeconds, let pose = frame.worldFromCamera else {
        throw CaptureReadingError(
          .missing, expected: "a time of each frame, by which this format names it",
          found: "none of frame \(printable(text: frame.name ?? "")); .json needs none")
      }
      poses.append(TUMTrajectory.TimedPose(seconds: seconds, worldFromCamera: pose))
    }
    var comments = [
      "poses of \(recording)",
      "camera in the world, meters; camera axes: \(Self.cameraAxes); "
        + "\(Self.worldComment)\(worldAxes.words)",
    ]
    if otherWorldCount > 0 {
      comments.append("\(otherWorldCount.counting("pose")) of other surfaces left out")
    }
    return TUMTrajectory(poses, comments: comments).text
  }
}

extension WorldAxes {
  /// The axes in a few words.
  fileprivate var words: String {
    switch self {
    case .yUp: "y up"
    case .zUp: "z up"
    case .unknown: "its up is not known"
    }
  }
}
