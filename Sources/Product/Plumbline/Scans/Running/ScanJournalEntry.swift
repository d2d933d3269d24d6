import PlumblineIO
import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction

/// What became of one frame of a scan, as a journal keeps it: one line of JSON without loss of a bit.
struct ScanJournalEntry: Sendable {
  /// The name of the frame.
  var name: String
  /// The checksum of what was fused of the frame; `nil` for one that could not be used.
  var checksum: UInt32?
  /// Why the frame could not be used; `nil` for one that was given to tracking.
  var unusable: String?
  /// What tracking made of the frame; `nil` for one that could not be used.
  var tracked: TrackedFrame?

  /// The line without its end.
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("checksum", .integer(checksum.map { Int($0) })),
      ("unusable", .string(unusable)), ("tracked", tracked.map(Self.json) ?? .null),
    ])
  }

  /// Reads a line; `nil` for anything else than what ``json`` writes.
  init?(_ json: JSONValue) {
    guard let name = json["name"]?.string else { return nil }
    self.name = name
    checksum = json["checksum"]?.integer.flatMap { UInt32(exactly: $0) }
    unusable = json["unusable"]?.string
    if let value = json["tracked"], !value.isNull {
      guard let tracked = Self.tracked(value) else { return nil }
      self.tracked = tracked
    }
    guard (tracked == nil) == (unusable != nil), (tracked == nil) == (checksum == nil) else {
      return nil
    }
  }

  init(name: String, checksum: UInt32?, unusable: String?, tracked: TrackedFrame?) {
    self.name = name
    self.checksum = checksum
    self.unusable = unusable
    self.tracked = tracked
  }

  // MARK: - A tracked frame

  private static func json(_ frame: TrackedFrame) -> JSONValue {
    .object([
      ("index", .integer(frame.index)), ("seconds", .number(frame.timestampSeconds)),
      ("recorded", .numbers(frame.recordedWorldFromCamera?.rowMajor)),
      ("pose", .numbers(frame.estimate?.aFromB.rowMajor)),
      ("covariance", .numbers(frame.estimate?.covariance.values)),
      ("state", .string(word(of: frame.state))), ("fragment", .integer(frame.fragment)),
      ("quality", frame.quality.map(json) ?? .null),
    ])
  }

  private static func tracked(_ json: JSONValue) -> TrackedFrame? {
    guard let index = json["index"]?.integer, let fragment = json["fragment"]?.integer,
      let state = json["state"]?.string.flatMap(state(of:)), index >= 0, fragment >= 0
    else { return nil }
    var frame = TrackedFrame(index: index, state: state, fragment: fragment)
    frame.timestampSeconds = json["seconds"]?.number
    if let value = json["recorded"], !value.isNull {
      guard let pose = pose(value) else { return nil }
      frame.recordedWorldFromCamera = pose
    }
    if let value = json["pose"], !value.isNull {
      guard let pose = pose(value), let covariance = json["covariance"]?.numbers,
        covariance.count == 36
      else { return nil }
      var matrix = SymmetricMatrix(count: 6)
      matrix.values = covariance
      frame.estimate = PoseEstimate(aFromB: pose, covariance: matrix)
    }
    if let value = json["quality"], !value.isNull {
      guard let quality = quality(value) else { return nil }
      frame.quality = quality
    }
    return frame.isFused && frame.estimate == nil ? nil : frame
  }

  /// A pose by its numbers, which are those of a rotation within rounding and are kept as they are.
  private static func pose(_ json: JSONValue) -> RigidTransform? {
    guard let m = json.numbers, m.count == 12, RigidTransform(rowMajor: m) != nil else {
      return nil
    }
    return RigidTransform(
      rotation: Rotation(x: [m[0], m[4], m[8]], y: [m[1], m[5], m[9]], z: [m[2], m[6], m[10]]),
      translation: [m[3], m[7], m[11]])
  }

  private static func json(_ quality: TrackingQuality) -> JSONValue {
    let weakest = quality.weakestDirection
    return .object([
      ("points", .integer(quality.pointCount)),
      // Those that are not finite become null.
      (
        "numbers",
        .numbers([
          quality.overlap, quality.inlierShare, quality.medianMeters, quality.rootMeanSquareMeters,
          quality.medianSigmas, quality.scale, weakest.x, weakest.y, weakest.z,
          quality.weakestShare, quality.correctionSigmas,
        ])
      ),
      ("kept", .integer(quality.keptDirections)), ("colored", .integer(quality.colorDirections)),
      ("sensed", .integer(quality.sensedDirections)),
    ])
  }

  private static func quality(_ json: JSONValue) -> TrackingQuality? {
    guard let points = json["points"]?.integer, let kept = json["kept"]?.integer,
      let colored = json["colored"]?.integer,
      let sensed = json["sensed"]?.integer,
      let values = json["numbers"]?.elements, values.count == 11,
      values.allSatisfy({ $0.isNull || $0.number != nil })
    else { return nil }
    let number = values.map { $0.number ?? .nan }
    return TrackingQuality(
      pointCount: points, overlap: number[0], inlierShare: number[1], medianMeters: number[2],
      rootMeanSquareMeters: number[3], medianSigmas: number[4], scale: number[5],
      weakestDirection: [number[6], number[7], number[8]], weakestShare: number[9],
      keptDirections: kept, colorDirections: colored, sensedDirections: sensed,
      correctionSigmas: number[10])
  }

  private static func word(of state: TrackingState) -> String {
    switch state {
    case .started: "started"
    case .tracked: "tracked"
    case .followed: "followed"
    case .relocalized: "relocalized"
    case .skipped: "skipped"
    case .lost(let reason): reason.rawValue
    }
  }

  private static func state(of word: String) -> TrackingState? {
    let states: [TrackingState] = [.started, .tracked, .followed, .relocalized, .skipped]
    return states.first { Self.word(of: $0) == word }
      ?? LossReason(rawValue: word).map { .lost($0) }
  }
}

extension ScanFrame {
  /// A checksum of all that fusing takes of the frame, by which a later run knows the same frame again.
  var checksum: UInt32 {
    var sum = CRC32()
    func add<Sample>(_ samples: [Sample]) {
      samples.withUnsafeBytes { bytes in
        bytes.withMemoryRebound(to: UInt8.self) { sum.update(Array($0)[...]) }
      }
    }
    add(depth.meters.packed.samples)
    add(noiseMeters.packed.samples)
    if let color { add(color.packed.samples) }
    add([
      camera.focalLength.x, camera.focalLength.y, camera.principalPoint.x, camera.principalPoint.y,
      Double(camera.size.width), Double(camera.size.height), timestampSeconds ?? .nan,
      shared.constantMeters, shared.perMeter, shared.perMeterSquared,
    ])
    add(worldFromCamera?.rowMajor ?? [])
    return sum.value
  }
}
