internal import CKernels
package import PlumblineModel

/// A smaller map, each pixel the median of the measured ones of a square.
///
/// Each result is a depth that was measured, with its own ± and confidence, never a mixture of two depths or
/// of a depth and a hole; of two in the middle it is the lower one. Columns and rows that do not fill a
/// square are left out; ``calibration(_:)`` gives the camera of the result.
/// - Source: librealsense's decimation filter takes the median of measured pixels for squares of 2
///   and 3, and the mean for larger ones, which mixes surfaces.
package struct MedianDecimation: DepthFilter, Hashable {
  /// The side of a square, 1 to 8 pixels.
  package var side: Int
  /// `decimated`.
  package let name = ProvenanceStep.Kind.decimated.rawValue
  /// `false`.
  package var needsColor: Bool { false }

  /// Creates the filter; sides outside of 1…8 are taken as the nearest one.
  package init(side: Int) { self.side = min(max(side, 1), 8) }

  /// The size of the result.
  package func size(of size: RasterSize) -> RasterSize {
    RasterSize(width: size.width / side, height: size.height / side)
  }

  /// The camera of the result.
  ///
  /// - Precondition: The calibration has the map's size, which holds one square at least.
  package func calibration(_ calibration: CameraCalibration) -> CameraCalibration {
    let small = size(of: calibration.intrinsics.size)
    precondition(small.pixelCount > 0, "no square of \(side) px")
    let part = PixelRectangle(
      x: 0, y: 0, width: small.width * side, height: small.height * side)
    return calibration.cropped(to: part).scaled(to: small)
  }

  /// Makes the map smaller; O(*n* · side²) at worst.
  ///
  /// The report counts pixels of the result.
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let small = size(of: frame.size)
    let part = PixelRectangle(
      x: 0, y: 0, width: small.width * side, height: small.height * side)
    guard side > 1 else { return frame.finish(name, "squares of 1 px") }
    let meters = frame.depth.meters.cropped(to: part)
    let measured = meters.samples.reduce(0) { $0 + ($1.isNaN ? 0 : 1) }
    let sources = [Int32](unsafeUninitializedCapacity: small.pixelCount) { result, initialized in
      initialized = small.pixelCount
      guard let result = result.baseAddress, small.pixelCount > 0 else { return }
      plb_filter_medians(
        meters.samples, Int32(part.size.width), Int32(part.size.height), Int32(side), result)
    }
    let map = NearestPixelMap(sourceSize: part.size, size: small, sources: sources)
    func taken<Sample>(_ raster: Raster<Sample>, missing: Sample) -> Raster<Sample> {
      map.gathered(raster.cropped(to: part), missing: missing)
    }
    if let color = frame.color, part.size != frame.size {
      frame.color = Self.cropped(color, part, of: frame.size)
    }
    frame.depth.meters = map.gathered(meters, missing: .nan)
    frame.sigmaMeters = taken(frame.sigmaMeters, missing: .nan)
    frame.confidence = frame.confidence.map {
      ConfidenceMap(levels: taken($0.levels, missing: 0), maximumLevel: $0.maximumLevel)
    }
    frame.inventedPixels = frame.inventedPixels.map { taken($0, missing: 0) }
    return DepthFilterReport(
      name: name, detail: "squares of \(side) px: \(small)", measuredPixels: measured)
  }

  /// The part of the color image that still belongs to the map.
  private static func cropped(
    _ color: Raster<RGB8>, _ part: PixelRectangle, of size: RasterSize
  ) -> Raster<RGB8> {
    color.cropped(
      to: PixelRectangle(
        x: 0, y: 0, width: color.width * part.size.width / max(size.width, 1),
        height: color.height * part.size.height / max(size.height, 1)))
  }
}
