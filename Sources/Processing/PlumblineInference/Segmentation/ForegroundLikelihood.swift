package import PlumblineModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How likely each pixel of an image is foreground, as a network says.
package struct ForegroundLikelihood: Sendable {
  /// The grid of the values on the image.
  package let grid: OutputGrid
  /// The values, 0 to 1, on the output's own grid, turned as the image is stored.
  package let values: Raster<Float>

  /// Takes an output apart.
  ///
  /// - Parameters:
  ///   - output: The tensor; axes of length 1 do not count, but for the one of classes.
  ///   - card: What its numbers mean.
  ///   - placement: Where the image lies in the input.
  /// - Throws: `.mismatch` for an output that is no map, has too few classes, or whose probabilities are
  ///   none; `.degenerate` for numbers that are not finite. O(*n*) of the output.
  /// - Precondition: The card is of a network for segmentation.
  package init(
    _ output: Tensor, card: ModelCard, placement: InputPlacement
  ) throws(EstimationError) {
    guard let bad = output.values.firstIndex(where: { !$0.isFinite }) else {
      let map =
        switch card.outputMeaning {
        case .foregroundProbability: try Self.probabilities(Self.map(output))
        case .foregroundLogit: try Self.map(output).map { 1 / (1 + Self.exponential(-$0)) }
        case .classScores: try Self.classes(output, card)
        case .meters, .inverseMeters, .relativeInverse, .relativeDepth, .affinePoints:
          preconditionFailure("a network for depth segments nothing")
        }
      grid = OutputGrid(placement, outputSize: map.size)
      values = map.oriented(by: placement.orientation.inverse)
      return
    }
    throw EstimationError(
      .degenerate, expected: "an output of finite numbers",
      found: "\(output.values[bad]) as number \(bad) of \(output.values.count)")
  }

  /// The likelihoods on the image's own grid; NaN where the network did not look.
  ///
  /// Cost: O(*n*) of the image.
  package var onImage: Raster<Float> { grid.spread(values, .plain) }

  /// e to a power; a power beyond ± 80 counts as that, so that no sum overflows.
  private static func exponential(_ power: Float) -> Float { exp(min(max(power, -80), 80)) }

  /// The map without the axes of length 1 around it.
  private static func map(_ output: Tensor) throws(EstimationError) -> Raster<Float> {
    var shape = output.shape[...]
    while shape.count > 2, shape.first == 1 { shape.removeFirst() }
    while shape.count > 2, shape.last == 1 { shape.removeLast() }
    guard shape.count == 2, shape.allSatisfy({ $0 >= 2 }) else {
      throw EstimationError(
        .mismatch, expected: "an output of rows and columns, two of each at least",
        found: "the shape \(output.shape)")
    }
    return Raster(
      size: RasterSize(width: shape[shape.startIndex + 1], height: shape[shape.startIndex]),
      samples: output.values)
  }

  /// Probabilities that may be off by what a sigmoid in half floats is.
  private static func probabilities(
    _ map: Raster<Float>
  ) throws(EstimationError) -> Raster<Float> {
    guard let bad = map.samples.first(where: { $0 < -0.01 || $0 > 1.01 }) else {
      return map.map { min(max($0, 0), 1) }
    }
    throw EstimationError(
      .mismatch, expected: "probabilities of 0 to 1, as the card says", found: "\(bad)")
  }

  /// The share of the foreground's classes in the softmax of all.
  private static func classes(
    _ output: Tensor, _ card: ModelCard
  ) throws(EstimationError) -> Raster<Float> {
    var shape = output.shape[...]
    if shape.count == 4, shape.first == 1 { shape.removeFirst() }
    let lengths = Array(shape)
    guard lengths.count == 3 else {
      throw EstimationError(
        .mismatch, expected: "an output of classes, rows and columns",
        found: "the shape \(output.shape)")
    }
    // Classes come first or last, as channels of the input do.
    let isFirst = card.layout == .nchw
    let (classes, rows, columns) =
      isFirst ? (lengths[0], lengths[1], lengths[2]) : (lengths[2], lengths[0], lengths[1])
    let wanted = card.foregroundClasses
    guard rows >= 2, columns >= 2, classes >= 2, classes <= ModelCard.maximumClasses,
      wanted.allSatisfy({ $0 < classes })
    else {
      throw EstimationError(
        .mismatch,
        expected: "two classes at least and class \(wanted.max() ?? 0), two rows and two columns",
        found: "\(classes) classes of \(columns)×\(rows)")
    }
    let count = rows * columns
    let samples = (0..<count).map { pixel -> Float in
      func score(_ index: Int) -> Float {
        output.values[isFirst ? index * count + pixel : pixel * classes + index]
      }
      let maximum = (0..<classes).reduce(-Float.infinity) { max($0, score($1)) }
      let sum = (0..<classes).reduce(Float(0)) { $0 + exponential(score($1) - maximum) }
      return wanted.reduce(Float(0)) { $0 + exponential(score($1) - maximum) } / sum
    }
    return Raster(size: RasterSize(width: columns, height: rows), samples: samples)
  }
}
