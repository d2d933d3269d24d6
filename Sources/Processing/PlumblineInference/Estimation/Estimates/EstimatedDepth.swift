public import PlumblineModel

/// An estimate with its fit, on the image's own grid: what is written and shown.
public struct EstimatedDepth: Sendable {
  /// The estimate.
  public let estimate: DepthEstimate
  /// The fit, believed or not; `nil` where none was requested.
  public let fit: EstimateFit?
  /// Depths: meters when ``isFitted``, and of a model of meters those that it gave; `nil` for
  /// relative numbers.
  public let depth: DepthMap?
  /// The network's own numbers, where they are relative and no fit makes meters of them; else
  /// `nil`.
  public let relativeValues: Raster<Float>?
  /// One standard deviation of each depth in meters; `nil` unless fitted.
  public let sigmaMeters: Raster<Float>?

  /// Spreads an estimate over its image; O(*n*) of the image.
  ///
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - fit: Its fit; one that is refused is not applied.
  ///   - image: The image as stored, along whose edges the depth is sharpened; `nil` to leave
  ///     it.
  package init(
    _ estimate: DepthEstimate, fit: EstimateFit? = nil, sharpenedAlong image: Raster<RGB8>? = nil
  ) {
    self.estimate = estimate
    self.fit = fit
    if let fit, fit.refusal == nil {
      let (meters, sigma) = estimate.fitted(by: fit, sharpenedAlong: image)
      (depth, sigmaMeters, relativeValues) = (meters, sigma, nil)
    } else {
      depth = estimate.estimatedMeters(sharpenedAlong: image)
      relativeValues =
        estimate.isMetric ? nil : estimate.relativeValues(sharpenedAlong: image)
      sigmaMeters = nil
    }
  }

  /// Whether the depths are meters by what was measured.
  public var isFitted: Bool { sigmaMeters != nil }

  /// The capture with this depth in place of its own.
  ///
  /// Accuracy is relative unless fitted. Map and image share their grid, orientation and camera.
  ///
  /// - Parameters:
  ///   - capture: The capture whose image was estimated, in the orientation of `orientation`.
  ///   - card: What is known of the model.
  ///   - checksum: The SHA-256 of the model file.
  ///   - accuracy: What is promised of that to which it was fitted, such as a sensor's own promise.
  /// - Returns: A capture whose ``Capture/estimate`` says what it is. Cost: O(1).
  public func capture(
    from capture: Capture, card: ModelCard, checksum: String?,
    accuracy: DepthRecord.Accuracy = .absolute
  ) -> Capture {
    var result = capture
    result.depth = record(accuracy: accuracy)
    result.depth?.orientation = estimate.grid.placement.orientation
    result.depth?.calibration = estimate.camera.calibration
    result.depth?.calibrationUncertainty = estimate.camera.uncertainty
    result.colorCalibration = nil
    (result.mattes, result.gainMap, result.stereoPair) = ([], nil, nil)
    // What was said of the depth map that stood here is not said of this one.
    result.findings = capture.findings.filter { $0.code.family != .depth }
    result.findings += estimate.findings
    if let fit, let refusal = fit.refusal {
      result.findings.append(
        Finding(
          .estimateFitRefused, .caution,
          "the fit to \(fit.target.words) is not believed: \(refusal)", evidence: fit.summary))
    }
    let origin = EstimateOrigin(
      model: card.name, fittedTo: isFitted ? fit?.target.words : nil,
      publishedError: card.publishedError?.summary)
    result.provenance += origin.steps(
      detail: detail(checksum: checksum), fit: fit.map { $0.summary })
    return result
  }

  private func record(accuracy: DepthRecord.Accuracy) -> DepthRecord {
    if let depth {
      var record = DepthRecord(
        values: .depth(depth), storedType: "fdep", accuracy: isFitted ? accuracy : .relative)
      record.sigmaMeters = sigmaMeters
      return record
    }
    let values = relativeValues ?? Raster(size: RasterSize(width: 0, height: 0), repeating: 0)
    var record =
      estimate.meaning == .relativeDepth
      ? DepthRecord(
        values: .depth(DepthMap(meters: values)), storedType: "fdep", accuracy: .relative)
      : DepthRecord(
        values: .disparity(DisparityMap(inverseMeters: values)), storedType: "fdis",
        accuracy: .relative)
    record.hasUnit = false
    return record
  }

  /// The numbers that another run needs to give the same.
  private func detail(checksum: String?) -> String {
    var parts = ["model file SHA-256 \(checksum ?? "unknown")"]
    parts.append("output: \(estimate.meaning.rawValue)")
    let placement = estimate.grid.placement
    parts.append(
      "input \(placement.inputSize) sees \(placement.seen.size) of \(placement.imageSize)")
    if let focal = estimate.camera.calibration?.intrinsics.focalLength.x {
      parts.append("focal length \(focal.fixed(2)) px (\(estimate.camera.source.rawValue))")
    }
    if estimate.focalCorrection != 1 {
      parts.append("meters × \(estimate.focalCorrection.fixed(5)) for the focal length")
    }
    return parts.joined(separator: "; ")
  }
}

/// A sensor's depth map whose holes are filled by a fitted estimate.
///
/// What the sensor measured stays bit by bit. What was filled in is marked, has no confidence and the ±
/// of the fit, which is at least the sensor's.
public struct EstimateFilling: Sendable {
  /// The depths on the sensor's grid.
  public let depth: DepthMap
  /// One standard deviation of each, in meters; NaN where missing.
  public let sigmaMeters: Raster<Float>
  /// 1 where the estimate filled in, 0 elsewhere.
  public let inventedPixels: Raster<UInt8>
  /// The number of pixels filled in.
  public let inventedCount: Int

  /// Fills the holes; O(*n*) of the sensor's map.
  ///
  /// - Parameters:
  ///   - sensor: The sensor's map, turned as the image is stored, of the image's field of view.
  ///   - sigma: The ± of the sensor's depths.
  ///   - estimate: The estimate of the image.
  ///   - fit: Its fit.
  package init(
    _ sensor: DepthMap, sigma: SigmaCurve, by estimate: DepthEstimate, fit: EstimateFit
  ) {
    let size = sensor.size
    let image = estimate.grid.placement.imageSize
    let scale = SIMD2(
      Double(image.width) / Double(max(size.width, 1)),
      Double(image.height) / Double(max(size.height, 1)))
    var meters = sensor.meters.packed
    var sigmas = Raster(size: size, repeating: Float.nan)
    var marks = Raster<UInt8>(size: size, repeating: 0)
    var count = 0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let measured = meters[x, y]
        if measured > 0, measured < .infinity {
          sigmas[x, y] = Float(sigma.sigmaMeters(atDepth: Double(measured)))
          continue
        }
        let pixel = (SIMD2(Double(x), Double(y)) + 0.5) * scale - 0.5
        let depth = estimate.meters(at: pixel, by: fit)
        meters[x, y] = Float(depth)
        guard !depth.isNaN else { continue }
        let own = sigma.sigmaMeters(atDepth: depth)
        let fitted = fit.sigmaMeters(atDepth: depth)
        sigmas[x, y] = Float((own * own + fitted * fitted).squareRoot())
        marks[x, y] = 1
        count += 1
      }
    }
    depth = DepthMap(meters: meters)
    sigmaMeters = sigmas
    inventedPixels = marks
    inventedCount = count
  }
}
