import PlumblineCorrection
public import PlumblineModel

extension CaptureAnalysis {
  /// The size of an image whose pixels can be named: of the photo as it is shown, or of the depth map as
  /// stored; `nil` without a depth map.
  public func size(of space: NamedPixel.Space) -> RasterSize? {
    guard corrected != nil, let mapping = PixelMapping(capture) else { return nil }
    return space == .photo ? mapping.photoSize : mapping.mapSize
  }

  /// Where a pixel lies on the map that is measured with: the stored map, cropped to the part that
  /// belongs to the photo.
  ///
  /// - Parameter pixel: A pixel of the photo as shown, or of the depth map as stored.
  /// - Returns: Column and row of the map, not necessarily whole; `nil` without a depth map.
  ///
  /// Cost: O(1).
  public func mapPlace(of pixel: NamedPixel) -> SIMD2<Double>? {
    guard let mapping = PixelMapping(capture), let origin = cropOrigin else { return nil }
    let stored =
      pixel.space == .photo ? mapping.mapPixel(ofPhoto: pixel.place) : pixel.place
    return stored - SIMD2(Double(origin.x), Double(origin.y))
  }

  /// Where a place of the map lies in the photo as it is shown; `nil` without a depth map.
  ///
  /// Cost: O(1).
  public func shownPlace(ofMap place: SIMD2<Double>) -> SIMD2<Double>? {
    guard let mapping = PixelMapping(capture), let origin = cropOrigin else { return nil }
    return mapping.photoPixel(ofMap: place + SIMD2(Double(origin.x), Double(origin.y)))
  }

  /// Where a pixel of the map lies in the depth map as stored; `nil` without a depth map.
  ///
  /// Cost: O(1).
  public func storedPixel(ofMap pixel: SIMD2<Int>) -> SIMD2<Int>? {
    cropOrigin.map { pixel &+ $0 }
  }

  /// The first pixel of the stored map that the measured map has: that of the clean aperture where it
  /// crops anything.
  private var cropOrigin: SIMD2<Int>? {
    guard let record = capture.depth, let corrected else { return nil }
    guard let crop = record.cleanAperture, corrected.depth.size != record.size else {
      return [0, 0]
    }
    return [crop.x, crop.y]
  }
}
