import Plumbline
import PlumblineCapture
import PlumblineInference
import PlumblineModel

/// A network that takes bright for near: depth is 1 / (0.2 + red).
struct BrightIsNear: NeuralNetwork {
  let inputs = [TensorDescription(name: "image", shape: [1, 24, 32, 3])]
  let outputs = [TensorDescription(name: "depth", shape: [1, 1, 24, 32])]
  var meaning = ModelCard.OutputMeaning.meters

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
    let values = (0..<768).map { index -> Float in
      let inverse = 0.2 + tensors[0].values[3 * index]
      switch meaning {
      case .meters, .relativeDepth: return 1 / inverse
      case .inverseMeters, .relativeInverse: return inverse
      case .affinePoints, .foregroundProbability, .foregroundLogit, .classScores:
        preconditionFailure("this network gives one number for each pixel")
      }
    }
    return [Tensor(shape: [1, 1, 24, 32], values: values)]
  }

  var card: ModelCard {
    ModelCard(
      name: "bright-is-near", title: "Bright is near", license: "MIT", origin: "a test",
      inputSize: RasterSize(width: 32, height: 24), layout: .nhwc, outputMeaning: meaning)
  }
}

/// Captures whose brightness is a third of the inverse of their depth.
enum BrightCaptures {
  static let size = RasterSize(width: 64, height: 48)

  static func code(_ x: Int, _ y: Int) -> UInt8 {
    UInt8(60 + 2 * x + (y > 30 && x > 40 ? 40 : y))
  }

  /// A frame; `scale` is true meters over those of the network, and `hasDepth` says whether a sensor
  /// measured them.
  static func capture(seconds: Double, scale: Float = 1.5, hasDepth: Bool = true) -> Capture {
    var capture = Capture(source: CaptureSource(camera: .lidar))
    capture.timestampSeconds = seconds
    capture.color = Raster(size: size) { x, y in
      RGB8(red: code(x, y), green: code(x, y), blue: code(x, y))
    }
    capture.colorSize = size
    guard hasDepth else { return capture }
    let depth = Raster(size: size) { x, y -> Float in
      scale / (0.2 + Float(code(x, y)) / 255)
    }
    var record = DepthRecord(
      values: .depth(DepthMap(meters: depth)), storedType: "fdep", accuracy: .absolute)
    record.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [50, 50], principalPoint: [31.5, 23.5], size: size))
    capture.depth = record
    return capture
  }
}

/// A camera that gives some captures and ends.
struct FixedCamera: DepthCameraSource {
  let captures: [Capture]

  func events() -> DepthCameraEvents {
    DepthCameraEvents(capacity: 4) { buffer throws(DepthCameraError) in
      for capture in captures {
        guard await buffer.send(.capture(capture)) else { return }
      }
    }
  }
}
