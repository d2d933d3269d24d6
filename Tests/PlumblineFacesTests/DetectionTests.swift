import PlumblineFaces
import PlumblineInference
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct DetectionTests {
  @Test func anchorsLieInTheMiddleOfTheirCells() {
    let centers = DetectionAnchors.centers
    #expect(centers.count == 896)
    #expect(centers[0] == [0.5 / 16, 0.5 / 16] && centers[1] == centers[0])
    #expect(centers[2] == [1.5 / 16, 0.5 / 16] && centers[32] == [0.5 / 16, 1.5 / 16])
    #expect(centers[512] == [0.5 / 8, 0.5 / 8] && centers[517] == centers[512])
    #expect(centers[518] == [1.5 / 8, 0.5 / 8] && centers[895] == [7.5 / 8, 7.5 / 8])
    // Two to a cell of 16 × 16, six to a cell of 8 × 8.
    let counts = Dictionary(grouping: centers) { $0 }.mapValues(\.count)
    #expect(counts.count == 16 * 16 + 8 * 8)
    #expect(counts.values.count { $0 == 2 } == 256 && counts.values.count { $0 == 6 } == 64)
  }

  /// A run with one box of 32 × 48 pixels, two pixels right of and three below an anchor.
  private func outputs(_ logits: [Int: Float]) -> (boxes: Tensor, scores: Tensor) {
    var boxes = [Float](repeating: 0, count: 896 * 16)
    var scores = [Float](repeating: -100, count: 896)
    for (index, logit) in logits {
      let numbers: [Float] = [2, 3, 32, 48] + (0..<12).map { Float($0) }
      boxes.replaceSubrange(16 * index..<16 * index + 16, with: numbers)
      scores[index] = logit
    }
    return (
      Tensor(shape: [1, 896, 16], values: boxes), Tensor(shape: [1, 896, 1], values: scores)
    )
  }

  @Test func aBoxIsCountedFromItsAnchorAndPlacedInTheImage() throws {
    let (boxes, scores) = outputs([700: 0])
    let crop = FaceCrop(center: [99.5, 49.5], sidePixels: 256)
    let found = DetectionDecoder().candidates(boxes: boxes, scores: scores, in: crop)
    let face = try #require(found.first)
    #expect(found.count == 1 && face.score == 0.5)
    let anchor = DetectionAnchors.centers[700] * 128
    // Two pixels of the image to one of the input; the crop's edge lies 128 pixels before its center.
    let corner = crop.center - 128
    #expect(distance(face.box.center, corner + 2 * (anchor + [2, 3])) < 1e-4)
    #expect(face.box.size == [64, 96])
    for (index, point) in face.points.enumerated() {
      let offset = SIMD2(Float(2 * index), Float(2 * index + 1))
      #expect(distance(point, corner + 2 * (anchor + offset)) < 1e-4)
    }
  }

  @Test func scoresBelowAHalfNaNAndBoxesWithoutAreaAreNoFaces() {
    let crop = FaceCrop(center: .zero, sidePixels: 128)
    func count(_ logit: Float, _ change: (inout [Float]) -> Void = { _ in }) -> Int {
      let (boxes, scores) = outputs([5: logit])
      var values = boxes.values
      change(&values)
      return DetectionDecoder().candidates(
        boxes: Tensor(shape: boxes.shape, values: values), scores: scores, in: crop
      ).count
    }
    #expect(count(0) == 1 && count(1e9) == 1 && count(.infinity) == 1)
    #expect(count(-0.001) == 0 && count(.nan) == 0)
    #expect(count(3) { $0[5 * 16 + 2] = 0 } == 0)
    #expect(count(3) { $0[5 * 16 + 3] = -1 } == 0)
    #expect(count(3) { $0[5 * 16 + 9] = .nan } == 0)
  }

  private func face(_ x: Float, _ y: Float, side: Float, score: Float) -> FaceDetection {
    FaceDetection(
      box: FaceBox(center: [x, y], size: [side, side]),
      points: (0..<6).map { [x + Float($0), y - Float($0)] }, score: score)
  }

  @Test func overlappingBoxesBecomeTheirWeightedMean() {
    let faces = [face(10, 10, side: 20, score: 0.6), face(12, 10, side: 24, score: 0.9)]
    let merged = DetectionDecoder().merged(faces)
    #expect(merged.count == 1 && merged[0].score == 0.9)
    // (0.6·10 + 0.9·12)/1.5 and (0.6·20 + 0.9·24)/1.5.
    #expect(distance(merged[0].box.center, [11.2, 10]) < 1e-4)
    #expect(distance(merged[0].box.size, [22.4, 22.4]) < 1e-4)
    #expect(distance(merged[0].points[2], [13.2, 8]) < 1e-4)
  }

  @Test(arguments: 0..<20)
  func distantFacesStayInOrderOfScoreWhateverTheOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let faces = (0..<12).map {
      face(
        Float($0) * 40, .random(in: 0...5, using: &generator), side: 30,
        score: .random(in: 0.5...1, using: &generator))
    }
    let merged = DetectionDecoder().merged(faces.shuffled(using: &generator))
    #expect(merged.map(\.score) == faces.map(\.score).sorted(by: >))
    // A mean of one box is that box but for rounding.
    for one in merged {
      #expect(faces.contains { distance($0.box.center, one.box.center) < 1e-3 })
    }
  }

  @Test func overlapIsTheShareOfTheUnion() {
    let box = FaceBox(center: [0, 0], size: [2, 2])
    #expect(box.overlap(box) == 1)
    #expect(box.overlap(FaceBox(center: [1, 0], size: [2, 2])) == 2.0 / 6)
    #expect(box.overlap(FaceBox(center: [2, 0], size: [2, 2])) == 0)
    let none = FaceBox(center: [0, 0], size: [0, 0])
    #expect(none.overlap(none) == 0)
    // What overlaps nothing is no face, and merging ends.
    let flat = FaceDetection(
      box: none, points: Array(repeating: .zero, count: 6), score: 1)
    #expect(DetectionDecoder().merged([flat]).isEmpty)
  }

  @Test(arguments: [(640, 480), (480, 640), (3024, 4032), (300, 2000), (128, 128), (60, 60)])
  func tilesCoverTheImageAndEachPlaceLiesWellInsideOne(width: Int, height: Int) {
    let size = RasterSize(width: width, height: height)
    for view in FaceDetector.views(of: size) {
      let crops = FaceDetector.crops(of: size, view)
      guard case .tiles(let side) = view else { continue }
      #expect(side >= 128)
      // A face of half a tile, anywhere inside, is whole in one of them.
      let half = side / 4
      for x in stride(from: half, through: Float(width - 1) - half, by: 17) {
        for y in stride(from: half, through: Float(height - 1) - half, by: 17) {
          let box = FaceBox(center: [x, y], size: [2 * half, 2 * half])
          #expect(crops.contains { FaceDetector.isWhole(box, in: $0, of: size) && holds($0, box) })
        }
      }
    }
  }

  private func holds(_ crop: FaceCrop, _ box: FaceBox) -> Bool {
    // A pixel's half: the last tile ends at the image's edge.
    let reach = crop.sidePixels / 2 + 1
    let (low, high) = (box.lowest - crop.center, box.highest - crop.center)
    return min(low.x, low.y) >= -reach && max(high.x, high.y) <= reach
  }
}

func distance(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> Float {
  ((one - other) * (one - other)).sum().squareRoot()
}
