import PlumblineGeometry
import PlumblineModel

/// The change of intensity along a surface.
///
/// - Source: J. Park, Q.-Y. Zhou, V. Koltun, *Colored point cloud registration revisited*, ICCV 2017,
///   equation 10: least squares over the neighbors, projected into the tangent plane, with the gradient
///   along the normal held at 0.
enum IntensityGradients {
  /// How many neighbors decide, the point itself among them.
  private static let neighbors = 20

  /// The gradient of each point, in intensity per meter; NaN where its normal is missing.
  ///
  /// - Returns: `nil` for a cloud without normals or without intensities.
  static func estimate(of cloud: RegistrationCloud, tree: KDTree, threads: Int) -> [PackedPoint]? {
    guard let normals = cloud.normals, let intensities = cloud.intensities else { return nil }
    var gradients = [PackedPoint](
      repeating: PackedPoint(x: .nan, y: .nan, z: .nan), count: cloud.positions.count)
    gradients.withUnsafeMutableBufferPointer { gradients in
      tree.forEachOwnBatch(neighbors: neighbors, threads: threads) { indices, places, found in
        for (place, index) in indices.enumerated() {
          let own = Int(index)
          let normal = normals[own].wide
          guard normal.x.isFinite else { continue }
          var fit = TangentFit(normal: normal)
          for key in found[place * neighbors..<(place + 1) * neighbors] where key != .max {
            let other = Int(key & 0xffff_ffff)
            fit.add(
              tree.points[other].wide - places[place].wide,
              Double(intensities[other]) - Double(intensities[own]))
          }
          let gradient = fit.solved
          gradients[own] = PackedPoint(
            x: Float(gradient.x), y: Float(gradient.y), z: Float(gradient.z))
        }
      }
    }
    return gradients
  }
}

/// Least squares of a linear function in a tangent plane.
private struct TangentFit {
  private let u: SIMD3<Double>
  private let v: SIMD3<Double>
  private var uu = 0.0
  private var uv = 0.0
  private var vv = 0.0
  private var ud = 0.0
  private var vd = 0.0

  /// Begins in the plane across a unit normal.
  init(normal: SIMD3<Double>) {
    u = perpendicular(to: normal)
    v = cross(normal, u)
  }

  mutating func add(_ offset: SIMD3<Double>, _ difference: Double) {
    let (a, b) = ((u * offset).sum(), (v * offset).sum())
    uu += a * a
    uv += a * b
    vv += b * b
    ud += a * difference
    vd += b * difference
  }

  /// The gradient; 0 where the neighbors lie on a line, which does not determine it.
  var solved: SIMD3<Double> {
    let determinant = uu * vv - uv * uv
    // Coordinates have 24 bits: less than 1e-9 of the squared spread is rounding.
    guard determinant > 1e-9 * (uu + vv) * (uu + vv) else { return .zero }
    return u * ((ud * vv - vd * uv) / determinant) + v * ((vd * uu - ud * uv) / determinant)
  }
}

/// A unit vector across a unit vector.
func perpendicular(to unit: SIMD3<Double>) -> SIMD3<Double> {
  let axis: SIMD3<Double> = abs(unit.x) < 0.6 ? [1, 0, 0] : [0, 1, 0]
  let across = cross(unit, axis)
  return across / (across * across).sum().squareRoot()
}
