internal import CKernels
package import PlumblineModel

/// The map at the size of its color image, its edges drawn where the color has them.
///
/// Each pixel lies between four pixels of the map. Where these agree, they are interpolated in
/// inverse depth, which keeps planes exactly, and color has no say: texture leaves no trace. Where
/// they do not, they are weighted by likeness of color too, and only those on the surface of the
/// heaviest make the value: no pixel hangs between two surfaces. Its ± then grows by how likely the
/// other surface was. Where the nearest pixel of the map is missing, the result is.
///
/// Marks and confidence are those of the nearest pixel of the map.
/// - Source: Kopf et al., *Joint bilateral upsampling*, SIGGRAPH 2007, with the choice of one
///   surface instead of the mean of both.
package struct GuidedUpsampling: DepthFilter, Hashable {
  /// The σ of a color's difference, in codes.
  package var sigmaCodes: Float
  /// How far neighbors may be apart to lie on one surface, in their own σ.
  package var sigmas: Float
  /// The size of the result; `nil` for that of the color image.
  package var size: RasterSize?
  /// `upsampled`.
  package let name = ProvenanceStep.Kind.upsampled.rawValue
  /// `true`: its edges are those of the color image.
  package var needsColor: Bool { true }

  /// Creates the filter.
  package init(sigmaCodes: Float = 20, sigmas: Float = 5, size: RasterSize? = nil) {
    self.sigmaCodes = sigmaCodes
    self.sigmas = sigmas
    self.size = size
  }

  /// Makes the map larger; O(*n*) of the result.
  ///
  /// The report counts pixels of the result. Without a color image, or to a size below the map's own, it does nothing.
  /// - Precondition: Both sizes have fewer than 2³¹ pixels.
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let small = frame.size
    guard let color = frame.color, let guide = frame.guide else {
      return frame.finish(name, "no color image")
    }
    let target = size ?? color.size
    guard target.width >= small.width, target.height >= small.height else {
      return frame.finish(name, "\(target) is smaller than \(small)")
    }
    precondition(target.pixelCount < Int(Int32.max), "\(target) has too many pixels")
    let large = color.scaled(to: target)
    let border = Border(frame, guide)
    let columns = Axis(from: small.width, to: target.width)
    let rows = Axis(from: small.height, to: target.height)
    var depth = Raster<Float>(size: target, repeating: .nan)
    var sigma = depth
    depth.samples.withUnsafeMutableBufferPointer { depth in
      sigma.samples.withUnsafeMutableBufferPointer { sigma in
        large.samples.withUnsafeBytes { colors in
          border.colors.withUnsafeBytes { ours in
            border.inverse.withUnsafeBufferPointer { inverse in
              border.sigma.withUnsafeBufferPointer { noise in
                guard let depth = depth.baseAddress, let sigma = sigma.baseAddress,
                  let colors = colors.bindMemory(to: UInt8.self).baseAddress,
                  let ours = ours.bindMemory(to: UInt8.self).baseAddress,
                  let inverse = inverse.baseAddress, let noise = noise.baseAddress
                else { return }
                for y in 0..<target.height {
                  let start = Int(rows.first[y]) * border.stride
                  var pair = plb_filter_rows(
                    inverse: inverse + start, sigma: noise + start, colors: ours + 3 * start,
                    stride: border.stride, down: rows.share[y], agreement: sigmas,
                    color: sigmaCodes)
                  let place = y * target.width
                  plb_filter_upsample(
                    &pair, columns.first, columns.share, colors + 3 * place, target.width,
                    depth + place, sigma + place)
                }
              }
            }
          }
        }
      }
    }
    frame.depth.meters = depth
    frame.sigmaMeters = sigma
    frame.confidence = frame.confidence.map {
      ConfidenceMap(levels: $0.levels.scaledNearest(to: target), maximumLevel: $0.maximumLevel)
    }
    frame.inventedPixels = frame.inventedPixels?.scaledNearest(to: target)
    let measured = depth.samples.reduce(0) { $0 + ($1.isNaN ? 0 : 1) }
    return DepthFilterReport(
      name: name, detail: "\(small) to \(target), color of \(sigmaCodes) codes",
      measuredPixels: measured)
  }

  /// The map with its outermost pixels twice, so that every pixel lies between four.
  private struct Border {
    var stride: Int
    var inverse: [Float]
    var sigma: [Float]
    var colors: [RGB8]

    init(_ frame: DepthFrame, _ guide: Raster<RGB8>) {
      let (width, height) = (frame.size.width, frame.size.height)
      stride = width + 2
      let places = (-1...height).flatMap { y in
        (-1...width).map { min(max(y, 0), height - 1) * width + min(max($0, 0), width - 1) }
      }
      let meters = frame.depth.meters.samples
      let sigmas = frame.sigmaMeters.samples
      inverse = places.map { 1 / meters[$0] }
      sigma = places.map { sigmas[$0] / (meters[$0] * meters[$0]) }
      colors = places.map { guide.samples[$0] }
    }
  }

  /// Between which two pixels of the bordered map each pixel lies, centers matched.
  private struct Axis {
    var first: [Int32]
    var share: [Float]

    init(from source: Int, to target: Int) {
      let positions = (0..<target).map { (index: Int) -> Double in
        (Double(index) + 0.5) * Double(source) / Double(target) + 0.5
      }
      first = positions.map { Int32(min(Int($0), source)) }
      share = zip(positions, first).map { Float($0 - Double($1)) }
    }
  }
}
