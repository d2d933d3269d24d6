import PlumblineFaces
import PlumblineInference
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct CropTests {
  private func crop(_ generator: inout SeededGenerator, around center: Float = 50) -> FaceCrop {
    FaceCrop(
      center: [
        .random(in: -20...center + 70, using: &generator),
        .random(in: -20...center + 70, using: &generator),
      ], sidePixels: .random(in: 1...600, using: &generator),
      rotationRadians: .random(in: -4...4, using: &generator))
  }

  private func noise(_ size: RasterSize, _ generator: inout SeededGenerator) -> Raster<RGB8> {
    Raster<RGB8>(size: size) { _, _ in
      RGB8(
        red: .random(in: 0...255, using: &generator),
        green: .random(in: 0...255, using: &generator),
        blue: .random(in: 0...255, using: &generator))
    }
  }

  @Test(arguments: 0..<50)
  func placesGoThereAndBack(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let crop = crop(&generator)
    for _ in 0..<20 {
      let place = SIMD2<Float>(
        .random(in: -1...2, using: &generator), .random(in: -1...2, using: &generator))
      let back = crop.pointInCrop(crop.pointInImage(place))
      // Pixels of up to 1,000 in 24 bits of mantissa, over sides down to one pixel.
      #expect(distance(place, back) < 2e-4 * max(1, 20 / crop.sidePixels))
    }
  }

  @Test func theCornersOfAnUprightCropAreThoseOfItsPixels() {
    let crop = FaceCrop(center: [49.5, 29.5], sidePixels: 40)
    #expect(crop.pointInImage([0, 0]) == [29.5, 9.5])
    #expect(crop.pointInImage([1, 1]) == [69.5, 49.5])
    let turned = FaceCrop(center: .zero, sidePixels: 2, rotationRadians: .pi / 2)
    #expect(distance(turned.pointInImage([1, 0.5]), [0, 1]) < 1e-6)
  }

  @Test(arguments: 0..<12)
  func theKernelGivesTheBitsOfItsDefinition(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let image = noise(
      RasterSize(
        width: .random(in: 1...120, using: &generator),
        height: .random(in: 1...120, using: &generator)), &generator)
    for var sampler in [CropSampler.detector, .landmarks] {
      sampler.isAveraged = false
      sampler.inputSide = 40
      let crop = crop(&generator)
      #expect(
        sampler.tensor(of: crop, in: image).values
          == SlowCrop.sampled(crop, in: image, sampler))
    }
  }

  @Test func paddedRowsAndCropsFarAwayAreReadSafely() {
    var generator = SeededGenerator(seed: 3)
    let packed = noise(RasterSize(width: 9, height: 7), &generator)
    var samples: [RGB8] = []
    for y in 0..<7 {
      samples += packed.row(y) + Array(repeating: RGB8(red: 1, green: 2, blue: 3), count: 4)
    }
    let padded = Raster<RGB8>(size: packed.size, rowStride: 13, samples: samples)
    for (center, side) in [
      (SIMD2<Float>(4, 3), Float(8)), ([4, 3], 700), ([1e9, -1e9], 50), ([0, 0], 1e9),
      ([4, 3], 1e-9),
    ] {
      let crop = FaceCrop(center: center, sidePixels: side, rotationRadians: 0.3)
      for sampler in [CropSampler.detector, .landmarks] {
        let values = sampler.tensor(of: crop, in: padded).values
        #expect(values == sampler.tensor(of: crop, in: packed).values)
        #expect(values.allSatisfy { $0 >= -1 && $0 <= 1 })
      }
    }
    let far = FaceCrop(center: [500, 500], sidePixels: 20)
    #expect(CropSampler.detector.tensor(of: far, in: packed).values.allSatisfy { $0 == -1 })
    let last = packed[8, 6]
    #expect(
      Array(CropSampler.landmarks.tensor(of: far, in: packed).values.prefix(3))
        == [last.red, last.green, last.blue].map { Float($0) * (1.0 / 255) })
  }

  /// Averages must lie where the pixels lie that they are of.
  @Test(arguments: [2.0, 3.3, 5.0, 6.5, 9.0, 13.7, 20.0] as [Float])
  func aRampStaysWhereItIsHoweverMuchItIsReduced(scale: Float) {
    let side = Int(scale * 256) + 80
    let image = Raster<RGB8>(size: RasterSize(width: side, height: side)) { x, y in
      RGB8(
        red: UInt8(255 * x / side), green: UInt8(255 * y / side),
        blue: UInt8(255 * (x + y) / (2 * side)))
    }
    let crop = FaceCrop(
      center: SIMD2(repeating: Float(side - 1) / 2), sidePixels: scale * 200, rotationRadians: 0.2)
    let tensor = CropSampler.landmarks.tensor(of: crop, in: image)
    var worst: Float = 0
    var bias = SIMD2<Float>.zero
    for y in stride(from: 0, to: 256, by: 15) {
      for x in 0..<256 {
        let place = crop.pointInImage((SIMD2(Float(x), Float(y)) + 0.5) / 256)
        // Whole levels are cut, half a level on the mean.
        let expected = (place * 255 / Float(side)) - 0.5
        let index = 3 * (256 * y + x)
        let found = SIMD2(tensor.values[index], tensor.values[index + 1]) * 255
        worst = max(worst, abs(found.x - expected.x), abs(found.y - expected.y))
        bias += (found - expected) / (18 * 256)
      }
    }
    // A level of rounding; on the mean a quarter of one remains down the lines, of which two are read: their mean is a
    // half for every other square, and halves go up. One pixel of the input is 0.7 levels and more.
    #expect(worst < 1.1, "\(worst)")
    #expect(abs(bias.x) < 0.15 && abs(bias.y) < 0.26, "\(bias), worst \(worst)")
  }

  /// Averages are whole numbers of what is read: any number of threads gives them bit for bit.
  @Test(arguments: [2.4, 3.9, 6.1, 7.5, 13, 255, 700] as [Float])
  func reducedCropsAreMeansOfTheirSquares(scale: Float) throws {
    var generator = SeededGenerator(seed: UInt64(scale))
    var sampler = CropSampler.landmarks
    sampler.inputSide = 3
    let side = Int(scale * 3) + 40
    let image = noise(RasterSize(width: side + 7, height: side), &generator)
    let crop = FaceCrop(
      center: SIMD2(repeating: Float(side) / 2), sidePixels: scale * 3, rotationRadians: 0.4)
    let values = sampler.tensor(of: crop, in: image).values
    for threads in [2, 3, 7] {
      sampler.threads = threads
      #expect(sampler.tensor(of: crop, in: image).values == values)
    }
    let reduced = SlowCrop.reduced(crop, in: image, by: Int(min(scale, 256)))
    sampler.isAveraged = false
    #expect(values == sampler.tensor(of: reduced.crop, in: reduced.image).values)
  }

  @Test func finePatternsAreAveragedAway() {
    let image = Raster<RGB8>(size: RasterSize(width: 1400, height: 1400)) { x, y in
      let level: UInt8 = (x / 2 + y / 2).isMultiple(of: 2) ? 255 : 0
      return RGB8(red: level, green: level, blue: level)
    }
    let crop = FaceCrop(center: [700, 700], sidePixels: 1280)
    func spread(_ sampler: CropSampler) -> Float {
      let values = sampler.tensor(of: crop, in: image).values
      return (values.max() ?? 0) - (values.min() ?? 0)
    }
    var rough = CropSampler.landmarks
    rough.isAveraged = false
    #expect(spread(rough) > 0.9)
    // Squares of five pixels hold 12 or 13 of 25 bright ones.
    #expect(spread(.landmarks) < 0.3)
  }

  @Test func theCropOfAFaceIsLevelWithItsEyes() {
    let points: [SIMD2<Float>] = [[10, 20], [30, 40], [20, 30], [15, 35], [5, 15], [35, 45]]
    let box = FaceBox(center: [20, 30], size: [40, 60])
    let crop = FaceCrop(FaceDetection(box: box, points: points, score: 1))
    #expect(crop.center == box.center && crop.sidePixels == 90)
    #expect(abs(crop.rotationRadians - .pi / 4) < 1e-6)
    let (right, left) = (crop.pointInCrop(points[0]), crop.pointInCrop(points[1]))
    #expect(abs(right.y - left.y) < 1e-6 && right.x < left.x)
  }
}
