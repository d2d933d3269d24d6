import PlumblineCorrection
public import PlumblineModel

extension CaptureAnalysis {
  /// The size of an image whose pixels can be named: of the photo as it is shown, or of the depth map as
  /// stored; `nil` without a depth map.
  public func size(of space: MeasuredPixel.Space) -> RasterSize? {
    guard let record = capture.depth, let corrected else { return nil }
    guard space == .photo else { return record.size }
    // Without color the map takes the photo's place.
    return capture.colorSize.map { capture.colorOrientation.uprightSize(of: $0) }
      ?? record.orientation.uprightSize(of: corrected.depth.size)
  }

  /// Where a pixel lies on the map that is measured with: the stored map, cropped to the part that
  /// belongs to the photo.
  ///
  /// The map covers the photo, at a size and an orientation of its own: a pixel of the photo as shown
  /// lies at the same share of the width and height of the map as shown.
  ///
  /// - Parameter pixel: A pixel of the photo as shown, or of the depth map as stored.
  /// - Returns: Column and row of the map, not necessarily whole; `nil` without a depth map.
  ///
  /// Cost: O(1).
  public func mapPlace(of pixel: MeasuredPixel) -> SIMD2<Double>? {
    guard let record = capture.depth, let corrected, let photo = size(of: .photo) else {
      return nil
    }
    let map = corrected.depth.size
    switch pixel.space {
    case .depth:
      // A clean aperture of the whole map crops nothing.
      guard let crop = record.cleanAperture, map != record.size else { return pixel.place }
      return pixel.place - SIMD2(Double(crop.x), Double(crop.y))
    case .photo:
      let shown = record.orientation.uprightSize(of: map)
      let place = (pixel.place + 0.5) * shown.ratio(to: photo) - 0.5
      return record.orientation.inverse.upright(place, in: shown)
    }
  }

  /// Where a place of the map lies in the photo as it is shown; `nil` without a depth map.
  ///
  /// Cost: O(1).
  public func shownPlace(ofMap place: SIMD2<Double>) -> SIMD2<Double>? {
    guard let record = capture.depth, let corrected, let photo = size(of: .photo) else {
      return nil
    }
    let shown = record.orientation.uprightSize(of: corrected.depth.size)
    let upright = record.orientation.upright(place, in: corrected.depth.size)
    return (upright + 0.5) * photo.ratio(to: shown) - 0.5
  }

  /// Where a pixel of the map lies in the depth map as stored; `nil` without a depth map.
  ///
  /// Cost: O(1).
  public func storedPixel(ofMap pixel: SIMD2<Int>) -> SIMD2<Int>? {
    guard let record = capture.depth, let corrected else { return nil }
    guard let crop = record.cleanAperture, corrected.depth.size != record.size else { return pixel }
    return pixel &+ SIMD2(crop.x, crop.y)
  }
}

extension RasterSize {
  /// This size over another one, for columns and rows.
  fileprivate func ratio(to other: RasterSize) -> SIMD2<Double> {
    SIMD2(Double(width) / Double(other.width), Double(height) / Double(other.height))
  }
}
