import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineInference

/// Points that are right up to a shift become meters by their perspective.
@Suite struct PointMapTests {
  private static let size = RasterSize(width: 40, height: 30)

  /// A scene seen by a camera, as a network of that law gives it, and its depths in meters.
  private func scene(
    focal: Double, scale: Double, shift: Double, noise: Double = 0, seed: UInt64 = 1
  ) -> (points: Tensor, depths: [Double]) {
    var generator = SeededGenerator(seed: seed)
    var values: [Float] = []
    var depths: [Double] = []
    for row in 0..<Self.size.height {
      for column in 0..<Self.size.width {
        let (u, v) = (Double(column) - 19.5, Double(row) - 14.5)
        // A slanted floor with a box on it.
        let z = (column > 24 && row > 12 ? 1.5 : 3) + 0.02 * v + 0.01 * u
        depths.append(z)
        let error = noise == 0 ? 0 : Double.random(in: -noise...noise, using: &generator)
        values += [u * z / focal / scale, v * z / focal / scale, (z + error) / scale - shift]
          .map { Float($0) }
      }
    }
    return (Tensor(shape: [1, Self.size.height, Self.size.width, 3], values: values), depths)
  }

  private func map(
    _ points: Tensor, scale: Double, mask: Tensor? = nil, of image: RasterSize = Self.size
  ) throws -> PointMap {
    let placement = try InputPlacement(.scaleFit, of: image, orientation: .up, in: Self.size)
    return try PointMap(
      points, mask: mask, scale: Tensor(shape: [1], values: [Float(scale)]), placement: placement)
  }

  @Test(arguments: [(30.0, 0.5, -0.4), (50, 2, 0.7), (25, 1, 0), (80, 3, 2.5)])
  func shiftAndFocalLengthAreFound(focal: Double, scale: Double, shift: Double) throws {
    let (points, depths) = scene(focal: focal, scale: scale, shift: shift)
    let map = try map(points, scale: scale)
    let free = try map.solved(focalLengthPixels: nil)
    #expect(abs(free.shift - shift) < 1e-3 * max(1, abs(shift)), "\(free)")
    #expect(abs(free.focalLengthPixels - focal) < 1e-3 * focal, "\(free)")
    let known = try map.solved(focalLengthPixels: SIMD2(repeating: focal))
    #expect(abs(known.shift - shift) < 1e-3 * max(1, abs(shift)))
    #expect(known.focalLengthPixels == focal)
    for (meters, depth) in zip(map.meters(known).values, depths) {
      #expect(abs(Double(meters) - depth) < 1e-3 * depth)
    }
  }

  @Test func noiseMovesTheResultLittle() throws {
    for seed in UInt64(1)...5 {
      let (points, _) = scene(focal: 40, scale: 1, shift: 0.5, noise: 0.02, seed: seed)
      let solved = try map(points, scale: 1).solved(focalLengthPixels: nil)
      // 1200 points of ± 12 mm.
      #expect(abs(solved.shift - 0.5) < 0.05, "\(solved)")
      #expect(abs(solved.focalLengthPixels - 40) < 1)
    }
  }

  @Test func whatTheMaskLeavesOutIsMissingAndTheBorderTellsNothing() throws {
    let (sound, depths) = scene(focal: 40, scale: 1, shift: 0.5)
    var points = sound
    var kept = [Float](repeating: 1, count: Self.size.pixelCount)
    for index in 0..<100 { kept[index] = 0.2 }
    let mask = Tensor(shape: [1, Self.size.height, Self.size.width], values: kept)
    // An upright image of 20 × 30 leaves ten columns of border on both sides, where points are wrong.
    let narrow = RasterSize(width: 20, height: 30)
    for index in 0..<1200 where !(10..<30).contains(index % 40) {
      points.values[3 * index] = 100
    }
    let map = try map(points, scale: 1, mask: mask, of: narrow)
    let meters = map.meters(try map.solved(focalLengthPixels: nil)).values
    #expect(map.maskedCount == 100)
    for (index, value) in meters.enumerated() {
      #expect(value.isNaN == (index < 100), "\(index)")
      if index >= 100 { #expect(abs(Double(value) - depths[index]) < 0.01) }
    }
  }

  @Test func whatIsNoMapOfPointsIsRefused() throws {
    let (points, _) = scene(focal: 40, scale: 1, shift: 0.5)
    let flat = Tensor(shape: [30, 40], values: Array(repeating: 1, count: 1200))
    #expect(throws: EstimationError.self) { try map(flat, scale: 1) }
    for scale in [0, -1, Double.nan] {
      #expect(throws: EstimationError.self) { try map(points, scale: scale) }
    }
    let small = Tensor(shape: [2, 2], values: [1, 1, 1, 1])
    #expect(throws: EstimationError.self) { try map(points, scale: 1, mask: small) }
    let none = Tensor(shape: [30, 40], values: Array(repeating: 0, count: 1200))
    #expect(throws: EstimationError.self) {
      try map(points, scale: 1, mask: none).solved(focalLengthPixels: nil)
    }
    let axis = Tensor(
      shape: [30, 40, 3], values: (0..<3600).map { $0 % 3 == 2 ? 1 : 0 })
    #expect(throws: EstimationError.self) {
      try map(axis, scale: 1).solved(focalLengthPixels: nil)
    }
  }

  @Test func aCardOfPointsReadsAsWritten() throws {
    let card = KnownModel.moge2Small.card
    #expect(try ModelCard(card.json) == card)
    #expect(card.inputShapes == [[1, 3, 476, 644], []])
    var odd = card
    odd.scaleOutputName = nil
    #expect(throws: JSONReadingError.self) { try ModelCard(odd.json) }
    odd = KnownModel.fastDepth.card
    odd.scaleOutputName = "scale"
    #expect(throws: JSONReadingError.self) { try ModelCard(odd.json) }
    odd = card
    odd.constants = (0..<9).map { ModelCard.ConstantInput(name: "a\($0)", value: 1) }
    #expect(throws: JSONReadingError.self) { try ModelCard(odd.json) }
  }
}
