import CKernels
package import PlumblineModel

/// How a model's output, of any size, lies on the image's own grid.
///
/// The output covers the whole input; its pixel centers are matched to those of the image through
/// the placement. Between four centers values are interpolated linearly, beyond the outermost ones
/// they stay; what the model did not see is missing. Every value is kept in the space in which a plane
/// is linear in the image, so that planes stay planes.
public struct OutputGrid: Sendable, Hashable {
  /// The position of the image in the input.
  package let placement: InputPlacement
  /// The size of the output turned as the image is stored.
  package let size: RasterSize
  private let columns: Axis
  private let rows: Axis

  /// One axis: which two pixels of the output each seen pixel of the image lies between.
  private struct Axis: Hashable {
    /// The first of the image's seen pixels.
    var origin: Int
    /// The output's coordinate of that pixel, and how far the next one is.
    var start: Double
    var step: Double
    /// Coordinates stay between the centers that the image fills.
    var limits: ClosedRange<Double>
    var count: Int

    init(
      seen: Int, seenCount: Int, filled: Int, filledCount: Int, inputCount: Int, outputCount: Int
    ) {
      let ratio = Double(outputCount) / Double(inputCount)
      step = Double(filledCount) / Double(seenCount) * ratio
      start = Double(filled) * ratio + 0.5 * step - 0.5
      origin = seen
      count = seenCount
      let low = (Double(filled) * ratio).rounded(.up)
      let high = (Double(filled + filledCount) * ratio).rounded(.down) - 1
      // An image thinner than a pixel of the output has no center of its own.
      let last = Double(outputCount - 1)
      limits = low <= high ? low...high : min(low, last)...min(low, last)
    }

    func place(_ pixel: Double) -> Double {
      min(max(start + (pixel - Double(origin)) * step, limits.lowerBound), limits.upperBound)
    }
  }

  /// Lays an output over an image.
  ///
  /// - Parameters:
  ///   - placement: Where the image lies in the input.
  ///   - outputSize: The output's columns and rows, as the model gives them.
  /// - Precondition: The output has two columns and two rows at least.
  package init(_ placement: InputPlacement, outputSize: RasterSize) {
    precondition(outputSize.width >= 2 && outputSize.height >= 2, "an output of \(outputSize)")
    self.placement = placement
    let back = placement.orientation.inverse
    size = back.uprightSize(of: outputSize)
    let input = back.uprightSize(of: placement.inputSize)
    let filled = placement.filled.oriented(by: back, in: placement.inputSize)
    let seen = placement.seen
    columns = Axis(
      seen: seen.x, seenCount: seen.size.width, filled: filled.x,
      filledCount: filled.size.width, inputCount: input.width, outputCount: size.width)
    rows = Axis(
      seen: seen.y, seenCount: seen.size.height, filled: filled.y,
      filledCount: filled.size.height, inputCount: input.height, outputCount: size.height)
  }

  /// The value at a position of the image; NaN outside of what was seen.
  ///
  /// - Parameters:
  ///   - pixel: A position in the stored image, not necessarily whole.
  ///   - values: Values of ``size``.
  /// - Returns: The interpolated value. Cost: O(1).
  package func value(at pixel: SIMD2<Double>, in values: Raster<Float>) -> Float {
    let seen = placement.seen
    let near = SIMD2(Double(seen.x), Double(seen.y)) - 0.5
    let far = near + SIMD2(Double(seen.size.width), Double(seen.size.height))
    guard pixel.x >= near.x, pixel.y >= near.y, pixel.x < far.x, pixel.y < far.y else {
      return .nan
    }
    let (x, y) = (columns.place(pixel.x), rows.place(pixel.y))
    let left = min(Int(x), size.width - 2)
    let top = min(Int(y), size.height - 2)
    let (across, down) = (Float(x - Double(left)), Float(y - Double(top)))
    func line(_ row: Int) -> Float {
      let start = values.samples[row * values.rowStride + left]
      return start + across * (values.samples[row * values.rowStride + left + 1] - start)
    }
    let upper = line(top)
    return upper + down * (line(top + 1) - upper)
  }

  /// All values on the image's grid, each made of an interpolated one; NaN outside of what was seen.
  ///
  /// Cost: O(*n*) of the image.
  func spread(_ values: Raster<Float>, _ rule: OutputRule) -> Raster<Float> {
    precondition(values.size == size, "values of \(values.size) for a grid of \(size)")
    let image = placement.imageSize
    let seen = placement.seen
    let places = (0..<seen.size.width).map { columns.place(Double(seen.x + $0)) }
    let first = places.map { Int32(min(Int($0), size.width - 2)) }
    let share = zip(places, first).map { Float($0 - Double($1)) }
    let isWhole = seen.size == image
    let kernel = rule.kernel
    let samples = [Float](unsafeUninitializedCapacity: image.pixelCount) { result, count in
      count = image.pixelCount
      guard let result = result.baseAddress else { return }
      plb_estimation_expect(result, count * MemoryLayout<Float>.stride)
      if !isWhole { result.initialize(repeating: .nan, count: count) }
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * seen.size.width) { lines in
        guard let lines = lines.baseAddress else { return }
        values.packed.samples.withUnsafeBufferPointer { values in
          guard let values = values.baseAddress else { return }
          var (upper, lower) = (lines, lines + seen.size.width)
          var (held, below) = (-1, -1)
          for y in 0..<seen.size.height {
            let place = rows.place(Double(seen.y + y))
            let top = min(Int(place), size.height - 2)
            if top != held {
              if top == below {
                swap(&upper, &lower)
              } else {
                plb_estimation_stretch(
                  values + top * size.width, first, share, seen.size.width, upper)
              }
              plb_estimation_stretch(
                values + (top + 1) * size.width, first, share, seen.size.width, lower)
              (held, below) = (top, top + 1)
            }
            plb_estimation_blend(
              upper, lower, Float(place - Double(top)), kernel.rule, kernel.a, kernel.b,
              seen.size.width, result + (seen.y + y) * image.width + seen.x)
          }
        }
      }
    }
    return Raster(size: image, samples: samples)
  }
}

extension DepthMap {
  /// Depths of a rule on the image's own grid; O(*n*) of the image.
  ///
  /// A rule gives meters that are finite and above 0, or NaN, so that nothing has to be checked again:
  /// of 12 megapixels that takes longer than the rule.
  /// - Precondition: The rule gives depths, so it is not `.plain`.
  init(spread values: Raster<Float>, _ rule: OutputRule, on grid: OutputGrid) {
    precondition(rule != .plain, "numbers without a unit are no depths")
    self.init(meters: Raster(size: RasterSize(width: 0, height: 0), samples: []))
    meters = grid.spread(values, rule)
  }
}

/// The conversion of an interpolated value.
enum OutputRule: Hashable {
  /// The value.
  case plain
  /// `a·v + b`; missing unless above 0.
  case line(a: Double, b: Double)
  /// `a/v + b`; missing unless the value and the result are above 0.
  case reciprocal(a: Double, b: Double)
  /// `1/(a·v + b)`; missing unless `a·v + b` is above 0.
  case inverseLine(a: Double, b: Double)

  /// The kernel's number of the rule and its factors.
  var kernel: (rule: Int32, a: Float, b: Float) {
    switch self {
    case .plain: (0, 1, 0)
    case .line(let a, let b): (1, Float(a), Float(b))
    case .reciprocal(let a, let b): (2, Float(a), Float(b))
    case .inverseLine(let a, let b): (3, Float(a), Float(b))
    }
  }

  /// The rule for one value, in double precision.
  func callAsFunction(_ value: Double) -> Double {
    let depth: Double
    switch self {
    case .plain: return value
    case .line(let a, let b): depth = a * value + b
    case .reciprocal(let a, let b): depth = value > 0 ? a / value + b : .nan
    case .inverseLine(let a, let b): depth = 1 / (a * value + b)
    }
    return depth > 0 && depth.isFinite ? depth : .nan
  }
}
