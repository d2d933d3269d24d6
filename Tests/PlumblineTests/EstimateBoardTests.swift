import Plumbline
import PlumblineTestSupport
import Testing

/// A network that knows the plane of a ``BoardPhoto``, but not its scale.
private struct PlaneWithoutScale: NeuralNetwork {
  static let size = RasterSize(width: 32, height: 24)
  let inputs = [TensorDescription(name: "image", shape: [1, 24, 32, 3])]
  let outputs = [TensorDescription(name: "depth", shape: [1, 1, 24, 32])]
  var scale = 1 / 1.7

  func run(_ tensors: [Tensor]) throws(InferenceError) -> [Tensor] {
    let photo = BoardPhoto()
    let step = Double(photo.size.width) / Double(Self.size.width)
    let values = (0..<Self.size.pixelCount).map { index -> Float in
      let place = SIMD2(Double(index % Self.size.width), Double(index / Self.size.width))
      return Float(scale * photo.meters(at: (place + 0.5) * step - 0.5))
    }
    return [Tensor(shape: [1, 1, 24, 32], values: values)]
  }

  static let card = ModelCard(
    name: "plane", title: "a fake", license: "MIT", origin: "a test", inputSize: size,
    layout: .nhwc, outputMeaning: .meters)
}

@Suite("An estimate fitted to a board, by a given camera")
struct EstimateBoardTests {
  private let photo = BoardPhoto()
  private var board: Board {
    Board(
      columns: photo.squares.x, rows: photo.squares.y, squareMeters: photo.squareMeters,
      pattern: .chessboard)
  }
  private var camera: CameraCalibration { CameraCalibration(intrinsics: photo.intrinsics) }

  private func estimate(
    _ image: Raster<RGB8>, by camera: CameraCalibration?, board: Board? = nil,
    exif: Double? = nil, card: ModelCard = PlaneWithoutScale.card
  ) throws -> EstimateResult {
    var capture = Capture(source: CaptureSource(interface: .photo))
    capture.color = image
    capture.colorSize = image.size
    var request = EstimateRequest()
    request.board = board
    var analysis = try CaptureAnalyzer().analyze(capture, fileName: "board")
    analysis.exifFocal = exif.flatMap { FilmFocalLength(wholeMillimeters: Int($0)) }
    let model = try DepthEstimator(PlaneWithoutScale(), card: card)
    return try CaptureEstimator(model, request: request, calibration: camera).estimate(analysis)
  }

  @Test("the scale is that of the board's squares, and the verdict says to what it was fitted")
  func fitted() throws {
    let result = try estimate(photo.image, by: camera, board: board)
    let fit = try #require(result.estimated.fit)
    #expect(fit.target == .board && fit.refusal == nil, "\(fit.refusal ?? "")")
    // Corners to a few hundredths of a pixel of squares of 19 pixels: 0.3 % of the distance.
    #expect(abs(fit.scale / 1.7 - 1) < 0.005, "\(fit.scale)")
    #expect(result.after.assessment.verdict == .corrected)
    #expect(result.after.assessment.reason.contains("board"))
    let depth = try #require(result.estimated.depth)
    let sigma = try #require(result.estimated.sigmaMeters)
    for (x, y) in [(60, 60), (160, 120), (260, 200)] {
      let truth = photo.meters(at: [Double(x), Double(y)])
      // The output has a pixel for ten: half a percent of a plane's depth at the border.
      #expect(abs(Double(depth.meters[x, y]) - truth) < 0.01 * truth)
      #expect(sigma[x, y] > 0)
    }
  }

  @Test("the focal length that is given scales the meters that assume another")
  func focalLength() throws {
    var card = PlaneWithoutScale.card
    card.assumedFocalPixels = 60
    let plain = try estimate(photo.image, by: nil, card: card)
    let given = try estimate(photo.image, by: camera, card: card)
    // 300 pixels of 320 are 30 of 32.
    #expect(abs(given.estimated.estimate.focalCorrection - 0.5) < 1e-12)
    #expect(plain.estimated.estimate.focalCorrection == 1)
    let (a, b) = (plain.estimated.depth, given.estimated.depth)
    let ratio = try #require(b).meters[160, 120] / #require(a).meters[160, 120]
    #expect(abs(ratio - 0.5) < 1e-6)
    #expect(plain.after.assessment.findings.contains { $0.code == .estimateFocalAssumed })
    #expect(!given.after.assessment.findings.contains { $0.code == .estimateFocalAssumed })
    // A camera of the same shape at another size is scaled, of another shape refused.
    let double = camera.scaled(to: RasterSize(width: 640, height: 480))
    #expect(
      try estimate(photo.image, by: double, card: card).estimated.estimate.focalCorrection
        == given.estimated.estimate.focalCorrection)
    let square = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [300, 300], principalPoint: [99.5, 99.5],
        size: RasterSize(width: 200, height: 200)))
    let error = #expect(throws: EstimationError.self) { try estimate(photo.image, by: square) }
    #expect(error?.reason == .mismatch)
  }

  @Test("without a camera or without a board in the image the error says what is missing")
  func missing() throws {
    let blind = #expect(throws: EstimationError.self) {
      try estimate(photo.image, by: nil, board: board)
    }
    #expect(blind?.reason == .cameraUnknown)
    let flat = Raster(size: photo.size, repeating: RGB8(red: 90, green: 90, blue: 90))
    let bare = #expect(throws: EstimationError.self) {
      try estimate(flat, by: camera, board: board)
    }
    #expect(bare?.reason == .missing && bare?.found == "no such board")
    // Exif's focal length serves where none was measured, with a ± of 2 %.
    let millimeters = 43.2666 * photo.focalLength / 400
    let byExif = try estimate(photo.image, by: nil, board: board, exif: millimeters)
    let sharp = try estimate(photo.image, by: camera, board: board)
    let (wide, narrow) = (
      try #require(byExif.estimated.fit), try #require(sharp.estimated.fit)
    )
    #expect(abs(wide.scale / narrow.scale - 1) < 0.005)
  }
}
