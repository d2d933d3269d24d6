import PlumblineIO
import PlumblineModel
import PlumblineReconstruction
public import PlumblineVerification

extension Scan {
  /// How well overlapping frames agree at recorded and at refined poses, the same frames at fixed gaps of time.
  public struct Consistency: Sendable, Hashable {
    /// At the recorded poses; `nil` without them.
    public var recorded: PoseConsistency?
    /// At the poses of the scan.
    public var refined: PoseConsistency?
  }

  /// The member `consistency` of `plumbline.fuse/1`.
  var consistencyDocument: JSONValue {
    guard let consistency else { return .null }
    return .object([
      ("recorded", Self.document(of: consistency.recorded)),
      ("refined", Self.document(of: consistency.refined)),
    ])
  }

  private static func document(of consistency: PoseConsistency?) -> JSONValue {
    guard let consistency else { return .null }
    return .object([
      ("gaps", .array(consistency.gaps.map(document(of:)))),
      ("revisits", consistency.revisits.map(document(of:)) ?? .null),
    ])
  }

  private static func document(of gap: PoseConsistency.Gap) -> JSONValue {
    .object([
      ("seconds", number(gap.seconds)), ("pairs", .integer(gap.pairCount)),
      ("meanMedianMeters", .number(gap.meanMedianMeters)),
      ("medianMeters", .number(gap.medianMeters)),
      ("percentile95Meters", .number(gap.percentile95Meters)),
      ("medianSigmas", number(gap.medianSigmas)), ("beyondShare", .number(gap.beyondShare)),
    ])
  }
}

/// Compares the frames of the largest surface at their recorded and their refined poses.
enum ScanConsistency {
  /// Reads the frames of at most 288 pairs.
  static func measured(
    _ path: Trajectory, places: [Int], reader: ScanFrameReader, threads: Int
  ) -> Scan.Consistency? {
    let assessor = PoseAssessor(threads: threads)
    func measured(_ pose: (TrackedFrame) -> RigidTransform?) -> PoseConsistency? {
      assessor.consistency(path.frames.map { ($0.timestampSeconds, pose($0)) }) { index, pose in
        reader.posedDepth(at: places[index], worldFromCamera: pose)
      }
    }
    let counts = path.frames.reduce(into: [Int: Int]()) { counts, frame in
      if frame.isFused { counts[frame.fragment, default: 0] += 1 }
    }
    let largest = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    let found = Scan.Consistency(
      recorded: measured {
        $0.isFused && $0.fragment == largest ? $0.recordedWorldFromCamera : nil
      },
      refined: measured { $0.isFused && $0.fragment == largest ? $0.estimate?.aFromB : nil })
    return found.recorded == nil && found.refined == nil ? nil : found
  }
}
