public import PlumblineModel

/// A photo with a disparity for every pixel: what every effect starts from.
///
/// Frame: the photo's stored pixels, first pixel center (0, 0). Disparity grows toward the camera.
/// Whether it is relative or absolute, differences of it blur alike; only distances in meters need
/// ``isMetric``.
public struct EffectScene: Sendable {
  /// The image.
  public var color: Raster<RGB8>
  /// The disparity of each pixel of ``color``, in 1/m where ``isMetric``; NaN where not known.
  public var disparity: Raster<Float>
  /// One standard deviation of a disparity, in its unit, as far as it is known; NaN where it is not.
  public var sigma: Float
  /// The distance of two neighboring codes of the stored map, in the disparity's unit at its median;
  /// NaN where the map was not stored as whole codes.
  public var disparityStep: Float
  /// Whether ``disparity`` is in 1/m; else its scale and offset are unknown.
  public var isMetric: Bool
  /// The pinhole model of ``color``, without distortion; `nil` when not known.
  public var intrinsics: PinholeIntrinsics?
  /// What ``intrinsics`` go by where they are not measured, in few words; `nil` for a calibration.
  public var statedCamera: String?
  /// The mattes of phones or filters, each of the size of ``color``.
  public var mattes: [Matte]
  /// The orientation of the image: the turn that makes it upright.
  public var orientation: ImageOrientation
  /// The f-number that the file requests (`SimulatedAperture`); `nil` when it requests none.
  public var simulatedAperture: Double?
  /// The size of the depth map before it was brought to the image's.
  public var depthSize: RasterSize

  /// Creates a scene.
  ///
  /// - Precondition: `disparity` has the size of `color`.
  public init(color: Raster<RGB8>, disparity: Raster<Float>, isMetric: Bool) {
    precondition(color.size == disparity.size, "\(disparity.size) disparities of \(color.size)")
    self.color = color
    self.disparity = disparity
    self.isMetric = isMetric
    sigma = .nan
    disparityStep = .nan
    mattes = []
    orientation = .up
    depthSize = disparity.size
  }
}
