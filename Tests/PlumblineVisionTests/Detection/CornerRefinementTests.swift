import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineVision

@Suite struct CornerRefinementTests {
  /// The root mean square of distances to the truth, in pixels.
  private func rootMeanSquare(_ images: [SimulatedCorner], found: [SIMD2<Double>]) -> Double {
    let squares = zip(images, found).map { image, found in
      let miss = found - image.corner
      return (miss * miss).sum()
    }
    return (squares.reduce(0, +) / Double(images.count)).squareRoot()
  }

  /// Corners and positions to start from, up to a distance away.
  private func images(
    _ shape: SimulatedCorner.Shape, startingWithin distance: Double, count: Int = 30
  ) -> (images: [SimulatedCorner], starts: [SIMD2<Double>]) {
    var random = SeededGenerator(seed: 7)
    let images = (0..<count).map { _ in SimulatedCorner(shape, using: &random) }
    let starts = images.map { image in
      let turn = random.uniform(in: 0..<(2 * .pi))
      return image.corner + SIMD2(cos(turn), sin(turn)) * random.uniform(in: 0..<distance)
    }
    return (images, starts)
  }

  private func error(
    _ shape: SimulatedCorner.Shape, radius: Int, startingWithin distance: Double = 1.2,
    count: Int = 30
  ) throws -> Double {
    let (images, starts) = images(shape, startingWithin: distance, count: count)
    let refinement = CornerRefinement(radius: radius)
    let found = try zip(images, starts).map { image, start in
      try #require(refinement.refined(start, in: image.luma), "from \(start)")
    }
    return rootMeanSquare(images, found: found)
  }

  @Test(
    "Without noise a corner is found within 0.02 pixels, whatever blur and slant",
    arguments: [(20.0, 6), (12, 5), (8, 3)], [0, 0.7, 1.2])
  func noiseless(square: (pixels: Double, radius: Int), blur: Double) throws {
    let shape = SimulatedCorner.Shape(squarePixels: square.pixels, blurPixels: blur)
    #expect(try error(shape, radius: square.radius, count: 8) < 0.02, "pixels")
  }

  @Test("A blur of 2 pixels on squares of 8 pixels leaves a thirtieth of a pixel")
  func strongBlur() throws {
    let small = SimulatedCorner.Shape(squarePixels: 8, blurPixels: 2)
    #expect(try error(small, radius: 4, count: 15) < 0.033, "pixels")
    let large = SimulatedCorner.Shape(squarePixels: 20, blurPixels: 2)
    #expect(try error(large, radius: 8, count: 15) < 0.01, "pixels")
  }

  @Test("A change of light of 20 % over the image moves a corner by less than 0.03 pixels")
  func unevenLight() throws {
    let shape = SimulatedCorner.Shape(squarePixels: 16, blurPixels: 1, unevenness: 0.2)
    #expect(try error(shape, radius: 6) < 0.03, "pixels")
  }

  @Test("A start half the radius away leads to the same corner")
  func distantStart() throws {
    let shape = SimulatedCorner.Shape(squarePixels: 16, blurPixels: 1, noise: 2)
    #expect(try error(shape, radius: 6, startingWithin: 3) < 0.03, "pixels")
  }

  @Test(
    "Noise leaves at most two thirds of the error that OpenCV's cornerSubPix leaves at its best",
    .enabled(if: PythonPeer.has("cv2", "numpy"), "\(PythonPeer.absence("cv2"))"),
    arguments: [(20.0, 1.0, 8), (12, 1, 6), (8, 0.7, 4), (20, 2, 8)])
  func besideOpenCV(square: Double, blur: Double, radius: Int) throws {
    let shape = SimulatedCorner.Shape(squarePixels: square, blurPixels: blur, noise: 4)
    let (images, starts) = images(shape, startingWithin: 1)
    let folder = try TemporaryFolder()
    try folder.put(images.flatMap(\.luma.samples), at: "images")
    let numbers = starts.flatMap { [$0.x, $0.y] }
    try folder.put(numbers.withUnsafeBytes { [UInt8]($0) }, at: "starts")
    // Which window suits OpenCV best depends on the square, so the best of three is compared.
    let theirs = try [radius / 2, radius * 3 / 4, radius].map { window in
      let answer = try PythonPeer.run(
        "corner_subpix.py", folder.file("images"), folder.file("starts"),
        "\(SimulatedCorner.size.width)", "\(SimulatedCorner.size.height)", "\(window)")
      let values = answer.withUnsafeBytes { bytes in
        (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
      }
      let found = images.indices.map { SIMD2(values[2 * $0], values[2 * $0 + 1]) }
      return rootMeanSquare(images, found: found)
    }
    let ours = try error(shape, radius: radius, startingWithin: 1)
    let best = try #require(theirs.min())
    #expect(ours < best * 2 / 3, "\(ours) px beside \(theirs) px")
  }

  @Test("Flat, edge, spot, outer corner and noise are no saddles")
  func noSaddle() {
    let size = RasterSize(width: 41, height: 41)
    var random = SeededGenerator(seed: 3)
    let images: [(String, Raster<UInt8>)] = [
      ("flat", Raster(size: size, repeating: 90)),
      ("edge", Raster(size: size) { x, y in 2 * x + y < 60 ? 40 : 200 }),
      ("ramp", Raster(size: size) { x, y in UInt8(2 * x + 3 * y) }),
      ("line", Raster(size: size) { x, y in abs(x - 20) < 2 ? 40 : 200 }),
      (
        "spot",
        Raster(size: size) { x, y in (x - 20) * (x - 20) + (y - 20) * (y - 20) < 16 ? 40 : 200 }
      ),
      ("corner", Raster(size: size) { x, y in x < 20 && y < 20 ? 40 : 200 }),
      ("noise", Raster(size: size) { _, _ in UInt8(90 + random.gaussian(mean: 0, sigma: 4)) }),
    ]
    for (name, luma) in images {
      for radius in [2, 4, 8] {
        for start in [SIMD2(20.0, 20), SIMD2(19.6, 20.3), SIMD2(18, 19)] {
          let found = CornerRefinement(radius: radius).refined(start, in: luma)
          #expect(found == nil, "\(name), radius \(radius), from \(start)")
        }
      }
    }
  }

  @Test("Borders, tiny images, padding and numbers that are none never trap")
  func hostileStarts() {
    var random = SeededGenerator(seed: 5)
    let image = SimulatedCorner(.init(squarePixels: 12, blurPixels: 1), using: &random)
    let odd: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, -0.5, 0, 3, 34, 35, 1e9]
    for x in odd {
      for y in odd + [17] {
        for radius in [Int.min, 2, 8, .max] {
          let found = CornerRefinement(radius: radius).refined([x, y], in: image.luma)
          if let found { #expect(abs(found.x - x) <= 8 && abs(found.y - y) <= 8) }
        }
      }
    }
    for side in 0...12 {
      let tiny = Raster<UInt8>(size: RasterSize(width: side, height: side), repeating: 7)
      #expect(CornerRefinement().refined([Double(side) / 2, Double(side) / 2], in: tiny) == nil)
    }
    let padded = Raster(
      size: RasterSize(width: 35, height: 35), rowStride: 40,
      samples: (0..<35).flatMap { image.luma.row($0) + [1, 2, 3, 4, 5] })
    let refinement = CornerRefinement()
    #expect(
      refinement.refined(image.corner, in: padded)
        == refinement.refined(image.corner, in: image.luma))
    #expect(CornerRefinement(squarePixels: .nan).radius == 2)
    #expect(CornerRefinement(squarePixels: .infinity).radius == 8)
  }

  @Test("A corner never moves farther than the radius")
  func boundedWay() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<40 {
      let shape = SimulatedCorner.Shape(squarePixels: 9, blurPixels: 0.8)
      let image = SimulatedCorner(shape, using: &random)
      let start = SIMD2(random.uniform(in: 8..<26), random.uniform(in: 8..<26))
      for radius in [2, 3, 5, 8] {
        guard let found = CornerRefinement(radius: radius).refined(start, in: image.luma)
        else { continue }
        let way = found - start
        #expect((way * way).sum().squareRoot() <= Double(radius), "pixels, from \(start)")
      }
    }
  }
}
