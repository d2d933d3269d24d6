import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction

extension Scan {
  /// The pose of each frame with its covariance, to be written or given to ``Recording/posed(by:)``.
  ///
  /// The pose of a surface's first frame is given, as the recording has it or as the origin, so its covariance is
  /// nearly 0; those of the others are relative to the surface that was fused when they came. What the depths of
  /// all frames share, such as their scale, is not in it. Linear in the frames.
  public var poses: RecordingPoses {
    RecordingPoses(
      frames: trajectory.frames.map { frame in
        let surface = surfaceNumber(of: frame)
        let estimate = surface == nil ? nil : frame.estimate
        return RecordingPoses.Frame(
          name: frameNames[frame.index], timestampSeconds: frame.timestampSeconds,
          worldFromCamera: estimate?.aFromB, covariance: estimate?.covariance.values,
          state: frame.state.word, surface: surface)
      },
      worldAxes: frame == .camera ? .unknown : axes, basis: "a scan")
  }

  /// The number of the surface that a frame is part of, from 1 on; `nil` for none.
  func surfaceNumber(of frame: TrackedFrame) -> Int? {
    guard frame.isFused else { return nil }
    return fragments.firstIndex { $0.number == frame.fragment }.map { $0 + 1 }
  }
}
