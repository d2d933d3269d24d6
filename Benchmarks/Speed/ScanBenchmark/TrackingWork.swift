import PlumblineModel
import PlumblineReconstruction
import Synchronization

/// Tracks and fuses the frames of a file as `fuse` does, and prints one line of JSON: milliseconds a frame of all, of
/// drawing views, of fusing, and of looking for loops at the end; the path, and how frames 1 and 4 s apart agree.
enum TrackingWork {
  static func run(
    _ frames: [ScanFrame], _ voxel: Double, _ threads: Int, fusionSeconds: Double, viewFrames: Int
  ) throws {
    let spent = Mutex(Spent())
    let settings = VolumeSettings(voxelMeters: voxel)
    var limits = FusionLimits()
    limits.viewFrames = viewFrames
    limits.fusionSeconds = fusionSeconds
    var fuser = ScanFuser(limits: limits) {
      TimedVolume(volume: SurfaceVolume(settings)) { work, used in
        spent.withLock { $0.add(work, used) }
      }
    }
    let all = try Usage.of {
      for frame in frames { try fuser.add(frame, threads: threads) }
    }
    let loops = Usage.of {
      _ = LoopCloser(threads: threads).closed(fuser.keyframes.keyframes)
    }
    let fused = fuser.trajectory.frames.filter(\.isFused)
    let end = fused.last?.estimate?.aFromB.translation ?? .zero
    let residual = fused.compactMap { $0.quality?.medianMeters }.sorted()
    let count = Double(frames.count)
    let parts = spent.withLock { $0 }
    print(
      "{\"frames\": \(frames.count), \"fused\": \(fused.count), \"views\": \(parts.viewCount), "
        + "\"wall_ms\": \(all.wall / count), \"processor_ms\": \(all.processor / count), "
        + "\"view_wall_ms\": \(parts.view.wall / count), "
        + "\"view_processor_ms\": \(parts.view.processor / count), "
        + "\"fuse_wall_ms\": \(parts.fusion.wall / count), "
        + "\"fuse_processor_ms\": \(parts.fusion.processor / count), "
        + "\"loops_wall_ms\": \(loops.wall), \"loops_processor_ms\": \(loops.processor), "
        + "\"path_m\": \(fuser.trajectory.pathLengthMeters), "
        + "\"end_m\": [\(end.x), \(end.y), \(end.z)], "
        + "\"residual_m\": \(residual.isEmpty ? 0 : residual[residual.count / 2]), "
        + "\"apart_1s_m\": \(disagreement(frames, fuser.trajectory, seconds: 1)), "
        + "\"apart_4s_m\": \(disagreement(frames, fuser.trajectory, seconds: 4))}")
  }

  /// The mean over pairs of frames so far apart of the median difference of their depths, in meters.
  private static func disagreement(
    _ frames: [ScanFrame], _ trajectory: Trajectory, seconds: Double
  ) -> Double {
    var medians: [Double] = []
    for first in stride(from: 0, to: frames.count, by: 15) {
      guard let start = frames[first].timestampSeconds,
        let second = frames.indices.first(where: {
          frames[$0].timestampSeconds.map { $0 - start >= seconds } ?? false
        }), let a = trajectory.frames[first].estimate?.aFromB,
        let b = trajectory.frames[second].estimate?.aFromB
      else { continue }
      let differences = FrameOverlap.samples(
        of: frames[second], in: frames[first], iFromJ: a.inverse * b, stride: 4
      ).map { abs($0.differenceMeters) }.filter { $0 < FrameOverlap.limitMeters }.sorted()
      if differences.count >= 100 { medians.append(differences[differences.count / 2]) }
    }
    return medians.reduce(0, +) / Double(max(medians.count, 1))
  }

  fileprivate enum Work {
    case view
    case fusion
  }

  private struct Spent {
    var view = Usage(wall: 0, processor: 0)
    var fusion = Usage(wall: 0, processor: 0)
    var viewCount = 0

    mutating func add(_ work: Work, _ used: Usage) {
      switch work {
      case .view:
        view += used
        viewCount += 1
      case .fusion: fusion += used
      }
    }
  }
}

/// A volume that tells what its work took.
private struct TimedVolume: FusedModel {
  var volume: SurfaceVolume
  let report: @Sendable (TrackingWork.Work, Usage) -> Void

  mutating func integrate(
    _ frame: ScanFrame, worldFromCamera: RigidTransform, threads: Int
  ) throws {
    let used = try Usage.of {
      try volume.integrate(frame, worldFromCamera: worldFromCamera, threads: threads)
    }
    report(.fusion, used)
  }

  func view(
    camera: PinholeIntrinsics, worldFromCamera: RigidTransform, threads: Int
  ) -> SurfaceView {
    var view: SurfaceView?
    let used = Usage.of {
      view = volume.view(camera: camera, worldFromCamera: worldFromCamera, threads: threads)
    }
    report(.view, used)
    guard let view else { preconditionFailure("a view that was not drawn") }
    return view
  }
}
