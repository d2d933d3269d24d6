import PlumblineModel

extension ColorDepthAlignment {
  /// Whether the zoom is that between ARKit's depth and color on some iPads, 3088/3248, within
  /// three standard deviations and not more than 2 %.
  ///
  /// - Source: arXiv 2201.10865, equations 3 and 4.
  public var fitsARKitZoom: Bool {
    guard let zoom, let zoomSigma else { return false }
    return abs(zoom - 3088.0 / 3248) <= min(0.02, max(3 * zoomSigma, 0.004))
  }

  /// The finding that a misaligned map deserves; `nil` when it lies on its image or that is unknown.
  var finding: Finding? {
    guard verdict == .misaligned, let zoom, let zoomSigma, let shiftPixels else { return nil }
    let isZoomed = abs(zoom - 1) > max(3 * zoomSigma, 0.01)
    let advice =
      fitsARKitZoom
      ? "; that is ARKit's zoom, which plumbline correct CAPTURE --arkit-zoom -o DIR undoes" : ""
    return Finding(
      .depthMisaligned, .caution, reason + advice,
      effect: Finding.Effect(lengthPercent: isZoomed ? abs(zoom - 1) * 100 : nil),
      evidence: "\(edgeCount) contour points against the image; zoom \(zoom.fixed(4)), shift "
        + "(\(shiftPixels.x.fixed(1)), \(shiftPixels.y.fixed(1))) px of the depth map",
      correction: fitsARKitZoom ? .available : .none)
  }
}
