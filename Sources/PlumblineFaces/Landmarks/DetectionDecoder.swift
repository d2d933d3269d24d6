package import PlumblineInference

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
