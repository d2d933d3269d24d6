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
    var fragments: [Scan.Fragment] = []
    for (number, volume) in volumes.enumerated() {
      guard let extent, let fragment = try fragment(number, of: volume, path, extent) else {
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
    let scales = DepthScaleEstimation()
    let pairs = scales.pairs(of: fuser.keyframes.keyframes, threads: settings.threads)
    scan.depthScale = scales.estimated(pairs)
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
    _ number: Int, of volume: SurfaceVolume, _ path: Trajectory, _ extent: FrameExtent
  ) throws -> Scan.Fragment? {
    var surface = try volume.surface(threads: settings.threads)
    guard !surface.mesh.triangles.isEmpty else { return nil }
    let frames = path.frames.filter { $0.isFused && $0.fragment == number }
    // The covariances of corrected poses are relative to the first one; those of the track add up.
    let errors = SurfaceErrors.shared(
      by: surface.errors, frames: frames.map { fuser.trajectory.frames[$0.index] },
      loops: loops(of: number, path), extent: extent, depthScale: reader.law.shared.perMeter,
      isRefined: settings.refinesPoses)
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

  /// The loops that corrected the poses of a surface.
  private func loops(of number: Int, _ path: Trajectory) -> [LoopClosure.Loop] {
    guard corrected != nil, let closure else { return [] }
    return closure.loops.filter { loop in
      loop.isKept && path.frames[loop.first].fragment == number
        && path.frames[loop.second].fragment == number
    }
  }
}
