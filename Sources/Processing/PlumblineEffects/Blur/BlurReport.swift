internal import PlumblineModel

/// The amount of a blur, and its uncertainty.
public struct BlurReport: Sendable, Hashable {
  /// A blur circle's diameter and its ±, in pixels of the photo.
  public struct Circle: Sendable, Hashable {
    /// The diameter in pixels, above 0 on both sides of the focus.
    public var diameterPixels: Double
    /// One standard deviation in pixels, of the same errors as ``BlurReport/focusSigma``; NaN where that is not known.
    public var sigmaPixels: Double
  }

  /// The disparity in focus, in the unit of the scene's; `1/focusDisparity` is meters where metric.
  public var focusDisparity: Double
  /// One standard deviation of that for a pixel, by the codes of the map and its own sigma, so without that of the
  /// sensor; NaN where neither is known.
  public var focusSigma: Double
  /// Whether disparities are in 1/m.
  public var isMetric: Bool
  /// The diameter of the lens's opening, in millimeters.
  public var apertureMillimeters: Double
  /// The f-number that was used.
  public var fNumber: Double
  /// The circle of the nearest hundredth of the photo.
  public var near: Circle
  /// The circle of the farthest hundredth of the photo.
  public var far: Circle
  /// The radius beyond which blur is cut, in pixels.
  public var largestRadiusPixels: Double
  /// Notes that a user should know.
  public var notes: [EffectNote]
}

extension BlurEffect {
  /// The amount by which the effect would blur a scene; O(10,000).
  ///
  /// - Throws: As ``applied(to:threads:)``.
  public func report(on scene: EffectScene) throws(EffectError) -> BlurReport {
    try validate()
    return report(on: scene, by: try BlurLaw.derived(from: self, scene))
  }

  /// The same by a law that is known already.
  func report(on scene: EffectScene, by law: BlurLaw) -> BlurReport {
    let ends = scene.disparity.percentiles([0.01, 0.99])
    func circle(_ disparity: Float) -> BlurReport.Circle {
      BlurReport.Circle(
        diameterPixels: abs(2 * law.pixelsPerDisparity * (Double(disparity) - law.focus)),
        // The focus is a median of many pixels, so only the error of the single pixel counts.
        sigmaPixels: 2 * law.pixelsPerDisparity * Double(scene.sigma))
    }
    var report = BlurReport(
      focusDisparity: law.focus, focusSigma: Double(scene.sigma), isMetric: scene.isMetric,
      apertureMillimeters: law.apertureMillimeters,
      fNumber: law.fNumber, near: circle(ends[1]), far: circle(ends[0]),
      largestRadiusPixels: largestPixels(scene), notes: [])
    report.notes = notes(scene, law, report)
    return report
  }

  private func notes(_ scene: EffectScene, _ law: BlurLaw, _ report: BlurReport) -> [EffectNote] {
    var notes: [EffectNote] = []
    if law.isCameraAssumed { notes.append(.assumedCamera) }
    notes += scene.statedCameraNotes
    if !scene.isMetric {
      notes.append(
        EffectNote(
          .relativeDepth,
          "depth is relative: its unknown scale is taken as 1, so f-numbers are nominal"))
    }
    let diameters = 2 * law.pixelsPerDisparity
    let step = diameters * Double(scene.disparityStep)
    if step > 1 {
      notes.append(
        EffectNote(
          .quantizedDepth,
          "one code of the stored depth changes the blur by \(step.tenths) px: slopes may show bands"
        ))
    }
    if report.far.sigmaPixels > 1 {
      notes.append(
        EffectNote(
          .uncertainBlur, "the blur is known to ±\(report.far.sigmaPixels.tenths) px only"))
    }
    let cell = Double(scene.color.width) / Double(max(scene.depthSize.width, 1))
    let most = max(report.near.diameterPixels, report.far.diameterPixels)
    if cell > 8, most > 2 {
      notes.append(
        EffectNote(
          .coarseDepth,
          "the depth map has a pixel for every \(cell.tenths) of the photo: "
            + "edges follow the colors there"))
    }
    if most < 1.5, most > 0 {
      let wanted = max(
        (1000 * law.fNumber * most / 30).rounded(.up) / 1000, BlurLaw.leastNominalFNumber + 0.001)
      let other = scene.isMetric ? "" : ", such as \(wanted): its scale is not known here"
      notes.append(
        EffectNote(
          .slightBlur,
          "blur circles are \(most.tenths) px at most: a smaller f-number blurs more\(other)"))
    }
    if most > 2 * report.largestRadiusPixels {
      notes.append(
        EffectNote(
          .cappedBlur,
          "blur circles of \(most.tenths) px are cut at \((2 * report.largestRadiusPixels).tenths) px"
        ))
    }
    return notes
  }
}

extension Double {
  /// The number with one decimal, as text.
  var tenths: String {
    let tenths = (self * 10).rounded()
    guard abs(tenths) < 1e15 else { return "\(self)" }
    let whole = Int(tenths)
    return "\(whole < 0 ? "-" : "")\(abs(whole) / 10).\(abs(whole) % 10)"
  }
}

extension Raster<Float> {
  /// Percentiles of finite values on a lattice of about 10,000; NaN where there is none.
  func percentiles(_ shares: [Double]) -> [Float] {
    let step = Swift.max(1, Int(Double(size.pixelCount / 10_000).squareRoot()))
    var found: [Float] = []
    for y in stride(from: step / 2, to: height, by: step) {
      for x in stride(from: step / 2, to: width, by: step) {
        let value = samples[y * rowStride + x]
        if value.isFinite { found.append(value) }
      }
    }
    guard !found.isEmpty else { return shares.map { _ in .nan } }
    found.sort()
    return shares.map { found[Swift.min(Int($0 * Double(found.count)), found.count - 1)] }
  }
}
