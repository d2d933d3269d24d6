import CKernels
package import PlumblineModel

extension SurfaceVolume {
  /// Adds a frame.
  ///
  /// Each pixel with a depth and a finite noise above 0 stands for its tangent plane, whose slope is taken from
  /// the neighbors that are one surface with it (5 % of the depth); a pixel whose measured neighbors are all
  /// other surfaces is left out, since its slope is not known. A voxel takes the distance d to the plane of
  /// the pixel that it projects into: d̄ += w (d − d̄) / (W + w), W += w, with w = cos²/σ² and the factor of
  /// ``VolumeSettings/correlationSeconds``. The truncation τ is 3 √(σ² + shared²), at least 2.5 and at most 8
  /// voxels; weights fall from a third of it behind the surface to 0 at all of it, and are 0 from 2 τ behind it along
  /// the ray. In front of τ space is free: that changes only voxels behind a surface (d̄ < 0), which take τ with bounded weight, and is not said by
  /// pixels beside a nearer surface.
  ///
  /// - Parameters:
  ///   - frame: Depth with its noise.
  ///   - worldFromCamera: The pose; the frame's own is not used. A pose that is not finite adds nothing.
  ///   - threads: The maximum number of threads; the result has the same bytes for any.
  /// - Throws: When blocks beyond the limit are needed; the volume is then as before.
  /// - Complexity: O(pixels + voxels seen); a test for each 64 blocks of the volume besides.
  package mutating func integrate(
    _ frame: ScanFrame, worldFromCamera: RigidTransform, threads: Int
  ) throws(VolumeLimitError) {
    let seconds = frame.timestampSeconds.flatMap { $0.isFinite ? $0 : nil }
    let prepared = FramePixels.prepare(
      frame, after: frameCount, settings: settings, timeWeight: timeWeight(of: seconds),
      threads: threads)
    let wanted = BlockRequests.keys(
      of: prepared, worldFromCamera: worldFromCamera, settings: settings, known: index,
      threads: threads)
    try add(wanted)
    update(
      by: prepared,
      FrameView(
        cameraFromWorld: worldFromCamera.inverse, cameraInWorld: worldFromCamera.translation,
        seconds: seconds, shared: frame.shared),
      threads: threads)
    frameCount += 1
    independentFrames += Double(prepared.frame.time_weight)
    if let seconds { lastSeconds = seconds }
  }

  /// The factor of a frame that follows the last one so soon that they share their errors.
  private func timeWeight(of seconds: Double?) -> Double {
    guard let seconds, let lastSeconds, settings.correlationSeconds > 0 else { return 1 }
    // Times that go back, or repeat, say nothing new; a weight of 0 would lose the frame in silence.
    return min(1, max(0.01, abs(seconds - lastSeconds) / settings.correlationSeconds))
  }

  /// Blocks that one task updates.
  private static let blocksPerUpdate = 32

  /// Updates all blocks that the frame sees; each is in one task.
  private mutating func update(by prepared: FramePixels, _ view: FrameView, threads: Int) {
    let seen = seenBlocks(prepared.tiles, view, threads: threads)
    if prepared.hasColor {
      for slab in slabs.indices { slabs[slab].addColors() }
    }
    let update = BlockUpdate(prepared, view, voxel: settings.voxelMeters)
    let keys = keys
    states.withUnsafeMutableBufferPointer { states in
      BlockSlab.withMutableVoxels(&slabs) { voxels in
        prepared.withKernelPixels { pixels in
          let each = SurfaceVolume.blocksPerUpdate
          forEachConcurrently((seen.count + each - 1) / each, threads: threads) { task in
            for block in seen[task * each..<min(seen.count, (task + 1) * each)] {
              update.run(
                keys[block.place], &states[block.place], block, voxels, pixels)
            }
          }
        }
      }
    }
  }

  /// Groups of blocks that one task examines.
  private static let groupsPerTask = 16

  /// The blocks that a frame can change, in the order of their places.
  private func seenBlocks(_ tiles: FrameDepthTiles, _ view: FrameView, threads: Int) -> [SeenBlock]
  {
    let voxel = settings.voxelMeters
    let tasks = (groups.count + SurfaceVolume.groupsPerTask - 1) / SurfaceVolume.groupsPerTask
    var parts = [[SeenBlock]](repeating: [], count: tasks)
    parts.withUnsafeMutableBufferPointer { parts in
      forEachConcurrently(tasks, threads: threads) { task in
        let first = task * SurfaceVolume.groupsPerTask
        for group in first..<min(groups.count, first + SurfaceVolume.groupsPerTask) {
          let (center, radius) = groups[group].ball
          let inCamera = view.cameraFromWorld * (center * voxel)
          guard tiles.sight(center: inCamera, radius: radius * voxel) != nil else { continue }
          let start = group * BlockGroup.blockCount
          for place in start..<min(keys.count, start + BlockGroup.blockCount) {
            let center = view.cameraFromWorld * ((keys[place].firstVoxel + 3.5) * voxel)
            // From the middle to the corner voxels: 3.5 √3 = 6.07.
            let radius = 6.1 * voxel
            guard let sight = tiles.sight(center: center, radius: radius),
              states[place].hasSolid || sight.nearest < Float(center.z + radius)
            else { continue }
            parts[task].append(SeenBlock(place: place, sight: sight))
          }
        }
      }
    }
    return parts.flatMap { $0 }
  }
}

/// A block that a frame can change, and what the pixels there say.
private struct SeenBlock {
  let place: Int
  let sight: FrameDepthTiles.Sight
}

/// Where a frame was taken, and when.
private struct FrameView {
  let cameraFromWorld: RigidTransform
  let cameraInWorld: SIMD3<Double>
  let seconds: Double?
  let shared: SigmaCurve
}

/// The update of blocks by one frame.
private struct BlockUpdate {
  private let prepared: FramePixels
  private let view: FrameView
  private let voxel: Double
  /// The axes of one voxel in the camera, in meters.
  private let steps: [Float]

  init(_ prepared: FramePixels, _ view: FrameView, voxel: Double) {
    self.prepared = prepared
    self.view = view
    self.voxel = voxel
    let rotation = view.cameraFromWorld.rotation
    steps = [rotation.x, rotation.y, rotation.z].flatMap { axis in
      [Float(axis.x * voxel), Float(axis.y * voxel), Float(axis.z * voxel)]
    }
  }

  /// Updates one block.
  func run(
    _ key: BlockKey, _ state: inout BlockState, _ seen: SeenBlock, _ slabs: [MutableVoxels],
    _ pixels: plb_volume_pixels
  ) {
    let slab = slabs[seen.place / BlockSlab.blockCount]
    let number = seen.place % BlockSlab.blockCount
    guard let values = slab.values.baseAddress else { return }
    var pixels = pixels
    let colors = prepared.hasColor ? slab.colors.baseAddress : nil
    let first = view.cameraFromWorld * (key.firstVoxel * voxel)
    var block = plb_volume_block(
      origin: (Float(first.x), Float(first.y), Float(first.z)), nearest: seen.sight.nearest,
      farthest: seen.sight.farthest, solid_rows: state.solidRows)
    let change = withUnsafePointer(to: prepared.frame) {
      plb_volume_integrate(
        $0, &pixels, steps, &block, values + number * BlockSlab.valuesPerBlock,
        colors.map { $0 + number * BlockSlab.colorsPerBlock })
    }
    state.solidRows = change.solid_rows
    guard change.near > 0 else { return }
    let center = (key.firstVoxel + 3.5) * voxel
    let ray = view.cameraInWorld - center
    let length = max((ray * ray).sum().squareRoot(), voxel)
    let depth = max((view.cameraFromWorld * center).z, 0.1 * length)
    let shared = view.shared.sigmaMeters(atDepth: depth)
    // An error along the axis moves the plane by `along` of it, n · (x/z, y/z, 1): its fourth power over the squared
    // length of that ray is the kernel's variance, in units of 1/weight.
    let along2 = Double(change.variance / change.weight).squareRoot() * length / depth
    state.add(
      weight: change.weight, variance: change.variance, voxels: Float(change.near),
      timeWeight: prepared.frame.time_weight)
    state.shared.add(
      sigmaMeters: shared * along2.squareRoot(), weight: Double(change.weight),
      direction: ray / length, seconds: view.seconds)
  }
}
