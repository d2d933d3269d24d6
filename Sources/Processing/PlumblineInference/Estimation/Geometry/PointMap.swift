import PlumblineModel

/// The points that a network gives for the pixels of its input, correct up to one shift along the axis.
///
/// A point (*x*, *y*, *z*) of the network stands for (*x*, *y*, *z* + *t*) · *s* in the camera's frame, in
/// meters: *s* is another output, *t* is the same for all points and not known. The perspective tells it,
/// since the point must be seen at its own pixel: *f* · (*x*, *y*) / (*z* + *t*) = (*u*, *v*) from the
/// middle. With the camera's *f* only *t* is free, otherwise both.
///
/// - Source: the law is that of MoGe (R. Wang et al., *MoGe*, CVPR 2025, section 3.1; the outputs of the
///   ONNX files by microsoft/MoGe, docs/onnx.md); the solver is this project's own.
struct PointMap {
  /// The shift and the focal length that agree with the perspective.
  struct Solution: Hashable {
    /// What is added to *z*, in units of the network.
    var shift: Double
    /// The focal length in pixels of the input; the geometric mean of both axes.
    var focalLengthPixels: Double
  }

  /// The size of the map.
  private let size: RasterSize
  /// Coordinates in turn: *x*, *y* and *z* of each point.
  private let values: [Float]
  /// Whether each point means something.
  private let isKnown: [Bool]
  /// The factor to meters.
  private let scale: Double
  private let placement: InputPlacement

  /// Takes the outputs apart.
  ///
  /// - Parameters:
  ///   - points: Rows × columns × 3, axes of length 1 before them.
  ///   - mask: Rows × columns; points where it is not above ½ mean nothing. `nil` for all.
  ///   - scale: One number above 0.
  ///   - placement: Where the image lies in the input.
  /// - Throws: `.mismatch` for another shape, `.degenerate` for a scale that is none. O(*n*).
  init(
    _ points: Tensor, mask: Tensor?, scale: Tensor?, placement: InputPlacement
  ) throws(EstimationError) {
    let shape = points.shape.drop { $0 == 1 }
    guard shape.count == 3, let rows = shape.first, shape.last == 3, rows >= 2 else {
      throw EstimationError(
        .mismatch, expected: "an output of rows, columns and three coordinates",
        found: "the shape \(points.shape)")
    }
    let size = RasterSize(width: shape[shape.startIndex + 1], height: rows)
    guard let factor = scale?.values.first, scale?.values.count == 1, factor.isFinite, factor > 0
    else {
      throw EstimationError(
        .degenerate, expected: "one number above 0 as the scale of the points",
        found: scale.map { "\($0.values.prefix(3))" } ?? "none")
    }
    guard mask.map({ $0.values.count == size.pixelCount }) ?? true else {
      throw EstimationError(
        .mismatch, expected: "a mask of \(size)", found: "the shape \(mask?.shape ?? [])")
    }
    self.size = size
    values = points.values
    self.scale = Double(factor)
    self.placement = placement
    isKnown = (0..<size.pixelCount).map { index in
      (mask.map { $0.values[index] > 0.5 } ?? true)
        && points.values[3 * index..<3 * index + 3].allSatisfy(\.isFinite)
    }
  }

  /// Whether a pixel of the map, by its center in pixels of the input, is one of the image rather than of
  /// the border around it.
  private func isInside(_ center: SIMD2<Double>) -> Bool {
    let filled = placement.filled
    return center.x > Double(filled.x) && center.x < Double(filled.x + filled.size.width)
      && center.y > Double(filled.y) && center.y < Double(filled.y + filled.size.height)
  }

  /// A point with the pixel at which it is seen, from the middle of the input and in its pixels.
  private struct Sample {
    var pixel: SIMD2<Double>
    var point: SIMD3<Double>
  }

  /// The most samples along each axis.
  private static let samplesPerAxis = 64

  /// The samples, from a regular grid; in pixels of `focal`, whose axes are made equal.
  private func samples(_ focal: SIMD2<Double>?) -> [Sample] {
    let steps = (
      max(1, size.width / Self.samplesPerAxis), max(1, size.height / Self.samplesPerAxis)
    )
    let input = placement.inputSize
    let pixelSize = SIMD2(
      Double(input.width) / Double(size.width), Double(input.height) / Double(size.height))
    // A stretched image is stretched along: then the focal lengths of both axes differ.
    let stretch =
      focal.map { ($0.x * $0.y).squareRoot() / $0 }
      ?? (placement.scale.x * placement.scale.y).squareRoot() / placement.scale
    var samples: [Sample] = []
    for row in stride(from: steps.1 / 2, to: size.height, by: steps.1) {
      for column in stride(from: steps.0 / 2, to: size.width, by: steps.0) {
        let index = row * size.width + column
        let center = (SIMD2(Double(column), Double(row)) + 0.5) * pixelSize
        guard isKnown[index], isInside(center) else { continue }
        let place = center - SIMD2(Double(input.width), Double(input.height)) / 2
        samples.append(
          Sample(
            pixel: place * stretch,
            point: SIMD3(
              Double(values[3 * index]), Double(values[3 * index + 1]),
              Double(values[3 * index + 2]))))
      }
    }
    return samples
  }

  /// Finds the shift, and the focal length where it is not known.
  ///
  /// The sum of squares of the distances in pixels is made a minimum by Levenberg and Marquardt's steps,
  /// with all points before the camera.
  ///
  /// - Parameter known: The camera's focal length, in pixels of the input along both axes; `nil` to find it.
  /// - Returns: Both.
  /// - Throws: `.degenerate` where the points determine nothing. O(1): at most 64 × 64 samples.
  func solved(focalLengthPixels known: SIMD2<Double>?) throws(EstimationError) -> Solution {
    let samples = samples(known)
    guard samples.count >= 16 else {
      throw EstimationError(
        .degenerate, expected: "at least 16 samples of points",
        found: "\(samples.count) that the model's mask leaves")
    }
    let nearest = samples.reduce(Double.infinity) { min($0, $1.point.z) }
    let spread = samples.reduce(0) { max($0, abs($1.point.x), abs($1.point.y)) }
    guard spread > 0, spread.isFinite else {
      throw EstimationError(
        .degenerate, expected: "points beside the axis", found: "all of them on it")
    }
    let fixed = known.map { ($0.x * $0.y).squareRoot() }
    var shift = nearest > 0 ? 0 : 0.1 * spread - nearest
    var focal = fixed ?? Self.focalLength(samples, shift)
    var error = Self.error(samples, shift, focal)
    var damping = 1e-3
    for _ in 0..<100 {
      let step = Self.step(samples, shift, focal, damping, isFocalFree: fixed == nil)
      let candidate = (shift: shift + step.x, focal: focal + step.y)
      let isPossible = nearest + candidate.shift > 1e-6 * spread && candidate.focal > 0
      let next =
        isPossible ? Self.error(samples, candidate.shift, candidate.focal) : .infinity
      guard next < error else {
        damping *= 8
        if damping > 1e12 { break }
        continue
      }
      let gain = error - next
      (shift, focal, error) = (candidate.shift, candidate.focal, next)
      damping = max(damping / 8, 1e-12)
      if gain <= 1e-12 * error { break }
    }
    guard focal.isFinite, focal > 0, shift.isFinite, error.isFinite else {
      throw EstimationError(
        .degenerate, expected: "points that one camera sees", found: "none that fits")
    }
    return Solution(shift: shift, focalLengthPixels: focal)
  }

  /// How many pixels the mask leaves out.
  var maskedCount: Int { isKnown.count { !$0 } }

  /// Meters along the axis for each pixel; NaN where the point means nothing or lies behind the camera.
  func meters(_ solution: Solution) -> Tensor {
    let meters = isKnown.indices.map { index -> Float in
      let depth = (Double(values[3 * index + 2]) + solution.shift) * scale
      return isKnown[index] && depth > 0 ? Float(depth) : .nan
    }
    return Tensor(shape: [size.height, size.width], values: meters)
  }
}

extension PointMap {
  /// The focal length with the least squares for a shift.
  private static func focalLength(_ samples: [Sample], _ shift: Double) -> Double {
    var sums = (0.0, 0.0)
    for sample in samples {
      let seen = SIMD2(sample.point.x, sample.point.y) / (sample.point.z + shift)
      sums.0 += (seen * sample.pixel).sum()
      sums.1 += (seen * seen).sum()
    }
    return max(sums.0 / sums.1, .leastNormalMagnitude)
  }

  /// The sum of squares in square pixels.
  private static func error(_ samples: [Sample], _ shift: Double, _ focal: Double) -> Double {
    samples.reduce(0) { sum, sample in
      let seen = focal * SIMD2(sample.point.x, sample.point.y) / (sample.point.z + shift)
      let difference = seen - sample.pixel
      return sum + (difference * difference).sum()
    }
  }

  /// The damped step of shift and focal length.
  private static func step(
    _ samples: [Sample], _ shift: Double, _ focal: Double, _ damping: Double, isFocalFree: Bool
  ) -> SIMD2<Double> {
    // The normal equations of two unknowns.
    var (a, b, c) = (0.0, 0.0, 0.0)
    var right = SIMD2<Double>.zero
    for sample in samples {
      let depth = sample.point.z + shift
      let byFocal = SIMD2(sample.point.x, sample.point.y) / depth
      let byShift = -focal * byFocal / depth
      let difference = sample.pixel - focal * byFocal
      a += (byShift * byShift).sum()
      b += (byShift * byFocal).sum()
      c += (byFocal * byFocal).sum()
      right += SIMD2((byShift * difference).sum(), (byFocal * difference).sum())
    }
    guard isFocalFree else { return SIMD2(right.x / (a * (1 + damping)), 0) }
    let (first, second) = (a * (1 + damping), c * (1 + damping))
    let determinant = first * second - b * b
    guard determinant > 0 else { return .zero }
    return SIMD2(
      (second * right.x - b * right.y) / determinant, (first * right.y - b * right.x) / determinant)
  }
}

extension Tensor {
  /// The numbers where a mask is above ½, and NaN elsewhere.
  ///
  /// - Throws: `.mismatch` for a mask with another count of numbers.
  func masked(by mask: Tensor) throws(EstimationError) -> Tensor {
    guard mask.values.count == values.count else {
      throw EstimationError(
        .mismatch, expected: "a mask of the shape \(shape)", found: "the shape \(mask.shape)")
    }
    return Tensor(
      shape: shape, values: zip(values, mask.values).map { $1 > 0.5 ? $0 : .nan })
  }
}
