import PlumblineModel

extension ColorDepthAlignment {
  /// The finding that a misaligned map deserves; `nil` when it lies on its image or nobody can tell.
  var finding: Finding? {
    guard verdict == .misaligned, let zoom, let zoomSigma, let shiftPixels else { return nil }
    let isZoomed = abs(zoom - 1) > max(3 * zoomSigma, 0.01)
    return Finding(
      .depthMisaligned, .caution, reason,
      effect: Finding.Effect(lengthPercent: isZoomed ? abs(zoom - 1) * 100 : nil),
      evidence: "\(edgeCount) contour points against the image; zoom \(zoom.fixed(4)), shift "
        + "(\(shiftPixels.x.fixed(1)), \(shiftPixels.y.fixed(1))) px of the depth map")
  }
}
