import PlumblineModel
import PlumblineSimulation
import PlumblineVerification
import PlumblineVision

/// A device of which everything is known, and what it says about itself.
struct SimulatedDevice {
  /// Which lens the images have and which the device describes.
  enum Kind: String, CaseIterable {
    /// Images without a lens.
    case rectified
    /// A lens that the device's table describes.
    case table
    /// The same lens, and no table.
    case tableless
    /// A strong lens and no table.
    case strong
  }

  let kind: Kind
  /// What the images follow, at their own size.
  let truth: CameraModel
  /// The calibration that the device states.
  let factory: CameraCalibration
  /// The factor of all depths.
  let depthScale: Double
  /// A bend of the image that no radial lens has, in pixels at the border: five numbers for each axis.
  private let bend: [SIMD2<Double>]
  /// The rays of a depth map of a quarter of the size.
  private let rays: [SIMD2<Double>]

  static let size = RasterSize(width: 640, height: 480)
  static let depthSize = RasterSize(width: 160, height: 120)

  /// Draws a device.
  ///
  /// `fault` is the factory's focal length over the true one, minus 1, and 0 for a sound device, whose
  /// focal length is known to 0.3 %. `bendPixels` is how far its images are from any radial lens at
  /// the border, one standard deviation.
  init(_ kind: Kind, fault: Double, bendPixels: Double = 0, _ generator: inout SeededGenerator) {
    self.kind = kind
    let preset: CameraPreset =
      switch kind {
      case .rectified: .iPad5
      case .table, .tableless: .iPad4
      case .strong: .iPhone11Pro
      }
    let scaled = preset.trueColor.scaled(to: Self.size)
    // Sound devices: focal lengths known to 0.3 %, principal points to 1 px, depth to 0.6 %.
    let spread = fault == 0 ? 0.003 * generator.gaussian() : fault
    let claimed = scaled.intrinsics
    var pinhole = claimed
    pinhole.focalLength /= 1 + spread
    pinhole.principalPoint += SIMD2(generator.gaussian(), generator.gaussian())
    truth = CameraModel(
      intrinsics: pinhole, lens: scaled.distortion.map { .radial($0) } ?? .none)
    factory = CameraCalibration(
      intrinsics: claimed, distortion: kind == .table ? scaled.distortion : nil)
    depthScale = 1 + 0.006 * generator.gaussian()
    bend = (0..<5).map { _ in SIMD2(generator.gaussian(), generator.gaussian()) * bendPixels / 2 }
    let camera = truth
    let scale = Double(Self.size.width) / Double(Self.depthSize.width)
    rays = (0..<Self.depthSize.pixelCount).map { index in
      let pixel =
        SIMD2(
          Double(index % Self.depthSize.width) + 0.5, Double(index / Self.depthSize.width) + 0.5)
        * scale - 0.5
      return camera.unproject(pixel) ?? .zero
    }
  }

  /// Where the device sees a point of its camera's frame.
  func seen(_ pointInCamera: SIMD3<Double>) -> SIMD2<Double>? {
    truth.project(pointInCamera).map { $0 + bend(at: $0) }
  }

  /// How far the image is from the radial lens at a pixel.
  func bend(at pixel: SIMD2<Double>) -> SIMD2<Double> {
    let share = (pixel - truth.intrinsics.principalPoint) / 320
    let (x, y) = (share.x, share.y)
    let terms = [x * y, x * x - y * y, x * x * x, x * x * y, y * y * y]
    return zip(bend, terms).reduce(.zero) { $0 + $1.0 * $1.1 }
  }

  /// What the sensor measures of a plane; depths of this pose are off by `poseShare` of them.
  func depth(
    of cameraFromBoard: RigidTransform, poseShare: Double, _ generator: inout SeededGenerator
  ) -> DepthMap {
    let scale = depthScale * (1 + poseShare)
    let normal = cameraFromBoard.rotation.z
    let offset = (normal * cameraFromBoard.translation).sum()
    var samples = [Float](repeating: .nan, count: rays.count)
    for (index, ray) in rays.enumerated() {
      let z = offset / (normal.x * ray.x + normal.y * ray.y + normal.z)
      guard z > 0.05, z < 5 else { continue }
      samples[index] = Float(z * scale + 0.0003 * generator.gaussian())
    }
    return DepthMap(
      meters: Raster(size: Self.depthSize) { x, y in samples[y * Self.depthSize.width + x] })
  }
}
