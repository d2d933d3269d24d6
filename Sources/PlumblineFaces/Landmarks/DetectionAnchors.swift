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
