import PlumblineModel
import PlumblineTestSupport
import Synchronization
import Testing

@testable import PlumblineInference

/// A network of images that notes what it was given: the map is the mean of the three channels.
private final class NotingImageNetwork: ImageNetwork {
  let inputs: [TensorDescription]
  let outputs = [TensorDescription(name: "depth", shape: [1, 4, 6])]
  let scaling: ImageScaling
  let seen = Mutex<[String]>([])

  init(_ scaling: ImageScaling, size: RasterSize) {
    self.scaling = scaling
    inputs = [TensorDescription(name: "image", shape: [1, 3, size.height, size.width])]
  }

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
    seen.withLock { $0.append("tensor \(tensors[0].shape)") }
    return [map]
  }

  func run(
    on image: Raster<RGB8>, orientation: ImageOrientation
  ) throws(InferenceError) -> [Tensor] {
    seen.withLock { $0.append("image \(image.size) \(orientation.rawValue)") }
    return [map]
  }

  private var map: Tensor {
    Tensor(shape: [1, 4, 6], values: (0..<24).map { 1 + Float($0) / 10 })
  }
}

@Suite struct ImageNetworkTests {
  private let size = RasterSize(width: 12, height: 8)
  private var image: Raster<RGB8> {
    Raster(size: RasterSize(width: 40, height: 30)) { x, y in
      RGB8(red: UInt8(x), green: UInt8(y), blue: 9)
    }
  }

  private func card() -> ModelCard {
    var card = ModelCard(
      name: "m", title: "M", license: "", origin: "", inputSize: size, layout: .nchw,
      outputMeaning: .meters)
    card.factor = 1
    return card
  }

  /// The system scales only where the result lies on the image to the pixel: where the input is filled.
  @Test(arguments: ImageScaling.allCases, ModelCard.Placement.allCases)
  func theSystemScalesToFillOnly(scaling: ImageScaling, placement: ModelCard.Placement) throws {
    let network = NotingImageNetwork(scaling, size: size)
    var estimator = try DepthEstimator(network, card: card())
    estimator.placement = placement
    let estimate = try estimator.estimate(of: image, orientation: .right)
    let expected =
      scaling == .system && placement == .scaleFill ? "image 40×30 6" : "tensor [1, 3, 8, 12]"
    #expect(network.seen.withLock { $0 } == [expected])
    // The map lies on the image's own grid.
    #expect(estimate.grid.placement.imageSize == image.size)
  }

  @Test func bothWaysGiveTheSameEstimate() throws {
    let maps = try ImageScaling.allCases.map { scaling in
      try DepthEstimator(NotingImageNetwork(scaling, size: size), card: card())
        .estimate(of: image, orientation: .left).values
    }
    #expect(maps[0] == maps[1])
  }

  /// The model scales codes itself: a card that does so too would do it twice.
  @Test func aCardThatChangesCodesIsRefused() throws {
    let network = NotingImageNetwork(.plumbline, size: size)
    var scaled = card()
    scaled.factor = 1.0 / 255
    var shifted = card()
    shifted.mean = [1, 0, 0]
    var blue = card()
    blue.channels = .bgr
    for wrong in [scaled, shifted, blue] {
      let error = #expect(throws: InferenceError.self) {
        try DepthEstimator(network, card: wrong)
      }
      #expect(error?.reason == .mismatch && error?.subject == "m")
    }
    #expect(throws: Never.self) { try DepthEstimator(network, card: card()) }
  }
}
