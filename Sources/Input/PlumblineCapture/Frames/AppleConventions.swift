public import PlumblineModel

extension RigidTransform {
  /// `worldFromCamera` from `ARCamera.transform`: camera axes x right, y **up**, z **backward** in
  /// the sensor's landscape orientation become x right, y down, z forward.
  ///
  /// - Source: Apple, *ARCamera.transform*; `T_cv = T_gl · diag(1, −1, −1, 1)`.
  /// - Parameter columns: Four columns of four numbers, as in `simd_float4x4.columns`.
  public init(
    arkitTransform columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  ) {
    func axis(_ column: SIMD4<Float>, _ sign: Double) -> SIMD3<Double> {
      SIMD3(Double(column.x), Double(column.y), Double(column.z)) * sign
    }
    self.init(
      rotation: Rotation(x: axis(columns.0, 1), y: axis(columns.1, -1), z: axis(columns.2, -1)),
      translation: axis(columns.3, 1))
  }
}

extension MotionSample {
  /// A motion sample from the gravity and the user acceleration of `CMDeviceMotion`, both in g.
  ///
  /// - Source: Apple, *CMDeviceMotion*: the device's acceleration is the sum of both, and gravity
  ///   points down; the specific force of an accelerometer has the opposite sign (ROS REP 145).
  /// - Parameters:
  ///   - timestampSeconds: Seconds since the device started, which is also the clock of camera
  ///     frames.
  ///   - rotationRate: Radians per second.
  ///   - gravity: In g.
  ///   - userAcceleration: In g.
  package init(
    timestampSeconds: Double, rotationRate: SIMD3<Double>, gravity: SIMD3<Double>,
    userAcceleration: SIMD3<Double>
  ) {
    self.init(timestampSeconds: timestampSeconds)
    self.rotationRate = rotationRate
    specificForce = (gravity + userAcceleration) * -Self.standardGravity
  }
}

/// The position of a TrueDepth camera's AVFoundation image inside its ARKit image.
///
/// ARKit's images are flipped along the sensor's `y` and, on iPads, contain more of the sensor.
/// Unit: pixels at the reference sizes of the two interfaces.
/// - Source: arXiv 2201.10865, table 3, as analyzed in `depth-semantics.md` §4.5: principal points
///   satisfy `cx_ar = cx_av + (W2 − W)/2 + 0.5`, and `cy_av + cy_ar` is 3023.49 on iPhones and
///   2373.49 on iPads. Without the cropped rows, both sums are `height − 0.5` within 0.01.
package struct ARKitFrontCrop: Hashable, Sendable {
  /// The reference size of AVFoundation's images.
  package var avfoundationSize: RasterSize
  /// The reference size of ARKit's images.
  package var arkitSize: RasterSize
  /// The first row of ARKit's image that is visible in AVFoundation's, where it is the last one,
  /// since ARKit is flipped.
  package var firstRow: Int

  /// Creates a crop from its parts.
  package init(avfoundationSize: RasterSize, arkitSize: RasterSize, firstRow: Int) {
    self.avfoundationSize = avfoundationSize
    self.arkitSize = arkitSize
    self.firstRow = firstRow
  }

  /// iPhones: both images contain the whole sensor.
  package static let iPhone = ARKitFrontCrop(
    avfoundationSize: RasterSize(width: 4032, height: 3024),
    arkitSize: RasterSize(width: 4032, height: 3024), firstRow: 0)

  /// The iPads of the second and fourth generation: 3088×2316 of 3248×2436.
  package static let iPad = ARKitFrontCrop(
    avfoundationSize: RasterSize(width: 3088, height: 2316),
    arkitSize: RasterSize(width: 3248, height: 2436), firstRow: 58)

  /// The fraction of ARKit's image that is visible in AVFoundation's: 0.950739 on these iPads.
  ///
  /// ARKit's depth map has this smaller field of view too, although its stated reference size is
  /// that of the color image.
  package var zoom: Double {
    Double(avfoundationSize.width) / Double(arkitSize.width)
  }

  /// Converts a point of AVFoundation's image to ARKit's.
  package func arkitPoint(fromAVFoundation point: SIMD2<Double>) -> SIMD2<Double> {
    let columns = Double(arkitSize.width - avfoundationSize.width) / 2
    let flipSum = Double(firstRow + avfoundationSize.height) - 0.5
    return [point.x + columns + 0.5, flipSum - point.y]
  }

  /// Converts a point of ARKit's image to AVFoundation's.
  package func avfoundationPoint(fromARKit point: SIMD2<Double>) -> SIMD2<Double> {
    let columns = Double(arkitSize.width - avfoundationSize.width) / 2
    let flipSum = Double(firstRow + avfoundationSize.height) - 0.5
    return [point.x - columns - 0.5, flipSum - point.y]
  }
}
