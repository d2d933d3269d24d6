public import PlumblineIO
import PlumblineModel
import PlumblineReconstruction

extension Scan {
  /// The document of `fuse --json`, `plumbline.fuse/1`.
  ///
  /// - Parameters:
  ///   - fileName: The recording's name.
  ///   - outputs: The files that were written.
  /// - Returns: The document; lengths in meters.
  public func document(fileName: String, outputs: [String]) -> JSONValue {
    .object([
      ("schema", .string("plumbline.fuse/1")), ("file", .string(fileName)), ("unit", .string("m")),
      ("frame", .string(frame.statement)), ("wasStopped", .bool(wasStopped)),
      ("live", live.map(Self.document) ?? .null),
      ("voxelMeters", .number(voxelMeters)), ("voxelReason", .string(voxelReason)),
      ("volumeBytes", .integer(volumeBytes)),
      ("foreseenBytes", .integer(foreseenBytes)), ("scaleSigma", .number(scaleSigma)),
      ("noiseBasis", .string(noiseBasis)),
      ("scale", scale?.document ?? .null),
      ("findings", .array(findings.map(\.document))),
      ("surfaces", .array(fragments.map(document(of:)))), ("tracking", trackingDocument),
      ("closure", closureDocument), ("consistency", consistencyDocument),
      ("depthScale", depthScaleDocument),
      ("frames", .array(trajectory.frames.map(document(of:)))),
      (
        "leftOut",
        .array(
          leftOut.map {
            .object([("name", .string($0.name)), ("reason", .string($0.reason))])
          })
      ),
      ("outputs", .array(outputs.map { .string($0) })),
    ])
  }

  private static func document(_ live: LiveSource) -> JSONValue {
    .object([("dropped", .integer(live.droppedCount)), ("failure", .string(live.failure))])
  }

  private func document(of fragment: Fragment) -> JSONValue {
    .object([
      ("frames", .integer(fragment.frameCount)), ("vertices", .integer(fragment.mesh.vertexCount)),
      ("triangles", .integer(fragment.mesh.triangles.count)),
      ("medianSigmaMeters", Self.number(medianSigmaMeters(of: fragment))),
      ("commonSigmaMeters", .number(fragment.commonSigmaMeters)),
      ("changes", fragment.changes.document),
    ])
  }

  private var trackingDocument: JSONValue {
    let tracking = tracking
    return .object([
      ("given", .integer(frameCount)), ("fused", .integer(fusedCount)),
      ("tracked", .integer(tracking.trackedCount)), ("followed", .integer(tracking.followedCount)),
      ("lost", .integer(tracking.lostCount)), ("relocalized", .integer(tracking.relocalizedCount)),
      ("medianResidualMeters", Self.number(tracking.medianResidualMeters)),
      ("worstResidualMeters", Self.number(tracking.worst?.meters)),
      ("worstFrame", tracking.worst.map { .string($0.frame) } ?? .null),
      ("medianSigmas", Self.number(tracking.medianSigmas)),
      ("pathMeters", .number(tracking.pathMeters)),
      ("pathRatio", Self.number(tracking.pathRatio)),
      ("endShiftMeters", Self.number(tracking.endShiftMeters)),
      (
        "motionSensors",
        motionSensors.map { sensors in
          .object([
            ("frames", .integer(sensors.frameCount)),
            ("sigmaDegrees", .number(sensors.sigmaRadians * 180 / .pi)),
          ])
        } ?? .null
      ),
    ])
  }

  private func document(of frame: TrackedFrame) -> JSONValue {
    let pose = frame.isFused ? frame.estimate?.aFromB.rowMajor : nil
    return .object([
      ("name", .string(frameNames[frame.index])),
      ("state", .string(frame.state.word)), ("surface", .integer(surfaceNumber(of: frame))),
      ("residualMeters", Self.number(frame.quality?.medianMeters)),
      ("residualSigmas", Self.number(frame.quality?.medianSigmas)),
      ("overlap", Self.number(frame.quality?.overlap)),
      ("inlierShare", Self.number(frame.quality?.inlierShare)),
      ("weakestShare", Self.number(frame.quality?.weakestShare)),
      ("directionsByColor", .integer(frame.quality?.colorDirections)),
      ("directionsBySensors", .integer(frame.quality?.sensedDirections)),
      ("openDirections", .integer(frame.quality?.keptDirections)),
      ("worldFromCamera", pose.map { .array($0.map { .number($0) }) } ?? .null),
    ])
  }

  /// A number, or `null` for none.
  static func number(_ value: Double?) -> JSONValue {
    value.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
  }
}

extension TrackingState {
  /// The state in one word.
  var word: String {
    switch self {
    case .started: "started"
    case .tracked: "tracked"
    case .followed: "followed"
    case .relocalized: "relocalized"
    case .lost(let reason): "lost: \(reason.rawValue)"
    case .skipped: "skipped"
    }
  }
}
