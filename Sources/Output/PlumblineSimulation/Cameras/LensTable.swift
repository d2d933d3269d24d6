internal import PlumblineModel

/// A lens table as Apple stores it, and the opposite direction computed from it.
struct LensTable: Sendable {
  /// The true distortion: exact in both directions, since one is found by inverting the other.
  let exact: LensDistortion
  /// The distortion that a device states: two tables of 42 entries.
  let claimed: LensDistortion

  /// Creates both from the offsets from undistorted to distorted points.
  ///
  /// - Parameters:
  ///   - offsets: The 42 entries.
  ///   - beyond: Further entries outside the undistorted image, for a lens that pulls corners
  ///     inward.
  ///   - center: The center of distortion.
  ///   - size: The size of the image that defines the maximum radius.
  init(_ offsets: [Float], beyond: [Float] = [], center: SIMD2<Double>, size: RasterSize) {
    let lens = LensDistortion(
      center: center, size: size, pixelSizeMillimeters: 0.001, distorting: .table(offsets),
      undistorting: nil)
    var wide = lens
    wide.distorting = .table(offsets + beyond)
    wide.maximumRadius *= Double(offsets.count + beyond.count - 1) / Double(offsets.count - 1)
    let inverse = offsets.indices.map { index in
      let radius = lens.maximumRadius * Double(index) / Double(offsets.count - 1)
      return Float(wide.undistortingMagnification(atRadius: radius))
    }
    exact = lens
    var both = lens
    both.undistorting = .table(inverse)
    claimed = both
  }

  /// The stated distortion if a device states another center and size for the same lens.
  ///
  /// Tables end at the farthest corner of their size, so they are resampled.
  func claimed(center: SIMD2<Double>, size: RasterSize) -> LensDistortion {
    let empty = RadialMagnification.table([])
    var lens = LensDistortion(
      center: center, size: size, pixelSizeMillimeters: 0.001, distorting: empty,
      undistorting: empty)
    let radii = (0..<42).map { lens.maximumRadius * Double($0) / 41 }
    lens.distorting = .table(
      radii.map { Float(exact.distortingMagnification(atRadius: $0)) })
    lens.undistorting = .table(
      radii.map { Float(exact.undistortingMagnification(atRadius: $0)) })
    return lens
  }

  /// The lens of an iPad Pro 12.9" of the 4th generation, to the printed digits.
  ///
  /// - Source: `depth-semantics.md` §2.3, from the metadata of ZEISS/iPad_TrueDepth_Issue_Eval.
  static let iPad4: [Float] = [
    -1.39e-06, -2.21e-06, -3.32e-06, -7.0e-07, 1.20e-05, 4.32e-05, 1.03e-04, 2.01e-04, 3.48e-04,
    5.55e-04, 8.30e-04, 1.179e-03, 1.605e-03, 2.110e-03, 2.688e-03, 3.333e-03, 4.034e-03,
    4.774e-03, 5.536e-03, 6.297e-03, 7.035e-03, 7.723e-03, 8.338e-03, 8.855e-03, 9.254e-03,
    9.517e-03, 9.631e-03, 9.590e-03, 9.396e-03, 9.058e-03, 8.595e-03, 8.035e-03, 7.420e-03,
    6.800e-03, 6.239e-03, 5.812e-03, 5.608e-03, 5.728e-03, 6.285e-03, 7.403e-03, 9.214e-03,
    1.1851e-02,
  ]

  /// A lens like that of the 5th generation's ultra-wide camera before its images are rectified.
  ///
  /// Invented: a parabola through the published first and last entries, +0.218 % and −10.2 %.
  static let ultraWide: [Float] = (0..<42).map(parabola)
  /// The same lens for larger radii.
  static let ultraWideBeyond: [Float] = (42..<56).map(parabola)

  private static func parabola(_ index: Int) -> Float {
    let share = Float(index) / 41
    return 0.002_18 - 0.104 * share * share
  }

  /// A lens like that of an iPhone 11 Pro's front camera: the iPad's table, doubled.
  ///
  /// Invented: the dataset has no table of this device; its images are distorted by up to 4.9 px at
  /// 640×480, the iPad's by 2.5 px.
  static let iPhone11Pro: [Float] = iPad4.map { 1.96 * $0 }
}
