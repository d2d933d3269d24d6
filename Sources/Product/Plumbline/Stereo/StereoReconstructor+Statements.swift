import PlumblineStereo

extension StereoReconstructor {
  /// Sets the geometry of two cameras as a user states it.
  ///
  /// - Parameters:
  ///   - focal: The focal length in pixels of the images; `nil` where it is not stated.
  ///   - baseline: The distance between the cameras in meters.
  ///   - offset: The right principal point's column minus the left one's, in pixels, of rectified images.
  ///   - isRectified: Whether the images' rows agree already.
  package mutating func state(
    focal: StatedNumber?, baseline: StatedNumber?, offset: StatedNumber?, isRectified: Bool
  ) {
    focalLengthPixels = focal?.value
    focalSigmaPixels = focal?.sigma
    baselineMeters = baseline?.value
    baselineSigmaMeters = baseline?.sigma
    guard isRectified else { return }
    var geometry = RectifiedGeometry(
      focalLengthPixels: focal?.value, baselineMeters: baseline?.value, offsetPixels: offset?.value)
    geometry.focalSigmaPixels = focal?.sigma
    geometry.baselineSigmaMeters = baseline?.sigma
    geometry.offsetSigmaPixels = offset?.sigma
    rectified = geometry
  }

  /// Sets from how many directions costs are summed: 4, 5 or 8.
  ///
  /// - Returns: Whether it is one of these.
  package mutating func sumCosts(ofDirections count: Int) -> Bool {
    switch count {
    case 4: paths = .four
    case 5: paths = .five
    case 8: paths = .eight
    default: return false
    }
    return true
  }

  /// The megapixels to which rectified images may be reduced; 0 is for images as they are.
  package static let megapixels = 0.0...128
  /// The megapixels where a user says nothing.
  package static let usualMegapixels = 3.0

  /// Sets the size to which larger rectified images are reduced, in megapixels; 0 for as they are.
  package mutating func reduce(toMegapixels megapixels: Double) {
    maximumPixels = megapixels == 0 ? .max : max(1, Int(megapixels * 1e6))
  }
}
