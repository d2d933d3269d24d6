import PlumblineIO
package import PlumblineModel

/// Turns a stored map and what Apple writes beside it into a depth record.
struct AppleDepthRecord {
  /// The codes as decoded.
  let samples: StoredSamples
  /// What the map's own XMP says; `nil` when it is gone.
  let metadata: AppleDepthMetadata?
  /// What the map's bitstream says; `nil` for JPEG.
  let representation: DepthRepresentation?

  /// The record with what is odd about it; `nil` when nothing says which values the codes mean,
  /// which a finding then states.
  func record() -> (record: DepthRecord?, findings: [Finding]) {
    let (quantization, quantizationFindings) = quantization()
    var findings = (metadata?.notes ?? []).map { Finding($0) } + quantizationFindings
    guard let quantization else { return (nil, findings) }
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
    if let metadata {
      let (calibration, calibrationFindings) = metadata.calibration()
      record.calibration = calibration
      findings += calibrationFindings
    }
    return (record, findings)
  }

  private var defaultType: String {
    if case .uint8 = samples { "L008" } else { "L016" }
  }

  private func quantization() -> (quantization: LinearQuantization?, findings: [Finding]) {
    let codes = metadata?.intRange ?? 0...samples.maximumCode
    if let values = metadata?.floatRange, Self.isPlausible(values.lowerBound, values.upperBound),
      codes.lowerBound >= 0, codes.upperBound <= Int(UInt16.max)
    {
      let quantization = LinearQuantization(
        minimumCode: codes.lowerBound, maximumCode: codes.upperBound,
        minimumValue: values.lowerBound, maximumValue: values.upperBound)
      return (quantization, [])
    }
    if let representation, let low = representation.minimumDisparity,
      let high = representation.maximumDisparity, Self.isPlausible(low, high)
    {
      let finding = Finding(
        .depthRangeFromBitstream, .caution,
        "the range of disparities was taken from the bitstream, since the metadata lacks it",
        evidence: "depth representation \(low.fixed(6)) to \(high.fixed(6)) 1/m",
        correction: .applied)
      let quantization = LinearQuantization(
        minimumCode: 0, maximumCode: samples.maximumCode, minimumValue: low, maximumValue: high)
      return (quantization, [finding])
    }
    let finding = Finding(
      .depthRangeUnknown, .fault, "nothing says which depths the stored codes mean",
      evidence: "no FloatMinValue and FloatMaxValue, no depth representation")
    return (nil, [finding])
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

extension AppleDepthMetadata {
  /// The calibration that Apple writes beside a depth map, with what is odd about it.
  ///
  /// It is `nil` when there is none, or none that a camera could have; a finding then says why.
  /// The names of the two coefficient lists are swapped in files: the *inverse* ones generate the
  /// table from undistorted to distorted points. See `Documentation/formats/xmp-apple-depth.md`.
  func calibration() -> (calibration: CameraCalibration?, findings: [Finding]) {
    guard let matrix = intrinsicMatrix else { return (nil, []) }
    guard let size = intrinsicMatrixReferenceSize, size.pixelCount > 0 else {
      let finding = Self.damaged(
        "intrinsics without the size that they belong to", "IntrinsicMatrixReferenceWidth")
      return (nil, [finding])
    }
    guard let intrinsics = PinholeIntrinsics(columnMajor: matrix, size: size) else {
      let finding = Self.damaged(
        "the intrinsic matrix is not that of a camera", "IntrinsicMatrix = \(matrix)")
      return (nil, [finding])
    }
    var findings: [Finding] = []
    var extrinsics: CameraExtrinsics?
    if let matrix = extrinsicMatrix {
      extrinsics = CameraExtrinsics(columnMajor: matrix)
      if extrinsics == nil {
        findings.append(
          Self.damaged("the extrinsic matrix holds no rotation", "ExtrinsicMatrix = \(matrix)"))
      }
    }
    let pixelSize = pixelSizeInMillimeters.flatMap { $0 > 0 ? $0 : nil }
    let (lens, lensFindings) = distortion(size, pixelSize)
    findings += lensFindings
    guard lens?.isFinite != false else {
      findings.append(
        Self.damaged(
          "the distortion is not that of a lens: it moves points out of sight",
          "LensDistortionCoefficients, InverseLensDistortionCoefficients, PixelSize"))
      return (nil, findings)
    }
    let calibration = CameraCalibration(
      intrinsics: intrinsics, pixelSizeMillimeters: pixelSize, distortion: lens,
      extrinsics: extrinsics)
    return (calibration, findings)
  }

  private func distortion(
    _ size: RasterSize, _ pixelSize: Double?
  ) -> (lens: LensDistortion?, findings: [Finding]) {
    let distorting = inverseLensDistortionCoefficients.map(RadialMagnification.coefficients)
    let undistorting = lensDistortionCoefficients.map(RadialMagnification.coefficients)
    guard distorting != nil || undistorting != nil,
      let x = lensDistortionCenterX, let y = lensDistortionCenterY
    else { return (nil, []) }
    // Apple documents a center of zero as "not available", and then nothing may be rectified.
    if x == 0 && y == 0 { return (nil, []) }
    let isZero = distorting?.isZero != false && undistorting?.isZero != false
    guard pixelSize != nil || isZero else {
      let finding = Self.damaged(
        "distortion coefficients without the pixel size that they count in", "PixelSize")
      return (nil, [finding])
    }
    let lens = LensDistortion(
      center: [x, y], size: size, pixelSizeMillimeters: pixelSize ?? 0, distorting: distorting,
      undistorting: undistorting)
    return (lens, [])
  }

  private static func damaged(_ message: String, _ evidence: String) -> Finding {
    Finding(.calibrationDamaged, .caution, message, evidence: evidence)
  }
}

/// The meaning of an auxiliary image, from its own metadata and never from its position.
package enum AuxiliaryMeaning: Hashable {
  /// A map whose codes mean disparities or depths.
  case depth
  case matte(Matte.Kind)
  case gainMap
  case unknown(String)

  /// Reads the type that Apple writes; the subtype comes first, since portrait mattes call
  /// themselves `depth` and only their subtype is right.
  package init(_ metadata: AppleDepthMetadata) {
    self.init(name: metadata.effectiveType ?? "")
  }

  /// Reads a type name or URN, such as `disparity` or
  /// `urn:com:apple:photo:2019:aux:semanticskinmatte`.
  package init(name: String) {
    let last = name.split(separator: ":").last.map { $0.lowercased() } ?? ""
    switch last {
    case "depth", "disparity": self = .depth
    case "portraiteffectsmatte": self = .matte(.portraitEffects)
    case "hdrgainmap": self = .gainMap
    default:
      let isSemantic = last.hasPrefix("semantic") && last.hasSuffix("matte")
      let part = isSemantic ? String(last.dropFirst(8).dropLast(5)) : ""
      self = Matte.Kind(rawValue: part).map(Self.matte) ?? .unknown(printable(name.utf8.prefix(80)))
    }
  }
}
