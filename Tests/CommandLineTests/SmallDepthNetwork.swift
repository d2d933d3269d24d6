import Plumbline
import PlumblineTestSupport

/// A network for each law of outputs, with made weights, whose numbers can be computed by hand.
///
/// All take an image of 8 × 6 pixels; red is 20·*x*, green 30·*y*, blue 100.
enum SmallDepthNetwork: String, CaseIterable {
  /// 1 + 2·red + green, as meters.
  case meters
  /// The same as 1/meters.
  case inverse
  /// The same without a unit, larger is nearer.
  case relative
  /// The same without a unit, larger is farther.
  case affine
  /// The same as meters for an assumed focal length that another output gives, 12 pixels.
  case focal
  /// Points up to a shift, with a mask and a scale that depends on a constant input.
  case points

  static let size = RasterSize(width: 8, height: 6)

  static let image = Raster<RGB8>(size: size) { (x: Int, y: Int) -> RGB8 in
    RGB8(red: UInt8(20 * x), green: UInt8(30 * y), blue: 100)
  }

  /// Whether its numbers have no unit.
  var isRelative: Bool { self == .relative || self == .affine }

  /// The shift of the points, in the network's units; the factor to meters; the focal length in pixels.
  private static let shift = 0.7
  private static let scale = 2.0
  private static let focalLength = 10.0

  /// The depth of the points in meters: a slanted plane with a step.
  private static func depth(_ x: Int, _ y: Int) -> Double {
    (x > 4 && y > 2 ? 1.2 : 2) + 0.1 * Double(y) + 0.05 * Double(x)
  }

  /// What the estimate must hold, row by row.
  var expected: [Float] {
    (0..<Self.size.pixelCount).map { index in
      let (x, y) = (index % 8, index / 8)
      // The mask leaves pixel 9 out, and with it each cell of four pixels that has it as a corner.
      if self == .points { return [0, 1, 8, 9].contains(index) ? .nan : Float(Self.depth(x, y)) }
      let value = 1 + 2 * Float(20 * x) / 255 + Float(30 * y) / 255
      return self == .inverse ? 1 / value : value
    }
  }

  /// The card as JSON.
  var card: String {
    let (meaning, more) =
      switch self {
      case .meters: ("meters", "")
      case .inverse: ("inverseMeters", "")
      case .relative: ("relativeInverse", "")
      case .affine: ("relativeDepth", "")
      case .focal: ("meters", #", "focalName": "focal""#)
      case .points:
        ("affinePoints", #", "name": "points", "maskName": "mask", "scaleName": "scale""#)
      }
    let constants =
      self == .points ? #", "constants": [{"name": "num_tokens", "value": 12, "shape": []}]"# : ""
    return """
      {"schema": "plumbline.model-card/1", "name": "\(rawValue)", "title": "a small network",
       "license": "MIT", "origin": "a test",
       "input": {"width": 8, "height": 6, "layout": "nchw"\(constants)},
       "output": {"meaning": "\(meaning)"\(more)}}
      """
  }

  /// The ONNX file.
  var network: [UInt8] {
    var graph = ONNXGraphWriter()
    graph.input("image", shape: [1, 3, 6, 8])
    if self == .points {
      graph.input("num_tokens", shape: [], type: 7)
      addPoints(to: &graph)
      return graph.bytes(name: rawValue)
    }
    let kernel = graph.store("weights", shape: [1, 3, 1, 1], [2, 1, 0])
    let one = graph.store("one", shape: [1], [1])
    let sum = graph.node("Conv", ["image", kernel])
    graph.node("Add", [sum, one], output: "depth")
    graph.outputOfOpenShape("depth")
    if self == .focal {
      let zero = graph.store("zero", shape: [1], [0])
      let twelve = graph.store("twelve", shape: [1], [12])
      let nothing = graph.node("Mul", ["depth", zero])
      let mean = graph.node("GlobalAveragePool", [nothing])
      graph.node("Add", [mean, twelve], output: "focal")
      graph.outputOfOpenShape("focal")
    }
    return graph.bytes(name: rawValue)
  }

  private func addPoints(to graph: inout ONNXGraphWriter) {
    var points: [Float] = []
    for index in 0..<Self.size.pixelCount {
      let (x, y) = (index % 8, index / 8)
      let z = Self.depth(x, y)
      let (u, v) = (Double(x) - 3.5, Double(y) - 2.5)
      points += [
        u * z / Self.focalLength / Self.scale, v * z / Self.focalLength / Self.scale,
        z / Self.scale - Self.shift,
      ].map { Float($0) }
    }
    let zero = graph.store("zero", shape: [1], [0])
    let made = graph.store("made", shape: [1, 6, 8, 3], points)
    let nothing = graph.node("Mul", ["image", zero])
    let last = graph.node("Transpose", [nothing], lists: ["perm": [0, 2, 3, 1]])
    graph.node("Add", [last, made], output: "points")
    // The mask leaves one pixel out.
    let kernel = graph.store("none", shape: [1, 3, 1, 1], [0, 0, 0])
    let kept = (0..<Self.size.pixelCount).map { Float($0 == 9 ? 0.25 : 1) }
    let stored = graph.store("kept", shape: [1, 1, 6, 8], kept)
    let plane = graph.node("Conv", [nothing, kernel])
    graph.node("Add", [plane, stored], output: "mask")
    // 12 · 1/6 is the scale, so that the constant has to arrive.
    let sixth = graph.store("sixth", shape: [1], [1.0 / 6])
    let number = graph.node("Cast", ["num_tokens"], whole: ["to": 1])
    graph.node("Mul", [number, sixth], output: "scale")
    for name in ["points", "mask", "scale"] { graph.outputOfOpenShape(name) }
  }
}
