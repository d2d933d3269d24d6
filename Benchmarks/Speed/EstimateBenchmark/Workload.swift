import Plumbline

/// One photo and the steps from it to depth on its own grid.
///
/// - `network`: the network alone, its input in memory and its output copied;
/// - `estimate`: the photo's pixels made the input, the network, and depth on the photo's grid;
/// - `input`, `output`: what stands before and behind the network in `estimate`;
/// - `run`: `estimate` with camera, judgement, findings and provenance, as `LiveEstimation` and the
///   command do it;
/// - `decode`: the file made pixels.
struct Workload {
  let input: Tensor
  private let bytes: [UInt8]
  private let network: any NeuralNetwork
  private let estimator: DepthEstimator
  private let analysis: CaptureAnalysis
  private let image: Raster<RGB8>
  private let preparation: InputImage
  private let estimate: DepthEstimate

  init(_ network: any NeuralNetwork, _ card: ModelCard, photo path: String) throws {
    bytes = try InputFile(path: path).bytes
    self.network = network
    estimator = try DepthEstimator(network, card: card)
    image = try StereoImageReader(threads: 1).image(from: bytes).color
    preparation = InputImage(
      card,
      try InputPlacement(card.placement, of: image.size, orientation: .up, in: card.inputSize))
    input = preparation.tensor(of: image)
    estimate = try estimator.estimate(of: image)
    var capture = Capture(source: CaptureSource(interface: .photo))
    capture.color = image
    capture.colorSize = image.size
    analysis = try CaptureAnalyzer().analyze(capture, fileName: "photo")
  }

  /// The network's own numbers of the photo.
  func output() throws -> [Float] { try network.run([input])[0].values }

  func run(_ work: String) throws {
    switch work {
    case "network": _ = try network.run([input])
    case "estimate": Self.spread(try estimator.estimate(of: image))
    case "input": _ = preparation.tensor(of: image)
    case "output": Self.spread(estimate)
    case "run": _ = try CaptureEstimator(estimator).estimate(analysis)
    case "decode": _ = try StereoImageReader(threads: 1).image(from: bytes)
    default: throw Refusal(text: work)
    }
  }

  /// What `plumbline estimate` writes: meters of a model of meters, its own numbers of another.
  private static func spread(_ estimate: DepthEstimate) {
    _ = estimate.isMetric ? estimate.estimatedMeters?.meters : estimate.relativeValues
  }
}
