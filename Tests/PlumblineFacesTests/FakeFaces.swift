import PlumblineFaces
import PlumblineInference
import PlumblineModel

/// Images of colored disks, and networks that take a red or a green disk for a face.
enum FakeFaces {
  /// A disk in a gray image.
  struct Disk {
    var center: SIMD2<Float>
    var radius: Float
    var isGreen = false
  }

  static func image(_ size: RasterSize, _ disks: [Disk]) -> Raster<RGB8> {
    Raster<RGB8>(size: size) { x, y in
      for disk in disks {
        let offset = SIMD2(Float(x), Float(y)) - disk.center
        if (offset * offset).sum() <= disk.radius * disk.radius {
          return RGB8(red: disk.isGreen ? 0 : 255, green: disk.isGreen ? 255 : 0, blue: 0)
        }
      }
      return RGB8(red: 0, green: 0, blue: 60)
    }
  }

  static func networks() throws -> FaceNetworks {
    try FaceNetworks(
      detector: FakeNetwork(
        input: [1, 128, 128, 3], outputs: [[1, 896, 16], [1, 896, 1]], detect),
      landmarks: FakeNetwork(
        input: [1, 256, 256, 3], outputs: [[1, 1, 1, 1434], [1, 1, 1, 1]], landmarks),
      blendshapes: FakeNetwork(input: [1, 146, 2], outputs: [[52]]) { _ in
        [Tensor(shape: [52], values: (0..<52).map { Float($0) / 52 })]
      })
  }

  /// Where a color lies in an input, as center and radius in pixels from its edge.
  private static func disk(
    _ input: Tensor, channel: Int, level: Float
  ) -> (center: SIMD2<Float>, radius: Float)? {
    let side = input.shape[1]
    var sum = SIMD2<Float>.zero
    var count: Float = 0
    for y in 0..<side {
      for x in 0..<side where input.values[3 * (y * side + x) + channel] > level {
        sum += SIMD2(Float(x), Float(y)) + 0.5
        count += 1
      }
    }
    guard count > 3 else { return nil }
    return (sum / count, (count / .pi).squareRoot())
  }

  private static func detect(_ input: Tensor) -> [Tensor] {
    var boxes = [Float](repeating: 0, count: 896 * 16)
    var scores = [Float](repeating: -20, count: 896)
    for channel in 0...1 {
      guard let (center, radius) = disk(input, channel: channel, level: 0), radius >= 2 else {
        continue
      }
      let index = 512 + channel
      let anchor = DetectionAnchors.centers[index] * 128
      let eyes = SIMD2<Float>(0.4, -0.3) * radius
      let places =
        [center - anchor, SIMD2(repeating: 2 * radius)]
        + [SIMD2(-eyes.x, eyes.y), eyes, .zero, [0, 0.5 * radius], [-radius, 0], [radius, 0]].map {
          center - anchor + $0
        }
      for (place, pair) in places.enumerated() {
        boxes[16 * index + 2 * place] = pair.x
        boxes[16 * index + 2 * place + 1] = pair.y
      }
      scores[index] = 4
    }
    return [
      Tensor(shape: [1, 896, 16], values: boxes), Tensor(shape: [1, 896, 1], values: scores),
    ]
  }

  /// Landmarks on a circle around the disk nearest to the middle, eyes level.
  private static func landmarks(_ input: Tensor) -> [Tensor] {
    let found = (0...1).compactMap { disk(input, channel: $0, level: 0.5) }.min {
      func distance(_ disk: (center: SIMD2<Float>, radius: Float)) -> Float {
        let offset = disk.center - 128
        return (offset * offset).sum()
      }
      return distance($0) < distance($1)
    }
    let (center, radius) = found ?? ([128, 128], 1)
    var values: [Float] = []
    for index in 0..<478 {
      // Each mirrored pair lies level, the left one to the right.
      let pair = HeadTurn.pairs.firstIndex { $0.0 == index || $0.1 == index }
      var place = SIMD2<Float>(0, radius * (Float(index) / 239 - 1))
      if let pair {
        let side: Float = HeadTurn.pairs[pair].0 == index ? -1 : 1
        place = SIMD2(side * radius, radius * (Float(pair) / 8 - 0.5))
      }
      values += [center.x + place.x, center.y + place.y, 0]
    }
    return [
      Tensor(shape: [1, 1, 1, 1434], values: values),
      Tensor(shape: [1, 1, 1, 1], values: [found == nil ? -5 : 5]),
    ]
  }
}

/// A network whose outputs a function makes of its only input.
struct FakeNetwork: NeuralNetwork {
  var inputs: [TensorDescription]
  var outputs: [TensorDescription]
  var body: @Sendable (Tensor) -> [Tensor]

  init(input: [Int], outputs: [[Int]], _ body: @escaping @Sendable (Tensor) -> [Tensor]) {
    inputs = [TensorDescription(name: "input", shape: input)]
    self.outputs = outputs.enumerated().map {
      TensorDescription(name: "output \($0.offset)", shape: $0.element)
    }
    self.body = body
  }

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] { body(tensors[0]) }
}
