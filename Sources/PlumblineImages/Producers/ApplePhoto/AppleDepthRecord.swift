import PlumblineIO
import PlumblineModel

/// Turns a stored map and what Apple writes beside it into a depth record.
struct AppleDepthRecord {
  /// The codes as decoded.
  let samples: StoredSamples
  /// What the map's own XMP says; `nil` when it is gone.
  let metadata: AppleDepthMetadata?
  /// What the map's bitstream says; `nil` for JPEG.
  let representation: DepthRepresentation?

  /// The record; `nil` when nothing says which values the codes mean, which `findings` then states.
  func record(findings: inout [Finding]) -> DepthRecord? {
    findings += (metadata?.notes ?? []).map { Finding($0) }
    guard let quantization = quantization(&findings) else { return nil }
    let raster = quantization.values(of: samples)
    let isDepth = metadata?.effectiveType?.lowercased() == "depth"
    var record = DepthRecord(
      values: isDepth
        ? .depth(DepthMap(meters: raster)) : .disparity(DisparityMap(inverseMeters: raster)),
      storedType: metadata?.storedFormat.map(Self.name) ?? defaultType)
    record.storedSamples = samples
    record.quantization = quantization
    record.nativeType = metadata?.nativeFormat.map(Self.name)
    record.accuracy =
      metadata?.accuracy.flatMap { DepthRecord.Accuracy(rawValue: $0.lowercased()) } ?? .unknown
    record.isFiltered = metadata?.isFiltered
    if let sigma = metadata?.disparitySigma {
      // |dz| = z²·|dd|, from z = 1/d.
      let meters = isDepth ? raster : DisparityMap(inverseMeters: raster).depthMap.meters
      record.sigmaMeters = meters.map { $0 > 0 ? $0 * $0 * Float(sigma) : .nan }
    }
    record.simulatedAperture = metadata?.simulatedAperture
    record.quality = metadata?.quality.map { printable($0.lowercased().utf8.prefix(20)) }
    record.calibration = metadata.flatMap { CameraCalibration($0, findings: &findings) }
    return record
  }

  private var defaultType: String {
    if case .uint8 = samples { "L008" } else { "L016" }
  }

  private func quantization(_ findings: inout [Finding]) -> LinearQuantization? {
    let codes = metadata?.intRange ?? 0...samples.maximumCode
    if let values = metadata?.floatRange, Self.isPlausible(values.lowerBound, values.upperBound),
      codes.lowerBound >= 0, codes.upperBound <= Int(UInt16.max)
    {
      return LinearQuantization(
        minimumCode: codes.lowerBound, maximumCode: codes.upperBound,
        minimumValue: values.lowerBound, maximumValue: values.upperBound)
    }
    if let representation, let low = representation.minimumDisparity,
      let high = representation.maximumDisparity, Self.isPlausible(low, high)
    {
      findings.append(
        Finding(
          .depthRangeFromBitstream, .caution,
          "the range of disparities was taken from the bitstream, since the metadata lacks it",
          evidence: "depth representation \(low.fixed(6)) to \(high.fixed(6)) 1/m",
          correction: .applied))
      return LinearQuantization(
        minimumCode: 0, maximumCode: samples.maximumCode, minimumValue: low, maximumValue: high)
    }
    findings.append(
      Finding(
        .depthRangeUnknown, .fault, "nothing says which depths the stored codes mean",
        evidence: "no FloatMinValue and FloatMaxValue, no depth representation"))
    return nil
  }

  /// Whether values could be depths or disparities of a camera: none beyond 10⁴ (10 km, or 0.1 mm)
  /// and not all the same as far as single precision can tell, lest a σ of 0 be believed.
  static func isPlausible(_ low: Double, _ high: Double) -> Bool {
    abs(low) <= 1e4 && high <= 1e4 && high >= 1e-4 && high - low >= 1e-6 * high
  }

  /// The four characters of a pixel format, such as `hdis`.
  private static func name(_ code: UInt32) -> String {
    printable([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) })
  }
}

extension Finding {
  /// A container's note as a finding.
  package init(_ note: ContainerNote) {
    let evidence = note.offset.map { "byte \($0)" } ?? ""
    switch note.code {
    case .multiPictureEntryRejected, .multiPictureIndexRejected, .multiPictureLengthDiffers,
      .imageFoundByScanning:
      self.init(.fileDamagedIndex, .note, note.text, evidence: evidence, correction: .applied)
    case .imageTruncated:
      self.init(.fileDamagedImage, .caution, note.text, evidence: evidence)
    case .imageWarning:
      self.init(.fileDamagedImage, .note, note.text, evidence: evidence)
    case .extendedXMPRejected, .metadataRejected, .metadataValueRejected:
      self.init(.fileDamagedMetadata, .caution, note.text, evidence: evidence)
    case .trailingZeros, .trailer:
      self.init(.fileTrailer, .note, note.text, evidence: evidence)
    }
  }
}
