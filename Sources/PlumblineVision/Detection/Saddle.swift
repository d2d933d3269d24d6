internal import CKernels

/// A position where two dark and two bright sectors meet.
struct Saddle {
  /// The pixel where they meet.
  var pixel: SIMD2<Double>
  /// How brightness bends there (xx, xy, yy), scaled to a length of 1 with `xy` counted twice:
  /// positive along the bright sectors, negative along the dark ones.
  var bend: SIMD3<Double>
  /// The directions of the two edges, each of length 1.
  var edges: (SIMD2<Double>, SIMD2<Double>)

  /// Describes the saddle in the middle of a patch.
  ///
  /// The bright sectors' axis `u` is where brightness bends upward most; edges run at an angle `h`
  /// to both sides of it with tan² h = Guu/Gvv, where G sums the squares of gradients, which are
  /// normal to the edges.
  init?(at pixel: SIMD2<Double>, in patch: CornerPatch) {
    let sums = patch.sums
    let (xx, xy, yy) = (Double(sums.bend_xx), Double(sums.bend_xy), Double(sums.bend_yy))
    let length = (xx * xx + 2 * xy * xy + yy * yy).squareRoot()
    let (half, radius) = ((xx - yy) / 2, (((xx - yy) / 2) * ((xx - yy) / 2) + xy * xy).squareRoot())
    guard length > 0, radius > 0 else { return nil }
    // Half the angle of (half, xy), by the formulas for half angles.
    let cosine = max(0, (1 + half / radius) / 2).squareRoot()
    let sine = max(0, (1 - half / radius) / 2).squareRoot()
    let u = SIMD2(cosine, xy < 0 ? -sine : sine)
    let v = SIMD2(-u.y, u.x)
    let gradient = SIMD3(
      Double(sums.gradient_xx), Double(sums.gradient_xy), Double(sums.gradient_yy))
    func squared(along d: SIMD2<Double>) -> Double {
      max(0, gradient.x * d.x * d.x + 2 * gradient.y * d.x * d.y + gradient.z * d.y * d.y)
    }
    let (alongU, alongV) = (squared(along: u), squared(along: v))
    guard alongU + alongV > 0 else { return nil }
    let near = (alongV / (alongU + alongV)).squareRoot() * u
    let far = (alongU / (alongU + alongV)).squareRoot() * v
    self.pixel = pixel
    bend = SIMD3(xx, xy, yy) / length
    edges = (near + far, near - far)
  }

  /// How alike two saddles are: 1 where bright sectors point the same way, −1 where one has them
  /// where the other's are dark, as neighbors on a chessboard have.
  func likeness(to other: Saddle) -> Double {
    let product = bend * other.bend
    return product.x + 2 * product.y + product.z
  }

  /// Whether brightness rises in a direction.
  func isBright(toward direction: SIMD2<Double>) -> Bool {
    bend.x * direction.x * direction.x + 2 * bend.y * direction.x * direction.y
      + bend.z * direction.y * direction.y > 0
  }

  /// The cosine of the angle between a direction of length 1 and the nearest edge.
  func alignment(with direction: SIMD2<Double>) -> Double {
    max(abs((edges.0 * direction).sum()), abs((edges.1 * direction).sum()))
  }
}
