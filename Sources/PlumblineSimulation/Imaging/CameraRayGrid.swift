public import PlumblineModel

/// The direction of every pixel of a camera, with a border of one pixel, kept for many frames.
///
/// Undoing a lens exactly takes a search for each pixel; a sequence of frames from one camera does
/// it once.
public struct CameraRayGrid: Sendable {
  /// The size of the image, without the border.
  let size: RasterSize
  /// `x/z` and `y/z` of each pixel, row after row, the border first.
  let slopes: [SIMD2<Double>]

  /// The rays of a calibration; O(pixels).
  public init(_ calibration: CameraCalibration) {
    size = calibration.intrinsics.size
    var slopes: [SIMD2<Double>] = []
    slopes.reserveCapacity((size.width + 2) * (size.height + 2))
    let intrinsics = calibration.intrinsics
    for y in -1...size.height {
      for x in -1...size.width {
        let pixel = SIMD2(Double(x), Double(y))
        let ideal = calibration.distortion?.undistorted(pixel) ?? pixel
        slopes.append((ideal - intrinsics.principalPoint) / intrinsics.focalLength)
      }
    }
    self.slopes = slopes
  }

  private init(size: RasterSize, slopes: [SIMD2<Double>]) {
    self.size = size
    self.slopes = slopes
  }

  /// The rays after the focal length alone grew by a factor; O(pixels).
  func withFocalLength(scaledBy factor: Double) -> CameraRayGrid {
    factor == 1 ? self : CameraRayGrid(size: size, slopes: slopes.map { $0 / factor })
  }

  /// The position of a pixel in `slopes`; −1 and the size itself are the border.
  @inline(__always)
  func index(_ x: Int, _ y: Int) -> Int { (y &+ 1) &* (size.width &+ 2) &+ x &+ 1 }
}
