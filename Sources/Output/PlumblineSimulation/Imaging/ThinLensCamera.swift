import Dispatch
package import PlumblineModel

/// A camera with an aperture: a thin-lens model of a scene, computed ray by ray.
///
/// Every ray of a pixel starts at another point of the aperture and passes through the pixel's
/// point in the plane of focus; the pixel is the mean of their light before encoding. It is the
/// ground truth for blurring by depth. With an aperture of 0 it is a pinhole, whose pixels are
/// means over their area.
/// - Source: R. L. Cook, T. Porter, L. Carpenter, *Distributed ray tracing*, SIGGRAPH 1984.
package struct ThinLensCamera: Sendable {
  /// The pinhole at the center of the aperture; images keep its perspective.
  package var camera: SimulatedCamera
  /// The diameter of the aperture in meters; 0 for a pinhole.
  package var apertureMeters: Double
  /// The depth in focus, in meters.
  package var focusMeters: Double
  /// The number of rays per pixel.
  package var samples: Int
  /// The factor from the light of the scene to the image's linear values, where 1 is white.
  package var exposure: Double

  /// Creates a camera.
  ///
  /// - Precondition: The aperture is at least 0, the focus is above 0, and there is at least one
  ///   ray.
  package init(
    _ camera: SimulatedCamera, apertureMeters: Double, focusMeters: Double, samples: Int = 256,
    exposure: Double = 1
  ) {
    precondition(
      apertureMeters >= 0 && focusMeters > 0 && samples > 0 && exposure > 0,
      "an opening of \(apertureMeters) m focused at \(focusMeters) m makes no camera")
    self.camera = camera
    self.apertureMeters = apertureMeters
    self.focusMeters = focusMeters
    self.samples = samples
    self.exposure = exposure
  }

  /// The sRGB image, in which highlights above 0.7 are compressed.
  ///
  /// Equal seeds give equal images for any number of threads.
  ///
  /// - Complexity: O(pixels · samples · surfaces).
  package func image(of scene: SimulatedScene, seed: UInt64, threads: Int = 1) -> Raster<RGB8> {
    let size = camera.size
    let pixels = [RGB8](unsafeUninitializedCapacity: size.pixelCount) { buffer, count in
      nonisolated(unsafe) let result = buffer
      let workers = min(max(threads, 1), max(size.height, 1))
      DispatchQueue.concurrentPerform(iterations: workers) { worker in
        for y in Swift.stride(from: worker, to: size.height, by: workers) {
          for x in 0..<size.width {
            result[y * size.width + x] = self.pixel(x, y, of: scene, seed: seed)
          }
        }
      }
      count = size.pixelCount
    }
    return Raster(size: size, samples: pixels)
  }

  private func pixel(_ x: Int, _ y: Int, of scene: SimulatedScene, seed: UInt64) -> RGB8 {
    var generator = SeededGenerator(
      seed: seed &+ UInt64(y * camera.size.width + x) &* 0x9e37_79b9_7f4a_7c15)
    var place = SIMD4<Double>(
      generator.uniform(), generator.uniform(), generator.uniform(), generator.uniform())
    var sum = SIMD3<Double>.zero
    var count = 0
    while count < samples {
      place += Self.step
      place -= place.rounded(.down)
      let lens = SIMD2(place.x, place.y) * 2 - 1
      // Points of the square outside the disk are not used as rays.
      guard (lens * lens).sum() <= 1 else { continue }
      count += 1
      let pixel = SIMD2(Double(x) + place.z - 0.5, Double(y) + place.w - 0.5)
      let ray = ray(through: pixel, lens: lens * (apertureMeters / 2))
      sum += scene.light(on: scene.firstHit(of: ray), along: ray, from: camera)
    }
    let light = sum * (exposure / Double(samples))
    return RGB8(
      red: StandardRGB.code(light.x), green: StandardRGB.code(light.y),
      blue: StandardRGB.code(light.z))
  }

  /// The ray from a point of the aperture, in meters, to the pixel's point in focus; its parameter
  /// is depth in meters.
  private func ray(through pixel: SIMD2<Double>, lens: SIMD2<Double>) -> Ray {
    let middle = camera.ray(through: pixel)
    let offset = turned(SIMD3(lens, 0), by: camera.sceneFromCamera.rotation)
    return Ray(
      origin: middle.origin + offset, direction: middle.direction - offset / focusMeters)
  }

  /// Powers of 1/g with g⁵ = g + 1, whose multiples cover four dimensions evenly.
  ///
  /// - Source: M. Roberts, *The unreasonable effectiveness of quasirandom sequences*, 2018.
  private static let step = SIMD4<Double>(
    0.856_674_883_854_502_8, 0.733_891_856_627_126, 0.628_706_721_037_605_3,
    0.538_597_257_225_928)
}
