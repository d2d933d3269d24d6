import PlumblineCorrection
import PlumblineModel

/// Whether a map still has its lens's distortion, as its metadata states.
///
/// - Source: Apple documents distortion tables and geometric distortion correction as mutually
///   exclusive for photos; measured on three devices, images that come with a distortion have it.
enum Rectification: Hashable, Sendable {
  /// What the distortion costs at the border of the map.
  struct Border: Hashable, Sendable {
    /// The largest movement, in pixels of the map.
    var pixels: Double
    /// The largest movement as a share of the distance from the center, in percent.
    var percent: Double
  }

  /// The file describes a distortion; the map has it.
  case distorted(Border)
  /// The file says that there is none.
  case rectified
  /// The file says nothing.
  case unknown

  /// Reads the state of a map from its record; O(width + height).
  init(_ record: DepthRecord, _ corrected: CorrectedDepth) {
    guard let calibration = corrected.calibration ?? record.calibration,
      let distortion = calibration.distortion
    else {
      self = record.isRectified == true ? .rectified : .unknown
      return
    }
    self =
      distortion.isZero
      ? .rectified : .distorted(Border(of: distortion, in: calibration.intrinsics.size))
  }

  /// Whether the map is free from distortion; `nil` where the file does not say.
  var isRectified: Bool? {
    switch self {
    case .distorted: false
    case .rectified: true
    case .unknown: nil
    }
  }
}

extension Rectification.Border {
  /// Looks at every pixel of the border: real lenses are not monotonic, so corners do not bound it.
  init(of distortion: LensDistortion, in size: RasterSize) {
    self.init(pixels: 0, percent: 0)
    let last = SIMD2(size.width - 1, size.height - 1)
    // A border of a million pixels takes seconds to invert and is as smooth as one of thousands.
    let step = max(1, max(size.width, size.height) / 4096)
    for y in Array(stride(from: 0, to: last.y, by: step)) + [last.y] {
      let isSide = y > 0 && y < last.y
      for x in Array(stride(from: 0, to: last.x, by: isSide ? max(last.x, 1) : step)) + [last.x] {
        let pixel = SIMD2(Double(x), Double(y))
        let movement = distortion.undistorted(pixel) - pixel
        let radius = pixel - distortion.center
        let length = (movement * movement).sum().squareRoot()
        pixels = max(pixels, length)
        let distance = (radius * radius).sum().squareRoot()
        if distance > 0 { percent = max(percent, 100 * length / distance) }
      }
    }
  }
}
