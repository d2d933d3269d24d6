import PlumblineModel

/// The distortion terms of an OpenCV camera, of which only the radial polynomial is modeled here.
///
/// - Source: OpenCV, `calib3d`: `x' = x·(1 + k1·r² + k2·r⁴ + k3·r⁶)/(1 + k4·r² + k5·r⁴ + k6·r⁶) +
///   2·p1·x·y + p2·(r² + 2·x²)`; `y'` has `p1` and `p2` exchanged.
struct BrownLens: Sendable, Hashable {
  /// `k1`, `k2`, `k3`.
  var radial = SIMD3<Double>()
  /// A term in r⁸, as nerfstudio has it.
  var eighthOrder = 0.0
  /// OpenCV's `k4`, `k5`, `k6` in the denominator.
  var denominator = SIMD3<Double>()
  /// `p1`, `p2`.
  var tangential = SIMD2<Double>()

  /// Adds the lens to a camera; terms that are not modeled become a finding with their effect.
  func calibration(
    of camera: PinholeIntrinsics, evidence: String
  ) -> (calibration: CameraCalibration, findings: [Finding]) {
    var calibration = CameraCalibration(intrinsics: camera)
    let terms = [
      radial.x, radial.y, radial.z, eighthOrder, denominator.x, denominator.y, denominator.z,
      tangential.x, tangential.y,
    ]
    guard terms.contains(where: { $0 != 0 }) else { return (calibration, []) }
    if radial != .zero {
      // No lens comes near this bound; beyond it the computation would fail.
      guard terms.allSatisfy({ abs($0) <= 1e6 }),
        case let lens = LensDistortion(radialPolynomial: radial, of: camera), lens.isFinite
      else {
        let finding = Finding(
          .calibrationDamaged, .caution, "the distortion is not that of a lens",
          evidence: evidence)
        return (calibration, [finding])
      }
      calibration.distortion = lens
    }
    let pixels = unmodeledPixels(of: camera)
    guard pixels > 0 || pixels.isNaN else { return (calibration, []) }
    let finding = Finding(
      .calibrationUnmodeledLens, .caution,
      "tangential or high-order lens terms are left out; they move the corners by up to "
        + "\(pixels.fixed(2)) px",
      effect: Finding.Effect(
        lengthPercent: pixels.isFinite ? 100 * pixels / Double(camera.size.width) : nil),
      evidence: evidence)
    return (calibration, [finding])
  }

  /// The maximum displacement of an image corner by the terms that are not modeled, in pixels.
  private func unmodeledPixels(of camera: PinholeIntrinsics) -> Double {
    var largest = 0.0
    let far = SIMD2(Double(camera.size.width), Double(camera.size.height)) - 0.5
    for pixel in [SIMD2(-0.5, -0.5), SIMD2(far.x, -0.5), SIMD2(-0.5, far.y), far] {
      let p = (pixel - camera.principalPoint) / camera.focalLength
      let r2 = (p * p).sum()
      let polynomial = 1 + r2 * (radial.x + r2 * (radial.y + r2 * radial.z))
      let below = 1 + r2 * (denominator.x + r2 * (denominator.y + r2 * denominator.z))
      let factor = (polynomial + r2 * r2 * r2 * r2 * eighthOrder) / below - polynomial
      let mixed = 2 * p.x * p.y
      let shift =
        p * factor
        + SIMD2(
          tangential.x * mixed + tangential.y * (r2 + 2 * p.x * p.x),
          tangential.x * (r2 + 2 * p.y * p.y) + tangential.y * mixed)
      let moved = shift * camera.focalLength
      largest = max(largest, (moved * moved).sum().squareRoot())
    }
    return largest
  }
}
