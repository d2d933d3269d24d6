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
  package init(_ networks: FaceNetworks) { network = networks.detector }

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

/// From the detector's numbers to boxes in an image.
package struct DetectionDecoder {
  /// The least score of a face.
  package var leastScore: Float
  /// Boxes that overlap by more are the same face.
  package var maximumOverlap: Float

  /// Creates a decoder.
  package init(leastScore: Float = 0.5, maximumOverlap: Float = 0.3) {
    self.leastScore = leastScore
    self.maximumOverlap = maximumOverlap
  }

  /// The faces of one run, before those that are the same are merged.
  ///
  /// - Parameters:
  ///   - boxes: 896 × 16 numbers: center, size and six points, in pixels of the input from the anchor.
  ///   - scores: 896 logits, clipped to ±100.
  ///   - crop: What the network was shown.
  /// - Returns: Boxes and points in pixels of the image; none for tensors of other counts.
  /// - Source: Google, MediaPipe, `face_detection_short_range`: scales of 128, score clipping of 100,
  ///   sigmoid, least score 0.5.
  package func candidates(boxes: Tensor, scores: Tensor, in crop: FaceCrop) -> [FaceDetection] {
    let width = 16
    guard boxes.values.count == DetectionAnchors.count * width,
      scores.values.count == DetectionAnchors.count
    else { return [] }
    let side = Float(DetectionAnchors.inputSide)
    var found: [FaceDetection] = []
    for (index, anchor) in DetectionAnchors.centers.enumerated() {
      let logit = scores.values[index]
      guard !logit.isNaN else { continue }
      let score = sigmoid(max(-100, min(100, logit)))
      guard score >= leastScore else { continue }
      let numbers = boxes.values[(index * width)..<((index + 1) * width)]
      guard numbers.allSatisfy(\.isFinite) else { continue }
      func pair(_ place: Int) -> SIMD2<Float> {
        SIMD2(numbers[numbers.startIndex + 2 * place], numbers[numbers.startIndex + 2 * place + 1])
          / side
      }
      let size = pair(1) * crop.sidePixels
      guard size.x > 0, size.y > 0 else { continue }
      found.append(
        FaceDetection(
          box: FaceBox(center: crop.pointInImage(pair(0) + anchor), size: size),
          points: (2..<8).map { crop.pointInImage(pair($0) + anchor) }, score: score))
    }
    return found
  }

  /// Faces of which none overlaps another by more than ``maximumOverlap``, best score first.
  ///
  /// Those that overlap the best one become their mean, weighted by their scores, with the best score.
  /// Equal scores keep their order.
  ///
  /// - Source: V. Bazarevsky et al., *BlazeFace*, 2019, section 3.3 (blending in place of suppression).
  package func merged(_ candidates: [FaceDetection]) -> [FaceDetection] {
    var rest = candidates.enumerated().sorted {
      ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
    }.map(\.element)
    var faces: [FaceDetection] = []
    while let best = rest.first {
      let same = rest.filter { $0.box.overlap(best.box) > maximumOverlap }
      rest.removeAll { $0.box.overlap(best.box) > maximumOverlap }
      // A box without area overlaps nothing, not even itself.
      guard !same.isEmpty else {
        rest.removeFirst()
        continue
      }
      let weight = same.reduce(0) { $0 + $1.score }
      func mean(_ value: (FaceDetection) -> SIMD2<Float>) -> SIMD2<Float> {
        same.reduce(SIMD2.zero) { $0 + $1.score * value($1) } / weight
      }
      faces.append(
        FaceDetection(
          box: FaceBox(center: mean(\.box.center), size: mean(\.box.size)),
          points: best.points.indices.map { place in mean { $0.points[place] } },
          score: best.score))
    }
    return faces
  }
}

/// The logistic function; NaN stays NaN.
func sigmoid(_ logit: Float) -> Float { 1 / (1 + exponential(-logit)) }

/// The positions from which the detector counts its boxes.
///
/// - Source: Google, MediaPipe, `face_detection_short_range`: an SSD head of strides 8 and 16 (three
///   layers of the latter) over 128 pixels, two anchors to a layer and cell, each of size 1.
package enum DetectionAnchors {
  /// The side of the detector's input, in pixels.
  package static let inputSide = 128
  /// The number of anchors.
  package static let count = 896

  /// The centers in the order of the outputs, in sides of the input from its edge.
  package static let centers: [SIMD2<Float>] = [(side: 16, perCell: 2), (side: 8, perCell: 6)]
    .flatMap {
      layer in
      (0..<layer.side * layer.side * layer.perCell).map { index in
        let cell = index / layer.perCell
        let place = SIMD2(Float(cell % layer.side), Float(cell / layer.side))
        return (place + 0.5) / Float(layer.side)
      }
    }
}
