public import PlumblineModel

/// A camera whose images match its calibration exactly, including lens distortion.
public struct SimulatedCamera: Sendable {
  /// The true calibration; what a file *claims* may differ, see `CalibrationFault`.
  public var calibration: CameraCalibration
  /// The pose of the camera; its frame is `x` right, `y` down, `z` forward, in meters.
  public var sceneFromCamera: RigidTransform

  /// Creates a camera; by default its frame is the scene's.
  package init(calibration: CameraCalibration, sceneFromCamera: RigidTransform = .identity) {
    self.calibration = calibration
    self.sceneFromCamera = sceneFromCamera
  }

  /// The size of its image.
  public var size: RasterSize { calibration.intrinsics.size }

  /// The same camera with its image resampled to another size of the same aspect ratio.
  public func scaled(to size: RasterSize) -> SimulatedCamera {
    SimulatedCamera(calibration: calibration.scaled(to: size), sceneFromCamera: sceneFromCamera)
  }

  /// The ray of a point of the distorted image; its parameter is depth in meters.
  ///
  /// - Parameter pixel: Pixels, not necessarily whole; the first pixel center is (0, 0).
  /// - Returns: A ray of the scene, from the camera's center.
  package func ray(through pixel: SIMD2<Double>) -> Ray {
    let ideal = calibration.distortion?.undistorted(pixel) ?? pixel
    let directionInCamera = calibration.intrinsics.unproject(ideal, depth: 1)
    return Ray(
      origin: sceneFromCamera.translation,
      direction: sceneFromCamera.rotation * directionInCamera)
  }

  /// Projects a point of the scene to the distorted image; not finite in the camera's plane.
  public func pixel(of pointInScene: SIMD3<Double>) -> SIMD2<Double> {
    calibration.pixel(of: sceneFromCamera.inverse * pointInScene)
  }
}

extension SimulatedScene {
  /// The exact depth of each pixel center, in meters; NaN where the ray hits nothing.
  ///
  /// - Complexity: O(pixels · surfaces).
  public func depthMap(from camera: SimulatedCamera) -> DepthMap {
    DepthMap(
      meters: Raster(size: camera.size) { x, y in
        let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
        return Float(self.firstHit(of: ray)?.parameter ?? .nan)
      })
  }

  /// The color image, sRGB.
  ///
  /// It uses one ray per pixel, and sixteen where neighbors hit different surfaces or a depth step.
  /// - Complexity: O(pixels · surfaces).
  package func colorImage(from camera: SimulatedCamera) -> Raster<RGB8> {
    let size = camera.size
    var hits: [Hit?] = []
    hits.reserveCapacity(size.pixelCount)
    for y in 0..<size.height {
      for x in 0..<size.width {
        hits.append(firstHit(of: camera.ray(through: SIMD2(Double(x), Double(y)))))
      }
    }
    return Raster(size: size) { x, y in
      let center = SIMD2(Double(x), Double(y))
      let index = y * size.width + x
      let next = [x > 0 ? index - 1 : index, y > 0 ? index - size.width : index]
      let after = [
        x + 1 < size.width ? index + 1 : index, y + 1 < size.height ? index + size.width : index,
      ]
      guard (next + after).contains(where: { Self.isEdge(hits[index], hits[$0]) }) else {
        return Self.encoded(
          self.light(on: hits[index], along: camera.ray(through: center), from: camera))
      }
      var sum = SIMD3<Double>.zero
      for row in 0..<4 {
        for column in 0..<4 {
          let offset = SIMD2(Double(column), Double(row)) / 4 - 0.375
          let ray = camera.ray(through: center + offset)
          sum += self.light(on: self.firstHit(of: ray), along: ray, from: camera)
        }
      }
      return Self.encoded(sum / 16)
    }
  }

  private static func isEdge(_ a: Hit?, _ b: Hit?) -> Bool {
    guard let a, let b else { return (a == nil) != (b == nil) }
    return a.surface != b.surface || abs(a.parameter - b.parameter) > 0.01 * a.parameter
  }

  private static func encoded(_ light: SIMD3<Double>) -> RGB8 {
    RGB8(
      red: StandardRGB.code(light.x), green: StandardRGB.code(light.y),
      blue: StandardRGB.code(light.z))
  }
}

extension SimulatedScene {
  /// The coverage of each pixel by some of the surfaces, 0 to 255, as in a perfect matte.
  ///
  /// It uses four rays per pixel, so edges have five levels.
  public func coverage(of indices: Range<Int>, from camera: SimulatedCamera) -> Raster<UInt8> {
    Raster(size: camera.size) { x, y in
      var count = 0
      for (column, row) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
        let ray = camera.ray(through: SIMD2(Double(x) + column, Double(y) + row))
        if let hit = self.firstHit(of: ray), indices.contains(hit.surface) { count += 1 }
      }
      return UInt8(count * 255 / 4)
    }
  }
}
