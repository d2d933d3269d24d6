import PlumblineGeometry
import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings

extension ScanRun {
  /// Makes the surfaces, of frames whose poses have these axes.
  func finish(_ axes: WorldAxes) throws -> Scan {
    let path = corrected?.trajectory ?? fuser.trajectory
    let volumes = corrected?.volumes ?? fuser.fragments
    guard path.frames.contains(where: \.isFused) else {
      throw ScanError.noFrame(
        frameCount: doneCount, firstReason: leftOut.first?.reason ?? "there are none")
    }
    let extent = FrameExtent.middle(of: extents)
    let keyframes = fuser.keyframes.keyframes
    let scales = DepthScaleEstimation()
    let pairs = scales.pairs(of: keyframes, threads: settings.threads)
    let depthScale = scales.estimated(pairs)
    let recorded =
      settings.refinesPoses
      ? nil
      : RecordedPath(
        drift: .measured(by: keyframes, threads: settings.threads), keyframeCount: keyframes.count,
        depthScale: depthScale?.commonFactor)
    var fragments: [Scan.Fragment] = []
    for (number, volume) in volumes.enumerated() {
      guard let extent, let fragment = try fragment(number, of: volume, path, extent, recorded)
      else {
        continue
      }
      fragments.append(fragment)
    }
    guard let extent, !fragments.isEmpty else {
      throw ScanError.noSurface(fusedCount: path.frames.count { $0.isFused })
    }
    fragments.sort { $0.frameCount > $1.frameCount }
    var scan = Scan(
      fragments: fragments, frameNames: names, trajectory: path, leftOut: leftOut,
      givenCount: doneCount, voxelMeters: voxels.volume.voxelMeters, voxelReason: voxels.reason,
      volumeBytes: volumes.reduce(0) { $0 + $1.memoryBytes }, wasStopped: wasStopped,
      scaleSigma: reader.law.shared.perMeter, noiseBasis: reader.law.basis,
      extent: extent, axes: axes, assessment: reader.law.assessment)
    scan.closure = closureSummary
    if fuser.sensors.frameCount > 0, let sigma = fuser.sensors.sigmaRadians {
      scan.motionSensors = .init(frameCount: fuser.sensors.frameCount, sigmaRadians: sigma)
    }
    scan.depthScale = depthScale
    scan.depthBend = scales.bend(pairs)
    scan.takenBendPerMeter = settings.depthBendPerMeter
    if settings.measuresConsistency {
      scan.consistency = ScanConsistency.measured(
        path, places: places, reader: reader, threads: settings.threads)
    }
    return scan
  }

  /// The surface of a volume with its errors; `nil` without triangles.
  private func fragment(
    _ number: Int, of volume: SurfaceVolume, _ path: Trajectory, _ extent: FrameExtent,
    _ recorded: RecordedPath?
  ) throws -> Scan.Fragment? {
    var surface = try volume.surface(threads: settings.threads)
    guard !surface.mesh.triangles.isEmpty else { return nil }
    let frames = path.frames.filter { $0.isFused && $0.fragment == number }
    let errors = SurfaceErrors.shared(
      by: surface.errors, drift: drift(of: frames, number, path, extent), extent: extent,
      depthScale: reader.law.shared.perMeter, recorded: recorded)
    surface.mesh.sigmaMeters = surface.errors.sigmaMeters(with: errors)
    var viewCounts = [Int](repeating: 0, count: Scan.Fragment.mostViews + 1)
    for views in surface.errors.views {
      viewCounts[Int(min(views, Float(Scan.Fragment.mostViews)).rounded())] += 1
    }
    return Scan.Fragment(
      mesh: surface.mesh, frameCount: frames.count, number: number, errors: errors,
      commonSigmaMeters: surface.errors.commonVariance(with: errors).squareRoot(),
      viewCounts: viewCounts)
  }

  /// The variance of the places that a surface's views see.
  private func drift(
    of frames: [TrackedFrame], _ number: Int, _ path: Trajectory, _ extent: FrameExtent
  ) -> Double {
    let depth = extent.depthMeters
    let (noise, slow) = (
      reader.law.noise.sigmaMeters(atDepth: depth), reader.slow.sigmaMeters(atDepth: depth)
    )
    let variance = noise * noise + slow * slow
    let drift = PlaceDrift(
      depthMeters: depth, sharedShare: variance > 0 ? slow * slow / variance : 0)
    // The covariances of corrected poses are relative to the first one; those of the track are relative to the surface.
    return isCorrectedByLoops(number, path)
      ? drift.variance(ofRelative: frames)
      : drift.variance(ofTracked: frames.map { fuser.trajectory.frames[$0.index] })
  }

  /// Whether loops corrected the poses of a surface.
  private func isCorrectedByLoops(_ number: Int, _ path: Trajectory) -> Bool {
    guard corrected != nil, let closure else { return false }
    return closure.loops.contains { loop in
      loop.isKept && path.frames[loop.first].fragment == number
        && path.frames[loop.second].fragment == number
    }
  }
}
