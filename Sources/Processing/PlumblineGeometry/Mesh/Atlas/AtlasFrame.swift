package import PlumblineModel

/// A photo with its place, from which a surface is colored.
package struct AtlasFrame: Sendable {
  /// The photo, non-linear as stored, free from lens distortion.
  package let color: Raster<RGB8>
  /// The camera of the photo, at its size.
  package let camera: PinholeIntrinsics
  /// The place of the camera in the frame of the mesh.
  package let worldFromCamera: RigidTransform

  /// Collects a frame.
  ///
  /// - Precondition: The photo has pixels and the size of the camera.
  package init(
    color: Raster<RGB8>, camera: PinholeIntrinsics, worldFromCamera: RigidTransform
  ) {
    precondition(
      color.size == camera.size && color.size.pixelCount > 0,
      "a camera of \(camera.size), a photo of \(color.size)")
    self.color = color
    self.camera = camera
    self.worldFromCamera = worldFromCamera
  }

  /// The root mean square of the photo's second differences, in codes of green.
  ///
  /// Motion and defocus lower it: of two photos of the same thing the sharper one has more. Every
  /// fourth row is enough. O(pixels).
  var sharpness: Double {
    let (width, height) = (color.width, color.height)
    guard width > 2, height > 2 else { return 1 }
    var (sum, count) = (0, 0)
    color.samples.withUnsafeBufferPointer { samples in
      for y in stride(from: 1, to: height - 1, by: 4) {
        let row = y * color.rowStride
        for place in row + 1..<row + width - 1 {
          let around =
            Int(samples[place - 1].green) + Int(samples[place + 1].green)
            + Int(samples[place - color.rowStride].green)
            + Int(samples[place + color.rowStride].green)
          let difference = 4 * Int(samples[place].green) - around
          sum += difference * difference
          count += 1
        }
      }
    }
    // One code keeps a photo of a plain wall in use.
    return 1 + (Double(sum) / Double(max(count, 1))).squareRoot()
  }

  /// The mesh as the camera sees it, and the photo on it.
  func view(
    of mesh: TriangleMesh, corners: [SIMD2<Double>], toleranceMeters: Float
  ) -> (mesh: TriangleMesh, view: BakingView) {
    let rotation = worldFromCamera.rotation.inverse
    let center = worldFromCamera.translation
    var moved = mesh
    moved.normals = nil
    moved.positions = mesh.positions.map { point in
      let inCamera = rotation * (point.vector - center)
      return PackedPoint(x: Float(inCamera.x), y: Float(inCamera.y), z: Float(inCamera.z))
    }
    let view = BakingView(
      moved, photo: color, corners: corners, toleranceMeters: toleranceMeters,
      project: camera.project)
    return (moved, view)
  }
}
