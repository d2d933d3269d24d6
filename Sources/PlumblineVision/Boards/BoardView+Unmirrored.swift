import PlumblineModel

extension BoardView {
  /// The view as the image shows it when it is no mirror image: columns counted from the other side.
  ///
  /// Poses and calibrations refuse a mirrored view, because a mirrored board has no pose. A caller
  /// that takes this one must also take the camera of the unmirrored image.
  public var unmirrored: BoardView {
    guard isMirrored else { return self }
    var view = self
    view.isMirrored = false
    view.corners = corners.map {
      BoardCorner(id: $0.id, pixel: SIMD2(Double(imageSize.width - 1) - $0.pixel.x, $0.pixel.y))
    }
    return view
  }
}
