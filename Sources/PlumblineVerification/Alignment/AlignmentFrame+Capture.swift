public import PlumblineCorrection
public import PlumblineModel

extension AlignmentFrame {
  /// The image and the depths of one capture, the image turned as the map is stored; `nil` without
  /// an image or a map, and for shapes that differ by 1 %.
  ///
  /// A cropped map belongs to a part of the image that nothing here knows. Cost: O(*n*) of the image.
  ///
  /// - Parameters:
  ///   - capture: A capture whose color image was decoded, at any size of the same field of view.
  ///   - corrected: Its depths.
  public init?(_ capture: Capture, _ corrected: CorrectedDepth) {
    guard let color = capture.color, let record = capture.depth else { return nil }
    let turn = capture.colorOrientation.followed(by: record.orientation.inverse)
    let shape = turn.uprightSize(of: color.size)
    guard color.size.pixelCount > 0, corrected.depth.size.pixelCount > 0,
      abs(shape.aspectRatio / corrected.depth.size.aspectRatio - 1) < 0.01
    else { return nil }
    self.init(color: turn == .up ? color : color.oriented(by: turn), depth: corrected.depth)
  }
}
