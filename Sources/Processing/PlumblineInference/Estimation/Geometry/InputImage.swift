import CKernels
package import PlumblineModel

/// An image made the input of a model: scaled without aliasing, upright, normalized, in the model's
/// layout.
///
/// Colors are scaled as codes, without linearization, as every training pipeline does. The border of
/// `scaleFit` is the mean color of the card, so that normalized it is 0.
package struct InputImage: Sendable {
  /// The position of the image in the input.
  package let placement: InputPlacement
  let factor: Double
  let mean: SIMD3<Double>
  let deviation: SIMD3<Double>
  let layout: ModelCard.Layout
  let channels: ModelCard.Channels
  private let columns: ResamplingAxis
  private let rows: ResamplingAxis

  /// Prepares for images of one size; O(side).
  ///
  /// - Parameters:
  ///   - card: What the model wants.
  ///   - placement: Where the image lies.
  package init(_ card: ModelCard, _ placement: InputPlacement) {
    self.placement = placement
    (factor, mean, deviation) = (card.factor, card.mean, card.deviation)
    (layout, channels) = (card.layout, card.channels)
    let target = placement.storedFilledSize
    columns = ResamplingAxis(
      origin: placement.seen.x, length: placement.seen.size.width, count: target.width)
    rows = ResamplingAxis(
      origin: placement.seen.y, length: placement.seen.size.height, count: target.height)
  }

  /// The input of an image: O(*n*) of the image, each byte of which is read once or twice.
  ///
  /// - Precondition: The image has the size of the placement.
  package func tensor(of image: Raster<RGB8>) -> Tensor {
    precondition(
      image.size == placement.imageSize,
      "an image of \(image.size) for a placement of \(placement.imageSize)")
    let input = placement.inputSize
    var values = [Float](repeating: 0, count: 3 * input.pixelCount)
    let content = colors(of: image)
    let stored = placement.storedFilledSize
    let inverse = placement.orientation.inverse
    let axes = inverse.uprightFromStoredAxes
    let origin = inverse.upright(.zero, in: placement.filled.size)
    let isPlanar = layout == .nchw
    values.withUnsafeMutableBufferPointer { values in
      content.withUnsafeBufferPointer { content in
        guard let values = values.baseAddress, let content = content.baseAddress else { return }
        for y in 0..<placement.filled.size.height {
          let column = Int(origin.x) + Int(axes.y.x) * y
          let row = Int(origin.y) + Int(axes.y.y) * y
          var packing = packing
          packing.first = row * stored.width + column
          packing.step = Int(axes.x.x) + Int(axes.x.y) * stored.width
          packing.pixel_step = isPlanar ? 1 : 3
          packing.channel_step = isPlanar ? input.pixelCount : 1
          let pixel = (placement.filled.y + y) * input.width + placement.filled.x
          plb_estimation_pack(
            content, &packing, placement.filled.size.width, values + pixel * (isPlanar ? 1 : 3))
        }
      }
    }
    let shape =
      isPlanar ? [1, 3, input.height, input.width] : [1, input.height, input.width, 3]
    return Tensor(shape: shape, values: values)
  }

  /// Which color is which channel, and how its codes become numbers.
  private var packing: plb_estimation_packing {
    var packing = plb_estimation_packing()
    packing.channel = channels == .rgb ? (0, 1, 2) : (2, 1, 0)
    let gain = factor / deviation
    let offset = -mean / deviation
    packing.gain = (Float(gain.x), Float(gain.y), Float(gain.z))
    packing.offset = (Float(offset.x), Float(offset.y), Float(offset.z))
    return packing
  }

  /// The seen part of the image at the size of the filled part, turned as stored, in codes.
  private func colors(of image: Raster<RGB8>) -> [Float] {
    let target = placement.storedFilledSize
    // Only the bytes between the first and the last column that anything takes are summed.
    let used = placement.seen
    var sums = [Float](repeating: 0, count: 3 * (used.x + used.size.width) + 1)
    return [Float](unsafeUninitializedCapacity: 3 * target.pixelCount) { colors, count in
      count = 3 * target.pixelCount
      guard let colors = colors.baseAddress else { return }
      sums.withUnsafeMutableBufferPointer { sums in
        image.samples.withUnsafeBytes { bytes in
          guard let sums = sums.baseAddress,
            let bytes = bytes.bindMemory(to: UInt8.self).baseAddress
          else { return }
          columns.withKernelAxis { columns in
            rows.withKernelAxis { rows in
              var (columns, rows) = (columns, rows)
              for y in 0..<target.height {
                plb_estimation_rows(
                  bytes + 3 * used.x, 3 * image.rowStride, &rows, Int32(y), 3 * used.size.width,
                  sums + 3 * used.x)
                plb_estimation_columns(sums, &columns, colors + 3 * y * target.width)
              }
            }
          }
        }
      }
    }
  }
}

/// What each pixel of a scaled axis takes from which pixels of the source; the weights of each sum
/// to 1.
///
/// An axis that shrinks takes the mean of the covered length, one that grows is linear between pixel
/// centers.
/// - Source: area averaging is the box filter of the new pixel's size, which removes what would alias;
///   it is what `cv::resize` calls `INTER_AREA`.
struct ResamplingAxis {
  private(set) var first: [Int32] = []
  private(set) var start: [Int32] = [0]
  private(set) var weights: [Float] = []

  /// Maps `count` pixels onto `length` pixels of a source from `origin` on.
  init(origin: Int, length: Int, count: Int) {
    let step = Double(length) / Double(count)
    for index in 0..<count {
      if step >= 1 {
        let low = Double(index) * step
        let high = min(low + step, Double(length))
        let begin = min(Int(low), length - 1)
        let end = max(begin, min(Int(high.rounded(.up)) - 1, length - 1))
        first.append(Int32(origin + begin))
        for pixel in begin...end {
          let share = min(high, Double(pixel + 1)) - max(low, Double(pixel))
          weights.append(Float(share / (high - low)))
        }
      } else {
        let place = min(max((Double(index) + 0.5) * step - 0.5, 0), Double(length - 1))
        let begin = min(Int(place), max(length - 2, 0))
        first.append(Int32(origin + begin))
        let share = Float(place - Double(begin))
        weights += length > 1 ? [1 - share, share] : [1]
      }
      start.append(Int32(weights.count))
    }
  }

  /// Gives the kernels' view of the tables.
  func withKernelAxis<Result>(_ body: (plb_estimation_axis) -> Result) -> Result? {
    first.withUnsafeBufferPointer { first in
      start.withUnsafeBufferPointer { start in
        weights.withUnsafeBufferPointer { weights in
          guard let first = first.baseAddress, let start = start.baseAddress,
            let weights = weights.baseAddress
          else { return nil }
          return body(
            plb_estimation_axis(
              first: first, start: start, weights: weights, count: Int32(self.first.count)))
        }
      }
    }
  }
}
