import CKernels
package import PlumblineModel

extension SurfaceVolume {
  /// Adds a frame.
  ///
  /// Each pixel with a depth and a finite noise above 0 stands for its tangent plane, whose slope is taken from
  /// the neighbors that are one surface with it (5 % of the depth). A voxel takes the distance d to the plane of
  /// the pixel that it projects into: d̄ += w (d − d̄) / (W + w), W += w, with w = cos²/σ² and the factor of
  /// ``VolumeSettings/correlationSeconds``. The truncation τ is 3 √(σ² + shared²), at least 2.5 and at most 8
  /// voxels; weights fall from a third of it behind the surface to 0 at all of it; in front of it the voxel is
  /// free and takes τ with bounded weight, in blocks that exist.
  ///
  /// - Parameters:
  ///   - frame: Depth with its noise.
  ///   - worldFromCamera: The pose; the frame's own is not used. A pose that is not finite adds nothing.
  ///   - threads: The maximum number of threads; the result has the same bytes for any.
  /// - Throws: When blocks beyond the limit are needed; the volume is then as before.
  /// - Complexity: O(pixels + blocks of the volume + voxels seen).
  package mutating func integrate(
    _ frame: ScanFrame, worldFromCamera: RigidTransform, threads: Int
  ) throws(VolumeLimitError) {
    let seconds = frame.timestampSeconds.flatMap { $0.isFinite ? $0 : nil }
    let prepared = FramePixels.prepare(
      frame, settings: settings, timeWeight: timeWeight(of: seconds), threads: threads)
    let wanted = BlockRequests.keys(
      of: prepared, worldFromCamera: worldFromCamera, settings: settings, threads: threads)
    try add(wanted.filter { index.place(of: $0) == nil })
    update(
      by: prepared,
      FrameTask(
        tiles: FrameDepthTiles.make(of: prepared), cameraFromWorld: worldFromCamera.inverse,
        cameraInWorld: worldFromCamera.translation, seconds: seconds,
        shared: frame.shared),
      threads: threads)
    frameCount += 1
    if let seconds { lastSeconds = seconds }
  }

  /// The factor of a frame that follows the last one so soon that they share their errors.
  private func timeWeight(of seconds: Double?) -> Double {
    guard let seconds, let lastSeconds, settings.correlationSeconds > 0 else { return 1 }
    // Times that go back, or repeat, say nothing new; a weight of 0 would lose the frame in silence.
    return min(1, max(0.01, abs(seconds - lastSeconds) / settings.correlationSeconds))
  }

  private struct FrameTask {
    let tiles: FrameDepthTiles
    let cameraFromWorld: RigidTransform
    let cameraInWorld: SIMD3<Double>
    let seconds: Double?
    let shared: SigmaCurve
  }

  /// Updates all blocks that the frame sees, each slab by one task.
  private mutating func update(by prepared: FramePixels, _ task: FrameTask, threads: Int) {
    let (keys, voxel) = (keys, settings.voxelMeters)
    let rotation = task.cameraFromWorld.rotation
    let steps = [rotation.x, rotation.y, rotation.z].flatMap { axis in
      [Float(axis.x * voxel), Float(axis.y * voxel), Float(axis.z * voxel)]
    }
    slabs.withUnsafeMutableBufferPointer { slabs in
      prepared.pixels.withUnsafeBufferPointer { pixels in
        forEachConcurrently(slabs.count, threads: threads) { slab in
          let first = slab * BlockSlab.blockCount
          for place in first..<min(keys.count, first + BlockSlab.blockCount) {
            SurfaceVolume.update(
              &slabs[slab], block: place - first, key: keys[place], voxel: voxel, steps: steps,
              prepared, pixels, task)
          }
        }
      }
    }
  }

  private static func update(
    _ slab: inout BlockSlab, block: Int, key: BlockKey, voxel: Double, steps: [Float],
    _ prepared: FramePixels, _ pixels: UnsafeBufferPointer<plb_volume_pixel>, _ task: FrameTask
  ) {
    let centerInWorld = (key.firstVoxel + 3.5) * voxel
    let center = SIMD3<Float>(task.cameraFromWorld * centerInWorld)
    // From the middle to the corner voxels: 3.5 √3 = 6.07.
    guard task.tiles.canSee(center: center, radius: Float(6.1 * voxel)) else { return }
    let origin = SIMD3<Float>(task.cameraFromWorld * (key.firstVoxel * voxel))
    if prepared.hasColor && slab.colors.isEmpty {
      slab.colors = Array(repeating: 0, count: BlockSlab.blockCount * BlockSlab.colorsPerBlock)
    }
    let near = run(
      prepared, pixels, origin, steps, block: block, &slab.values, &slab.colors)
    guard near > 0 else { return }
    let ray = task.cameraInWorld - centerInWorld
    let length = (ray * ray).sum().squareRoot()
    let sigma = task.shared.sigmaMeters(atDepth: Double(max(0, center.z)))
    slab.views[block].add(
      sharedVariance: Float(sigma * sigma), direction: SIMD3<Float>(ray / max(length, voxel)),
      seconds: task.seconds)
  }

  private static func run(
    _ prepared: FramePixels, _ pixels: UnsafeBufferPointer<plb_volume_pixel>,
    _ origin: SIMD3<Float>, _ steps: [Float], block: Int, _ values: inout [Float],
    _ colors: inout [UInt16]
  ) -> Int {
    values.withUnsafeMutableBufferPointer { values in
      colors.withUnsafeMutableBufferPointer { colors in
        call(
          prepared.frame, pixels, origin, steps,
          values.baseAddress.map { $0 + block * BlockSlab.valuesPerBlock },
          colors.isEmpty || !prepared.hasColor
            ? nil : colors.baseAddress.map { $0 + block * BlockSlab.colorsPerBlock })
      }
    }
  }

  /// The kernel on one block.
  private static func call(
    _ frame: plb_volume_frame, _ pixels: UnsafeBufferPointer<plb_volume_pixel>,
    _ origin: SIMD3<Float>, _ steps: [Float], _ values: UnsafeMutablePointer<Float>?,
    _ colors: UnsafeMutablePointer<UInt16>?
  ) -> Int {
    guard let pixels = pixels.baseAddress, let values else { return 0 }
    return withUnsafePointer(to: frame) { frame in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 3) { start in
        guard let place = start.baseAddress else { return 0 }
        place.initialize(to: origin.x)
        (place + 1).initialize(to: origin.y)
        (place + 2).initialize(to: origin.z)
        return Int(plb_volume_integrate(frame, pixels, place, steps, values, colors))
      }
    }
  }
}
