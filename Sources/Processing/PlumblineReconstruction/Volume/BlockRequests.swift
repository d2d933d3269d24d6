import CKernels
import PlumblineModel

/// Which blocks a frame needs: those that the bands around its surface reach.
struct BlockRequests {
  /// Rows that one task examines.
  private static let rowsPerTask = 16

  /// The keys of the blocks within half the truncation, and at least 2.5 voxels, of the surface along the rays,
  /// sorted.
  ///
  /// Places beyond the reach of keys are left out. Each band is examined in steps of half a block at most.
  ///
  /// - Parameters:
  ///   - frame: A prepared frame.
  ///   - worldFromCamera: Its pose.
  ///   - settings: Those of the volume.
  ///   - stride: Every so many pixels along rows and columns.
  ///   - known: Blocks that are there already, and are left out.
  ///   - threads: The maximum number of threads.
  /// - Returns: Each key once.
  static func keys(
    of frame: FramePixels, worldFromCamera: RigidTransform, settings: VolumeSettings,
    stride: Int = 1, known: BlockIndex = BlockIndex(), threads: Int
  ) -> [BlockKey] {
    let tasks = (Int(frame.frame.height) + rowsPerTask - 1) / rowsPerTask
    var parts = [[UInt64]](repeating: [], count: tasks)
    parts.withUnsafeMutableBufferPointer { parts in
      forEachConcurrently(tasks, threads: threads) { task in
        parts[task] = keys(
          of: frame, rows: task * rowsPerTask..<(task + 1) * rowsPerTask, worldFromCamera,
          settings, stride, known)
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
    _ settings: VolumeSettings, _ stride: Int, _ known: BlockIndex
  ) -> [UInt64] {
    let shared = frame.frame
    let perMeter = 1 / settings.blockMeters
    let at = worldFromCamera.translation * perMeter
    let rotation = worldFromCamera.rowMajor.enumerated().filter { $0.offset % 4 < 3 }
      .map { $0.element * perMeter }
    // A band of two truncations of 8 voxels is 4 blocks long, in steps of half a block: 8 on the axis.
    let corner =
      SIMD2(Double(shared.width), Double(shared.height))
      / SIMD2(Double(shared.focal_x), Double(shared.focal_y))
    let steps = 3 + Int(min(8 * (1 + (corner * corner).sum()).squareRoot(), 1e3))
    var recent = [UInt64](repeating: .max, count: 64)
    var row = [UInt64](repeating: 0, count: steps * Int(shared.width))
    var found: [UInt64] = []
    frame.withKernelPixels { pixels in
      for y in Swift.stride(
        from: rows.lowerBound, to: min(rows.upperBound, Int(shared.height)), by: stride)
      {
        let room = row.count
        let count = withUnsafePointer(to: shared) {
          plb_volume_requests(
            $0, pixels.pixels + y * Int(shared.width), Int32(y), Int32(stride), [at.x, at.y, at.z],
            rotation, &recent, &row, room)
        }
        for key in row[..<count] where known.place(of: BlockKey(bits: key)) == nil {
          found.append(key)
        }
      }
    }
    return sortedOnce(found)
  }
}
