public import PlumblineInference
public import PlumblineModel

/// An estimate as gray levels: dark is near, bright is far.
public struct GrayMap: Sendable {
  /// The levels, upright, at most ``maximumSide`` pixels a side; 255 also where there is no estimate.
  public let levels: Raster<UInt8>
  /// What black and white stand for, in words.
  public let legend: String

  /// The longer side at most.
  public static let maximumSide = 320

  /// The image for the screen; O(*n*).
  public var image: Raster<RGB8> { levels.map { RGB8(red: $0, green: $0, blue: $0) } }
}

/// The range of an estimate that black and white stand for, steady from frame to frame.
public struct GrayRange: Sendable, Hashable {
  /// How much of a frame's own range the next image takes: a change is half done after three frames.
  static let pace: Float = 0.2
  private var low: Float?
  private var high: Float?
  private var meaning: ModelCard.OutputMeaning?

  /// Takes the range of the first frame.
  public init() {}

  /// The image of an estimate, whose range becomes a part of what follows; O(*n*) of the estimate.
  public mutating func map(_ estimated: EstimatedDepth) -> GrayMap {
    let estimate = estimated.estimate
    // Nearer is larger for reciprocals without a unit; all else grows with distance.
    let isReciprocal = estimated.depth == nil && estimate.meaning == .relativeInverse
    let values = (estimated.depth?.meters ?? estimated.relativeValues).map { raster in
      Self.reduced(raster).map { isReciprocal ? -$0 : $0 }
    }
    guard let values else {
      return GrayMap(
        levels: Raster(size: RasterSize(width: 1, height: 1), repeating: 255), legend: "no map")
    }
    // Meters and numbers without a unit have no range in common.
    let kind: ModelCard.OutputMeaning = estimated.depth == nil ? estimate.meaning : .meters
    if kind != meaning { (low, high, meaning) = (nil, nil, kind) }
    adopt(values)
    let (black, white) = (low ?? 0, high ?? 1)
    let factor = 255 / max(white - black, .leastNormalMagnitude)
    let levels = values.map { value -> UInt8 in
      guard value.isFinite else { return 255 }
      return UInt8(min(max((value - black) * factor, 0), 255).rounded())
    }
    let turned = levels.oriented(by: estimate.grid.placement.orientation)
    return GrayMap(
      levels: turned,
      legend: estimated.depth == nil
        ? "black is near, white is far; the model gives no meters"
        : "black \(Double(black).fixed(2)) m, white \(Double(white).fixed(2)) m"
          + (estimated.isFitted ? "" : ", as the model estimates"))
  }

  /// Moves the range toward that of a frame: 2 % of its values are darker, 2 % brighter.
  private mutating func adopt(_ values: Raster<Float>) {
    let sorted = values.samples.filter(\.isFinite).sorted()
    guard let first = sorted.first, let last = sorted.last else { return }
    let edge = sorted.count / 50
    let own =
      sorted.count > 2 * edge ? (sorted[edge], sorted[sorted.count - 1 - edge]) : (first, last)
    low = low.map { $0 + (own.0 - $0) * Self.pace } ?? own.0
    high = high.map { $0 + (own.1 - $0) * Self.pace } ?? own.1
  }

  /// Every so manieth pixel, so that the longer side is short enough.
  private static func reduced(_ raster: Raster<Float>) -> Raster<Float> {
    let side = max(raster.width, raster.height)
    let step = max(1, (side + GrayMap.maximumSide - 1) / GrayMap.maximumSide)
    let size = RasterSize(width: raster.width / step, height: raster.height / step)
    return Raster(size: size) { x, y in raster[x * step + step / 2, y * step + step / 2] }
  }
}
