internal import CKernels
internal import PlumblineModel

/// Fills holes where it is known what surface they lie in, and leaves all others empty.
///
/// From a missing pixel go 16 rays; each takes the first measured pixels that it meets. The rule
/// ``Rule/surface(_:)`` fits a plane to them in inverse depth, near ones counting most. The pixel
/// stays empty unless rays met something all around, every sample fits that one plane within the ±
/// of the sensor, and the plane is known well enough there; with a color image, something around must be like it. So gaps between two surfaces, edges and
/// what lies outside of a silhouette stay empty.
///
/// Filled pixels are marked as invented, their confidence becomes 0, and their σ is that of the fit
/// with the sensor's own, doubled at the end of the reach.
/// - Source: this project's own; in 1/z planes of the world are linear in the pixel. Measured beside
///   librealsense's rules and OpenCV's `inpaint` in `Documentation/filters.md`.
package struct HoleFilling: DepthFilter, Hashable {
  /// The rule that fills a missing pixel.
  package enum Rule: Hashable, Sendable {
    /// The plane through what lies around it, or nothing.
    case surface(SurfaceAgreement)
    /// The measured pixel to the left.
    case left
    /// The farthest measured pixel around.
    case farthest
    /// The nearest measured pixel around.
    case nearest
  }

  /// The conditions under which the pixels around a hole are one surface.
  package struct SurfaceAgreement: Hashable, Sendable {
    /// The number of the 16 directions that must meet measured pixels.
    package var directions = 10
    /// The most neighboring directions that may meet nothing; 8 are half a turn.
    package var widestGap = 4
    /// The largest weighted RMS of residuals, in σ of the samples.
    package var agreementSigmas: Float = 1
    /// The largest single residual, in σ of the samples.
    package var outlierSigmas: Float = 20
    /// The least σ of a sample that is assumed, as a share of its depth.
    package var leastSigmaShare: Float = 0.002
    /// The largest σ of the plane at the pixel, in σ of the samples.
    package var resultSigmas: Float = 3
    /// The σ of a color's difference, in codes, where a color image says which samples belong to
    /// the pixel; `nil` ignores color.
    package var colorSigmaCodes: Float? = 30

    /// Creates the limits of this project, chosen on the data of `Documentation/filters.md`.
    package init() {}
  }

  /// The rule that fills a missing pixel.
  package var rule: Rule
  /// The maximum distance of measured pixels, in pixels along a ray.
  package var reachPixels: Int
  /// `holes-filled`.
  package let name = ProvenanceStep.Kind.holesFilled.rawValue
  /// Whether the rule compares colors: only that of surfaces does.
  package var needsColor: Bool {
    guard case .surface(let agreement) = rule else { return false }
    return agreement.colorSigmaCodes != nil
  }

  /// Creates the filter.
  package init(rule: Rule = .surface(SurfaceAgreement()), reachPixels: Int = 10) {
    self.rule = rule
    self.reachPixels = reachPixels
  }

  /// Fills; O(*holes* · 16 · reach).
  ///
  /// A color image is brought to the map's size first.
  /// - Precondition: The map has fewer than 2³¹ pixels.
  package func apply(to frame: inout DepthFrame) -> DepthFilterReport {
    let size = frame.size
    precondition(size.pixelCount < Int(Int32.max), "\(size) has too many pixels")
    let reach = min(reachPixels, max(size.width, size.height))
    guard reach >= 1 else { return frame.finish(name, "reach 0") }
    let before = frame.depth
    let inverse = InverseDepth(frame, DepthStep())
    let sigma = frame.sigmaMeters.samples
    var kernel = plb_filter_filling()
    var guide: Raster<RGB8>?
    kernel.reach = Int32(reach)
    kernel.samples = 1
    switch rule {
    case .surface(let agreement):
      kernel.choice = Int32(PLB_SURFACE)
      kernel.samples = 3
      kernel.directions = Int32(clamping: agreement.directions)
      kernel.gap = Int32(clamping: agreement.widestGap)
      kernel.agreement = agreement.agreementSigmas
      kernel.outlier = agreement.outlierSigmas
      kernel.share = agreement.leastSigmaShare
      kernel.sigmas = agreement.resultSigmas
      kernel.color = agreement.colorSigmaCodes ?? 0
      guide = agreement.colorSigmaCodes == nil ? nil : frame.guide
    case .left: kernel.choice = Int32(PLB_LEFT)
    case .farthest: kernel.choice = Int32(PLB_FARTHEST)
    case .nearest: kernel.choice = Int32(PLB_NEAREST)
    }
    func fill(_ colors: UnsafePointer<UInt8>?) {
      plb_filter_fill(
        inverse.values, sigma, colors, Int32(size.width), Int32(size.height), &kernel,
        &frame.depth.meters.samples, &frame.sigmaMeters.samples)
    }
    if let guide {
      guide.packed.samples.withUnsafeBytes {
        fill($0.bindMemory(to: UInt8.self).baseAddress)
      }
    } else {
      fill(nil)
    }
    return frame.finish(from: before, name, "\(words), reach \(reachPixels) px")
  }

  private var words: String {
    switch rule {
    case .surface(let agreement):
      "where one surface lies around"
        + (agreement.colorSigmaCodes == nil ? "" : ", colors alike first")
    case .left: "from the left"
    case .farthest: "with the farthest around"
    case .nearest: "with the nearest around"
    }
  }
}
