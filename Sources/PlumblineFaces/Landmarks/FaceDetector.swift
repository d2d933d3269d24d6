public import PlumblineInference
public import PlumblineModel

/// Finds faces with MediaPipe's short-range detector.
///
/// It was made for faces within two meters of a phone's camera: of the whole image it sees 128 × 128
/// pixels, and faces of about an eighth of the longer side and more; squares of a quarter show faces of 3 %.
/// Images must be upright; heads may lean some 60°.
///
/// - Source: V. Bazarevsky et al., *BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs*, 2019.
public struct FaceDetector: Sendable {
  /// How an image was searched.
  public enum View: Sendable, Hashable {
    /// All of it at once, with a border where it is no square.
    case whole
    /// In overlapping squares of so many pixels, since nothing was found in the whole.
    case tiles(sidePixels: Float)
  }

  /// The least score of a face, from 0 to 1.
  ///
  /// - Source: Google, MediaPipe, `min_face_detection_confidence`.
  public var leastScore: Float = 0.5
  /// Boxes that overlap by a larger share of their union are the same face.
  public var maximumOverlap: Float = 0.3
  /// How many threads read the image, at least 1; faces are the same for any.
  public var threads = 2
  private let network: any NeuralNetwork

  /// Takes the networks.
  public init(_ networks: FaceNetworks) { network = networks.detector }

  /// The ways to search an image, coarsest first: the whole, squares of half its longer side, of a quarter.
  ///
  /// A square smaller than the network's input shows nothing that a larger one did not, and is left out.
  public static func views(of size: RasterSize) -> [View] {
    let longer = Float(max(size.width, size.height))
    let sides = [2, 4].map { (longer / $0).rounded(.up) }
    return [.whole]
      + sides.filter { $0 >= Float(DetectionAnchors.inputSide) }.map { .tiles(sidePixels: $0) }
  }

  /// The faces of one way to search an image, best score first.
  ///
  /// Squares overlap by a half, so that a face of up to half a square is whole in one of them. A face at an
  /// inner edge of a square is left to the square that shows all of it.
  ///
  /// - Throws: ``InferenceError``. Cost: one run of the network for each square, at most 9 and 49 of them,
  ///   and reading what it shows.
  /// - Precondition: The image has pixels.
  public func faces(
    in image: Raster<RGB8>, view: View = .whole
  ) throws(InferenceError) -> [FaceDetection] {
    let decoder = DetectionDecoder(leastScore: leastScore, maximumOverlap: maximumOverlap)
    var sampler = CropSampler.detector
    sampler.threads = threads
    var candidates: [FaceDetection] = []
    for tile in Self.crops(of: image.size, view) {
      let outputs = try network.run([sampler.tensor(of: tile, in: image)])
      candidates += decoder.candidates(boxes: outputs[0], scores: outputs[1], in: tile).filter {
        Self.isWhole($0.box, in: tile, of: image.size)
      }
    }
    return decoder.merged(candidates)
  }

  /// The squares that a view searches.
  package static func crops(of size: RasterSize, _ view: View) -> [FaceCrop] {
    switch view {
    case .whole: [whole(size)]
    case .tiles(let side): tiles(of: size, side: side)
    }
  }

  /// The square around an image.
  package static func whole(_ size: RasterSize) -> FaceCrop {
    FaceCrop(
      center: SIMD2(Float(size.width - 1), Float(size.height - 1)) / 2,
      sidePixels: Float(max(size.width, size.height)))
  }

  /// Squares that cover an image and overlap by at least a half.
  package static func tiles(of size: RasterSize, side: Float) -> [FaceCrop] {
    func centers(_ length: Int) -> [Float] {
      let room = Float(length) - side
      guard room > 0 else { return [Float(length - 1) / 2] }
      let steps = (2 * room / side).rounded(.up)
      return (0...Int(steps)).map { (side - 1) / 2 + room * Float($0) / steps }
    }
    return centers(size.height).flatMap { y in
      centers(size.width).map { x in FaceCrop(center: SIMD2(x, y), sidePixels: side) }
    }
  }

  /// Whether a box does not reach beyond a tile where the image goes on.
  package static func isWhole(_ box: FaceBox, in tile: FaceCrop, of size: RasterSize) -> Bool {
    let half = tile.sidePixels / 2
    func fits(_ low: Float, _ high: Float, _ center: Float, _ length: Int) -> Bool {
      (low >= center - half || center - half <= 0)
        && (high <= center + half || center + half >= Float(length - 1))
    }
    return fits(box.lowest.x, box.highest.x, tile.center.x, size.width)
      && fits(box.lowest.y, box.highest.y, tile.center.y, size.height)
  }
}
