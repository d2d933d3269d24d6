internal import CKernels
package import PlumblineModel

extension ScanFrame {
  /// The surface that this frame itself sees, for registration from frame to frame.
  ///
  /// Normals come from the differences of neighbors; the ± along a normal is the share of the pixel's own noise
  /// that lies along it. The shared error is left to the frame that is registered.
  ///
  /// - Parameters:
  ///   - worldFromCamera: The pose of this frame.
  ///   - threads: At least 1; the result does not depend on it.
  /// - Returns: A view of the frame's size; color only where it has the size of the map. Cost: O(pixels).
  package func surfaceView(worldFromCamera: RigidTransform, threads: Int) -> SurfaceView {
    let size = depth.size
    var normals = [PackedPoint](
      repeating: PackedPoint(x: .nan, y: .nan, z: .nan), count: size.pixelCount)
    var sigma = [Float](repeating: .nan, count: size.pixelCount)
    normals.withUnsafeMutableBytes { normalBytes in
      sigma.withUnsafeMutableBufferPointer { sigma in
        guard let normalBase = normalBytes.bindMemory(to: Float.self).baseAddress,
          let sigmaBase = sigma.baseAddress
        else { return }
        withKernelFrame { kernel in
          let rowsEach = 16
          forEachConcurrently((size.height + rowsEach - 1) / rowsEach, threads: threads) { part in
            for row in part * rowsEach..<min(size.height, (part + 1) * rowsEach) {
              withUnsafePointer(to: kernel) {
                plb_tracking_normals_row(
                  $0, Int32(row), normalBase + 3 * row * size.width, sigmaBase + row * size.width)
              }
            }
          }
        }
      }
    }
    return SurfaceView(
      depth: depth, normals: Raster(size: size, samples: normals),
      sigmaMeters: Raster(size: size, samples: sigma), color: color?.size == size ? color : nil,
      camera: camera, worldFromCamera: worldFromCamera)
  }

  /// The camera of the surface that this frame is registered to: of half the size, since every second column and row
  /// of the frame is used, and each pixel of the surface is a plane.
  var viewCamera: PinholeIntrinsics {
    let size = camera.size
    guard size.width >= 64, size.height >= 64 else { return camera }
    return camera.scaled(
      to: RasterSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2))
  }
}
