import PlumblineImages
public import PlumblineIO
public import PlumblineModel

extension Capture {
  /// The document `plumbline.inspect/1`: what a file says, without any assessment.
  ///
  /// - Parameters:
  ///   - fileName: The name that the document carries.
  ///   - sha256: The file's digest, hexadecimal; `nil` for a frame of several files.
  /// - Returns: The document; what is unknown is `null`.
  public func inspectDocument(fileName: String, sha256: String?) -> JSONValue {
    // By themselves: the compiler takes seconds for several defaults in one expression.
    let depthDocument = depth?.inspectDocument ?? .null
    let calibration = depth?.calibration?.document ?? .null
    let gainMapDocument = gainMap?.document ?? .null
    let pairDocument = stereoPair?.document ?? .null
    return .object([
      ("schema", "plumbline.inspect/1"),
      ("file", .string(fileName)),
      ("sha256", .string(sha256)),
      ("source", source.document),
      ("timestampSeconds", .number(timestampSeconds)),
      ("worldFromCameraRows", .numbers(worldFromCamera?.rowMajor)),
      ("color", colorDocument),
      ("depth", depthDocument),
      ("calibration", calibration),
      ("mattes", .array(mattes.map(\.document))),
      ("gainMap", gainMapDocument),
      ("stereoPair", pairDocument),
      ("findings", .array(findings.map(\.document))),
    ])
  }

  private var colorDocument: JSONValue {
    guard let size = colorSize else { return .null }
    return .object([
      ("width", .integer(size.width)),
      ("height", .integer(size.height)),
      ("exifOrientation", .integer(colorOrientation.rawValue)),
    ])
  }
}

extension DepthRecord.Values {
  /// The kind as documents name it.
  var word: String {
    switch self {
    case .depth: "depth"
    case .disparity: "disparity"
    case .range: "range"
    }
  }
}

extension DepthRecord {
  /// The stored map's facts.
  var inspectDocument: JSONValue {
    let kind = values.word
    return .object([
      ("width", .integer(size.width)),
      ("height", .integer(size.height)),
      ("kind", .string(kind)),
      ("storedType", .string(storedType)),
      ("nativeType", .string(nativeType)),
      ("minimumCode", .integer(quantization?.minimumCode)),
      ("maximumCode", .integer(quantization?.maximumCode)),
      ("minimumValue", .number(quantization?.minimumValue)),
      ("maximumValue", .number(quantization?.maximumValue)),
      ("valueUnit", .string(hasUnit ? (kind == "disparity" ? "1/m" : "m") : nil)),
      ("accuracy", .string(accuracy == .unknown ? nil : accuracy.rawValue)),
      ("filtered", .bool(isFiltered)),
      ("quality", .string(quality)),
      ("exifOrientation", .integer(orientation.rawValue)),
      (
        "cleanAperture",
        cleanAperture.map {
          .numbers([$0.x, $0.y, $0.size.width, $0.size.height].map(Double.init))
        } ?? .null
      ),
      ("confidence", confidence?.document ?? .null),
      ("hasSigma", .bool(sigmaMeters != nil)),
      ("inventedPixels", .integer(inventedPixels.map { $0.samples.count { $0 != 0 } })),
    ])
  }
}

extension ConfidenceMap {
  /// How many pixels have each level, from 0 to the maximum.
  var document: JSONValue {
    var counts = [Int](repeating: 0, count: Int(maximumLevel) + 1)
    for level in levels.samples { counts[Int(min(level, maximumLevel))] += 1 }
    return .object([
      ("maximumLevel", .integer(Int(maximumLevel))),
      ("pixelsOfLevels", .array(counts.map { .integer($0) })),
    ])
  }
}

extension CameraCalibration {
  /// The numbers as the file has them, at their reference size.
  var document: JSONValue {
    func coefficients(_ magnification: RadialMagnification?) -> JSONValue {
      switch magnification {
      case .coefficients(let percents): .numbers(percents)
      case .table(let samples): .numbers(samples.map(Double.init))
      case nil: .null
      }
    }
    let rotation = extrinsics?.rotation
    let columns = rotation.map { [$0.x, $0.y, $0.z].flatMap { [$0.x, $0.y, $0.z] } }
    let translation = extrinsics?.translationMillimeters
    return .object([
      ("fx", .number(intrinsics.focalLength.x)),
      ("fy", .number(intrinsics.focalLength.y)),
      ("cx", .number(intrinsics.principalPoint.x)),
      ("cy", .number(intrinsics.principalPoint.y)),
      ("referenceWidth", .integer(intrinsics.size.width)),
      ("referenceHeight", .integer(intrinsics.size.height)),
      ("pixelSizeMillimeters", .number(pixelSizeMillimeters)),
      (
        "distortionCenter",
        .numbers(distortion.map { [$0.center.x, $0.center.y] })
      ),
      ("distorting", coefficients(distortion?.distorting)),
      ("undistorting", coefficients(distortion?.undistorting)),
      ("rotationColumns", .numbers(columns)),
      (
        "translationMillimeters",
        .numbers(translation.map { [$0.x, $0.y, $0.z] })
      ),
    ])
  }
}

extension Matte {
  /// One entry of `mattes`.
  var document: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)),
      ("width", .integer(coverage.width)),
      ("height", .integer(coverage.height)),
    ])
  }
}

extension GainMap {
  /// The `gainMap`.
  var document: JSONValue {
    .object([
      ("width", .integer(samples.size.width)),
      ("height", .integer(samples.size.height)),
      ("version", .integer(version)),
      ("headroom", .number(headroom)),
    ])
  }
}

extension StereoPair {
  /// The `stereoPair`.
  var document: JSONValue {
    .object([
      ("width", .integer(size.width)),
      ("height", .integer(size.height)),
      ("focalLengthPixels", .number(focalLengthPixels)),
      ("baselineMillimeters", .number(baselineMillimeters)),
    ])
  }
}
