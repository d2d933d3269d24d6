@testable import PlumblineInference
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("An image made a model's input")
struct InputImageTests {
  private static func image(_ size: RasterSize, seed: UInt64) -> Raster<RGB8> {
    var random = SeededGenerator(seed: seed)
    return Raster(size: size) { _, _ in
      RGB8(
        red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
        blue: .random(in: 0...255, using: &random))
    }
  }

  /// Turns first, then takes for each pixel of the input the mean of what it covers, in doubles.
  private static func slow(
    _ image: Raster<RGB8>, _ card: ModelCard, _ placement: InputPlacement
  ) -> [Float] {
    let upright = image.oriented(by: placement.orientation)
    let seen = placement.seen.oriented(by: placement.orientation, in: image.size)
    let filled = placement.filled
    let input = placement.inputSize
    var values = [Float](repeating: 0, count: 3 * input.pixelCount)
    func weights(_ index: Int, _ length: Int, _ count: Int) -> [(Int, Double)] {
      let step = Double(length) / Double(count)
      if step >= 1 {
        let (low, high) = (Double(index) * step, Double(index + 1) * step)
        return (0..<length).compactMap { pixel in
          let share = min(high, Double(pixel + 1)) - max(low, Double(pixel))
          return share > 1e-12 ? (pixel, share / step) : nil
        }
      }
      let place = min(max((Double(index) + 0.5) * step - 0.5, 0), Double(length - 1))
      let low = min(Int(place), max(length - 2, 0))
      return length == 1
        ? [(0, 1)] : [(low, 1 - place + Double(low)), (low + 1, place - Double(low))]
    }
    for y in 0..<filled.size.height {
      for x in 0..<filled.size.width {
        var sum = SIMD3<Double>.zero
        for (row, down) in weights(y, seen.size.height, filled.size.height) {
          for (column, across) in weights(x, seen.size.width, filled.size.width) {
            let pixel = upright[seen.x + column, seen.y + row]
            sum +=
              SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue)) * (down * across)
          }
        }
        let ordered = card.channels == .rgb ? sum : SIMD3(sum.z, sum.y, sum.x)
        let numbers = (ordered * card.factor - card.mean) / card.deviation
        let pixel = (filled.y + y) * input.width + filled.x + x
        for channel in 0..<3 {
          let place =
            card.layout == .nhwc ? 3 * pixel + channel : channel * input.pixelCount + pixel
          values[place] = Float(numbers[channel])
        }
      }
    }
    return values
  }

  @Test("The fast way gives what turning and averaging by the book gives", arguments: 1...24)
  func slowTwin(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let size = RasterSize(
      width: .random(in: 1...41, using: &random), height: .random(in: 1...41, using: &random))
    var card = card(
      .random(in: 1...29, using: &random), .random(in: 1...29, using: &random),
      layout: seed % 2 == 0 ? .nchw : .nhwc,
      placement: ModelCard.Placement.allCases[seed % 3])
    card.channels = seed % 5 < 2 ? .bgr : .rgb
    card.mean = [0.485, 0.456, 0.406]
    card.deviation = [0.229, 0.224, 0.225]
    let orientation = ImageOrientation.allCases[seed % 8]
    let image = Self.image(size, seed: UInt64(seed))
    let placement = try InputPlacement(
      card.placement, of: size, orientation: orientation, in: card.inputSize)
    let fast = InputImage(card, placement).tensor(of: image)
    let slow = Self.slow(image, card, placement)
    #expect(fast.shape.reduce(1, *) == slow.count)
    let worst = zip(fast.values, slow).map { abs($0 - $1) }.max() ?? 0
    // A few roundings of single precision of 255 levels, divided by the least deviation.
    #expect(worst < 2e-5, "in normalized units")
  }

  @Test("The middle is seen, the border is the mean color")
  func placements() throws {
    let wide = RasterSize(width: 640, height: 480)
    let square = RasterSize(width: 224, height: 224)
    let crop = try InputPlacement(.centerCrop, of: wide, orientation: .up, in: square)
    #expect(crop.seen == PixelRectangle(x: 80, y: 0, width: 480, height: 480))
    let fit = try InputPlacement(.scaleFit, of: wide, orientation: .up, in: square)
    #expect(fit.filled == PixelRectangle(x: 0, y: 28, width: 224, height: 168))
    let turned = try InputPlacement(.scaleFit, of: wide, orientation: .right, in: square)
    #expect(turned.filled == PixelRectangle(x: 28, y: 0, width: 168, height: 224))
    let fill = try InputPlacement(.scaleFill, of: wide, orientation: .right, in: square)
    let camera = PinholeIntrinsics(
      focalLength: [500, 510], principalPoint: [319.5, 239.5], size: wide)
    // Upright the columns are the stored rows: 510 px over 480 become 510·224/480.
    let expected = SIMD2<Double>(510.0 * (224.0 / 480.0), 500.0 * (224.0 / 640.0))
    #expect(fill.inputFocalLengthPixels(of: camera) == expected)
    #expect(throws: EstimationError.self) {
      try InputPlacement(
        .scaleFill, of: RasterSize(width: 0, height: 3), orientation: .up, in: square)
    }
  }
}
