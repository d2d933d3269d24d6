import PlumblineIO
import PlumblineImages
import PlumblineModel

/// The contents of a recording's `metadata`, checked but not yet assigned to frames.
struct Record3DMetadata: Sendable {
  /// The size of the color images, to which all intrinsics refer; `nil` when not given.
  let colorSize: RasterSize?
  /// The size of the depth maps; `nil` in older recordings.
  let depthSize: RasterSize?
  let framesPerSecond: Double?
  /// One intrinsic matrix for all frames, column-major.
  let matrix: [Double]?
  /// `fx, fy, cx, cy` of each frame.
  let coefficients: [[Double]]
  let timestamps: [Double]
  /// `qx, qy, qz, qw, tx, ty, tz` of each frame; `nil` for an invalid entry.
  let rawPoses: [[Double]?]
  let findings: [Finding]

  /// The metadata of a recording without any, such as a truncated archive.
  init(colorSize: RasterSize?) {
    self.colorSize = colorSize
    depthSize = nil
    framesPerSecond = nil
    matrix = nil
    coefficients = []
    timestamps = []
    rawPoses = []
    findings = [
      Finding(
        .calibrationMissing, .caution,
        "the file metadata is not there, and with it camera numbers, poses and times",
        evidence: "metadata")
    ]
  }

  /// Parses the text.
  ///
  /// - Throws: `.malformed` and `.limitExceeded` if it is not a JSON object; a member of an
  ///   unexpected type becomes a finding.
  init(_ text: ArraySlice<UInt8>, limits: ReadingLimits) throws(CaptureReadingError) {
    let json = try RecordedJSON(parsing: text, limits: limits)
    guard json["w"] != nil || json["K"] != nil || json["poses"] != nil || json["fps"] != nil else {
      throw CaptureReadingError(
        .missing, expected: "a JSON object with w, h, K, fps or poses", found: json.kind)
    }
    var findings: [Finding] = []
    func damaged(_ code: FindingCode, _ message: String, _ key: String) {
      findings.append(Finding(code, .caution, message, evidence: "metadata, \(key)"))
    }
    func size(_ width: String, _ height: String) -> RasterSize? {
      guard json[width] != nil || json[height] != nil else { return nil }
      let numbers = [width, height].compactMap { json[$0]?.number }
      guard let size = RecordedCalibration.size(numbers) else {
        damaged(.fileDamagedMetadata, "the size \(width), \(height) is none", "\(width), \(height)")
        return nil
      }
      return size
    }
    colorSize = size("w", "h")
    depthSize = size("dw", "dh")
    framesPerSecond = json["fps"]?.number.flatMap { $0 > 0 && $0 <= 1_000 ? $0 : nil }
    if let numbers = json["K"]?.numbers, numbers.count == 9 {
      // Other writers than the app store rows; the position of the principal point shows which.
      matrix = RecordedCalibration.columnMajor(
        (0..<3).map { Array(numbers[(3 * $0)..<(3 * $0 + 3)]) })
    } else {
      matrix = nil
      if json["K"] != nil { damaged(.calibrationDamaged, "K is no matrix of 9 numbers", "K") }
    }
    func lists(_ key: String, _ count: Int) -> [[Double]?] {
      guard let elements = json[key]?.elements else { return [] }
      return elements.map { element in
        element.numbers.flatMap { $0.count == count && $0.allSatisfy { abs($0) <= 1e9 } ? $0 : nil }
      }
    }
    let coefficientLists = lists("perFrameIntrinsicCoeffs", 4)
    coefficients =
      coefficientLists.allSatisfy { $0 != nil } ? coefficientLists.compactMap(\.self) : []
    if coefficients.count != coefficientLists.count {
      damaged(
        .calibrationDamaged, "an entry of perFrameIntrinsicCoeffs is not fx, fy, cx, cy",
        "perFrameIntrinsicCoeffs")
    }
    rawPoses = lists("poses", 7)
    timestamps = json["frameTimestamps"]?.numbers ?? []
    if timestamps.isEmpty, json["frameTimestamps"]?.elements?.isEmpty == false {
      damaged(.fileDamagedMetadata, "frameTimestamps is no list of numbers", "frameTimestamps")
    }
    if matrix == nil, coefficients.isEmpty {
      findings.append(
        Finding(
          .calibrationMissing, .caution, "the metadata has no camera numbers",
          evidence: "metadata, K"))
    }
    self.findings = findings
  }

  /// The indices of the frames' entries in the lists of the metadata.
  ///
  /// Lists are indexed by frame number. But if they have exactly one entry per frame and the
  /// numbers exceed their count, the frames were numbered from another start, and the lists are in
  /// frame order.
  static func places(of numbers: [Int], count: Int) -> [Int?] {
    let isByOrder = count == numbers.count && (numbers.last ?? 0) >= count
    return numbers.enumerated().map { index, number in
      let place = isByOrder ? index : number
      return place < count ? place : nil
    }
  }

  /// The time of each frame, from the list of times or else from the frame rate.
  func timing(of numbers: [Int]) -> (seconds: [Double?], findings: [Finding]) {
    var findings: [Finding] = []
    var seconds: [Double?]
    if timestamps.isEmpty {
      seconds = numbers.map { number in framesPerSecond.map { Double(number) / $0 } }
      let rate = framesPerSecond.map { "they follow from the rate of \($0) per second" }
      findings.append(
        Finding(
          .sequenceTimeUnknown, .note,
          "frames do not say their times; \(rate ?? "neither does the recording say its rate")",
          evidence: "metadata, frameTimestamps"))
    } else {
      seconds = Self.places(of: numbers, count: timestamps.count).map { place in
        place.map { timestamps[$0] }
      }
      let untimed = seconds.count { $0 == nil }
      if untimed > 0 {
        findings.append(
          Finding(
            .sequenceTimeUnknown, .note, "\(untimed) of \(numbers.count) frames have no time",
            evidence: "metadata, frameTimestamps: \(timestamps.count) entries"))
      }
      let known = seconds.compactMap(\.self)
      let backward = zip(known, known.dropFirst()).count { $1 < $0 }
      if backward > 0 {
        findings.append(
          Finding(
            .sequenceClockBackwards, .caution,
            "the clock goes backward (\(backward) ×); frames are in the order of their numbers",
            evidence: "metadata, frameTimestamps"))
      }
      let repeated = zip(known, known.dropFirst()).count { $1 == $0 }
      if repeated > 0 {
        findings.append(
          Finding(
            .sequenceRepeatedFrames, .caution,
            "a time is repeated at \(repeated.counting("frame"))",
            evidence: "metadata, frameTimestamps"))
      }
    }
    return (seconds, findings)
  }
}

/// A pose in Record3D's form: `qx, qy, qz, qw, tx, ty, tz`, world from an OpenGL camera.
enum Record3DPose {
  /// The app's value for untracked frames, as in recordings of the FaceID camera.
  static let untracked: [Double] = [0, 0, 0, 1, 0, 0, 0]

  /// The pose in this package's axes; `nil` if the first four numbers are not a rotation.
  static func worldFromCamera(_ numbers: [Double]) -> RigidTransform? {
    guard numbers.count == 7 else { return nil }
    let quaternion = SIMD4(numbers[0], numbers[1], numbers[2], numbers[3])
    // Printed with six digits, a unit quaternion has length 1 within 1e-6; zeros mean no pose.
    guard abs((quaternion * quaternion).sum().squareRoot() - 1) < 1e-2,
      let rotation = Rotation(quaternion: quaternion)
    else { return nil }
    return RigidTransform(
      rotation: rotation, translation: [numbers[4], numbers[5], numbers[6]]
    ).cameraAxes(.graphics, to: .computerVision)
  }

  /// The seven numbers of a pose given in this package's axes.
  static func numbers(_ worldFromCamera: RigidTransform) -> [Double] {
    let q = worldFromCamera.cameraAxes(.computerVision, to: .graphics).rotation.quaternion
    let t = worldFromCamera.translation
    return [q.x, q.y, q.z, q.w, t.x, t.y, t.z]
  }
}

extension Record3DMetadata {
  /// The pose of the camera at each frame.
  func poses(of numbers: [Int]) -> (worldFromCamera: [RigidTransform?], findings: [Finding]) {
    let none = numbers.map { _ in nil as RigidTransform? }
    func finding(_ message: String) -> Finding {
      Finding(.sequencePosesMissing, .note, message, evidence: "metadata, poses")
    }
    if rawPoses.isEmpty { return (none, [finding("the recording has no poses")]) }
    if rawPoses.allSatisfy({ $0 == Record3DPose.untracked }) {
      return (
        none,
        [finding("every pose is the identity, as the app writes them for its FaceID camera")]
      )
    }
    let poses = Self.places(of: numbers, count: rawPoses.count).map { place in
      place.flatMap { rawPoses[$0] }.flatMap(Record3DPose.worldFromCamera)
    }
    let missing = poses.count { $0 == nil }
    if missing == 0 { return (poses, []) }
    return (poses, [finding("\(missing) of \(numbers.count) frames have no pose")])
  }
}
