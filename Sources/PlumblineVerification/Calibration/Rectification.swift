import PlumblineCorrection
import PlumblineModel

/// Whether a map still has its lens's distortion, as its metadata tells.
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

  /// Reads the state of a map from its record.
  init(_ record: DepthRecord, _ corrected: CorrectedDepth) {
    guard let distortion = corrected.calibration?.distortion ?? record.calibration?.distortion
    else {
      self = .unknown
      return
    }
    guard !distortion.isZero else {
      self = .rectified
      return
    }
    let size = corrected.calibration?.intrinsics.size ?? record.size
    let last = SIMD2(Double(size.width - 1), Double(size.height - 1))
    var border = Border(pixels: 0, percent: 0)
    // The middles of the sides and the corners bound a radial function well enough to report it.
    for index in 0..<9 where index != 4 {
      let pixel = SIMD2(Double(index % 3), Double(index / 3)) / 2 * last
      let movement = distortion.undistorted(pixel) - pixel
      let radius = pixel - distortion.center
      let length = (movement * movement).sum().squareRoot()
      border.pixels = max(border.pixels, length)
      let distance = (radius * radius).sum().squareRoot()
      if distance > 0 { border.percent = max(border.percent, 100 * length / distance) }
    }
    self = .distorted(border)
  }

  /// The word that JSON carries.
  var word: String {
    switch self {
    case .distorted: "no"
    case .rectified: "yes"
    case .unknown: "unknown"
    }
  }
}
