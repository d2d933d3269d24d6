import CKernels
import PlumblineModel

/// Which blocks a frame needs: those that the bands around its surface reach.
struct BlockRequests {
  /// Pixels across, and rows, that one task examines.
  private static let rowsPerTask = 16

  /// The keys of the blocks that lie within the truncation of the surface along the rays, sorted.
  ///
  /// Places beyond the reach of keys are left out. Each band is examined in steps of half a block at most.
  ///
  /// - Parameters:
  ///   - frame: A prepared frame.
  ///   - worldFromCamera: Its pose.
  ///   - settings: Those of the volume.
  ///   - stride: Every so many pixels along rows and columns.
  ///   - threads: The maximum number of threads.
  /// - Returns: Each key once.
  static func keys(
    of frame: FramePixels, worldFromCamera: RigidTransform, settings: VolumeSettings,
    stride: Int = 1, threads: Int
  ) -> [BlockKey] {
    let tasks = (Int(frame.frame.height) + rowsPerTask - 1) / rowsPerTask
    var parts = [[UInt64]](repeating: [], count: tasks)
    parts.withUnsafeMutableBufferPointer { parts in
      forEachConcurrently(tasks, threads: threads) { task in
        parts[task] = keys(
          of: frame, rows: task * rowsPerTask..<(task + 1) * rowsPerTask, worldFromCamera,
          settings, stride)
      }
    }
    return sortedOnce(parts.flatMap { $0 }).map(BlockKey.init(bits:))
  }

  private static func sortedOnce(_ keys: [UInt64]) -> [UInt64] {
    var result: [UInt64] = []
    for key in keys.sorted() where key != result.last { result.append(key) }
    return result
  }

  private static func keys(
    of frame: FramePixels, rows: Range<Int>, _ worldFromCamera: RigidTransform,
    _ settings: VolumeSettings, _ stride: Int
  ) -> [UInt64] {
    let shared = frame.frame
    let width = Int(shared.width)
    let perMeter = 1 / settings.blockMeters
    let origin = worldFromCamera.translation * perMeter
    let rotation = worldFromCamera.rotation
    // The last key at each of 64 places of a small table: most pixels repeat the key of a neighbor.
    var recent = [UInt64](repeating: .max, count: 64)
    var found: [UInt64] = []
    frame.pixels.withUnsafeBufferPointer { pixels in
      for y in Swift.stride(
        from: rows.lowerBound, to: min(rows.upperBound, Int(shared.height)), by: stride)
      {
        for x in Swift.stride(from: 0, to: width, by: stride) {
          let pixel = pixels[y * width + x]
          guard pixel.weight > 0 else { continue }
          let ray = SIMD3(
            (Double(x) - Double(shared.center_x)) / Double(shared.focal_x),
            (Double(y) - Double(shared.center_y)) / Double(shared.focal_y), 1)
          let direction = (rotation * ray) * perMeter
          let depth = 1 / Double(pixel.inverse_depth)
          // Along the axis: the truncation over the cosine, at most twice of it at slanted surfaces.
          let tau = Double(pixel.truncation)
          let reach = min(tau * depth / Double(pixel.plane_distance), 2 * tau)
          let steps = max(
            2, Int((4 * reach * (ray * ray).sum().squareRoot() * perMeter).rounded(.up)))
          for step in 0...steps {
            let z = depth + reach * (2 * Double(step) / Double(steps) - 1)
            guard z > 0, let key = BlockKey(containing: origin + direction * z) else { continue }
            let slot = Int((key.bits ^ key.bits >> 19 ^ key.bits >> 38) & 63)
            guard recent[slot] != key.bits else { continue }
            recent[slot] = key.bits
            found.append(key.bits)
          }
        }
      }
    }
    return sortedOnce(found)
  }
}
