import PlumblineIO
import PlumblineNumerics
import PlumblineReconstruction

extension Scan {
  /// The loops of the path, and how far it had drifted where the longest well measured one closes.
  public struct Closure: Sendable, Hashable {
    /// The pairs of keyframes that see the same place and agree with the rest.
    public var loopCount: Int
    /// Those that fit each other and contradict the rest.
    public var rejectedCount: Int
    /// The pairs that seemed to see the same place and do not fit.
    public var misfitCount: Int
    /// The length of the path that the longest loop spans, from keyframe to keyframe, in meters; `nil` without a loop.
    public var pathMeters: Double?
    /// One standard deviation of where registration puts its end, in the direction known the least, in meters.
    public var sigmaMeters: Double?
    /// How far the path was off at its end by the recorded poses, in meters; `nil` without them.
    public var recordedMeters: Double?
    /// The same by the tracked poses; `nil` where it lies between two surfaces.
    public var trackedMeters: Double?
    /// The same by the corrected poses.
    public var correctedMeters: Double?
    /// How far the correction moves what a keyframe sees at its median depth, at most, in meters.
    public var movedMeters: Double
    /// Whether the frames were fused again at corrected poses: the correction is above a voxel, or joins surfaces.
    public var isApplied: Bool
    /// The surfaces that became part of another one.
    public var joinedCount: Int
  }

  /// The member `closure` of `plumbline.fuse/1`.
  var closureDocument: JSONValue {
    guard let closure else { return .null }
    return .object([
      ("loops", .integer(closure.loopCount)), ("rejected", .integer(closure.rejectedCount)),
      ("misfits", .integer(closure.misfitCount)),
      ("pathMeters", Self.number(closure.pathMeters)),
      ("sigmaMeters", Self.number(closure.sigmaMeters)),
      ("recordedMeters", Self.number(closure.recordedMeters)),
      ("trackedMeters", Self.number(closure.trackedMeters)),
      ("correctedMeters", Self.number(closure.correctedMeters)),
      ("movedMeters", .number(closure.movedMeters)), ("isApplied", .bool(closure.isApplied)),
      ("joinedSurfaces", .integer(closure.joinedCount)),
    ])
  }

  /// The member `depthScale` of `plumbline.fuse/1`: factors of depth against the recorded path.
  var depthScaleDocument: JSONValue {
    guard let depthScale else { return .null }
    let bend = depthBend
    let common = depthScale.commonFactor
    return .object([
      ("depthsMeters", .array(depthScale.knotsMeters.map { .number($0) })),
      ("factors", .array(depthScale.factors.map { .number($0) })),
      (
        "sigmas",
        .array(
          depthScale.factors.indices.map {
            .number(depthScale.covariance[$0, $0].squareRoot())
          })
      ),
      ("commonFactor", Self.number(common?.value)), ("commonSigma", Self.number(common?.sigma)),
      ("bendPerMeter", Self.number(bend?.perMeter)),
      ("bendSigmaPerMeter", Self.number(bend?.sigmaPerMeter)),
      ("scaleBesideBend", Self.number(bend?.commonFactor)),
      ("bendTakenPerMeter", .number(takenBendPerMeter)),
    ])
  }
}
