import PlumblineModel
import PlumblineReconstruction

/// The second pass of a scan: frames at the poses that its loops correct.
struct CorrectedScan {
  /// The corrected poses, and the surfaces that frames belong to.
  var trajectory: Trajectory
  /// The surfaces, by the numbers of the first pass; those that became part of another one are empty.
  var volumes: [SurfaceVolume]
}

extension ScanRun {
  /// Looks for loops, and prepares a second pass where they move the surface.
  ///
  /// - Returns: The frames to be fused again, those of ``FusionPace``, as the trajectory counts them; none where the
  ///   surfaces stay: without a kept loop, or where no keyframe's view moves by more than a voxel and no surfaces
  ///   are joined.
  mutating func closeLoops() -> [Int] {
    guard settings.closesLoops, settings.refinesPoses, !wasStopped else { return [] }
    let found = LoopCloser(threads: settings.threads).closed(fuser.keyframes.keyframes)
    closure = found
    guard found.joinsFragments || found.movedMeters > voxels.volume.voxelMeters else { return [] }
    let trajectory = fuser.trajectory.corrected(by: found)
    corrected = CorrectedScan(
      trajectory: trajectory,
      volumes: fuser.fragments.map { _ in SurfaceVolume(voxels.volume) })
    // Frames between fused ones are not even read again.
    var paces = fuser.fragments.map { _ in FusionPace(Self.limits) }
    return trajectory.frames.indices.filter { index in
      let frame = trajectory.frames[index]
      guard frame.isFused, let pose = frame.estimate?.aFromB else { return false }
      return paces[frame.fragment].takes(seconds: frame.timestampSeconds, worldFromCamera: pose)
    }
  }

  /// Fuses a frame at its corrected pose; one that cannot be read any more is left out.
  mutating func fuseAgain(
    _ index: Int, _ frame: Result<ScanFrame, ScanFrameReader.Unusable>, named name: String
  ) throws {
    guard let tracked = corrected?.trajectory.frames[index],
      let pose = tracked.estimate?.aFromB
    else { return }
    switch frame {
    case .failure(let reason):
      leftOut.append(Scan.LeftOutFrame(name: name, reason: reason.text))
      corrected?.trajectory.frames[index].state = .skipped
    case .success(let frame):
      do {
        try corrected?.volumes[tracked.fragment].integrate(
          frame, worldFromCamera: pose, threads: settings.threads)
      } catch {
        throw voxels.error(error)
      }
    }
  }

  /// The loops as the scan reports them; `nil` where they were not looked for.
  var closureSummary: Scan.Closure? {
    closure.map { found in
      let longest = found.longest
      return Scan.Closure(
        loopCount: found.loops.count { $0.isKept },
        rejectedCount: found.loops.count { !$0.isKept }, misfitCount: found.misfitCount,
        pathMeters: longest?.pathMeters, sigmaMeters: longest?.sigmaMeters,
        recordedMeters: longest?.recordedMeters,
        trackedMeters: longest?.trackedMeters, correctedMeters: longest?.correctedMeters,
        movedMeters: found.movedMeters, isApplied: corrected != nil,
        joinedCount: Set(found.surfaces.indices).count - Set(found.surfaces).count)
    }
  }
}
