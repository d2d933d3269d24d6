import PlumblineModel
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineStreams
/// What a peer must read out of our messages, written down apart from the code that writes them.
extension PeerValue {
  private static func hash<Number: BitwiseCopyable>(_ numbers: [Number]) -> PeerValue {
    .text(SHA256Digest.hexadecimal(of: numbers.withUnsafeBytes { Array($0) }))
  }

  static func hash(_ raster: Raster<Float>) -> PeerValue { hash(raster.packed.samples) }

  static func hash(_ raster: Raster<RGB8>) -> PeerValue { hash(raster.packed.samples) }

  private static func raster<Sample>(_ raster: Raster<Sample>?) -> PeerValue {
    .optional(
      raster.map {
        .object([
          "width": .number(Double($0.width)), "height": .number(Double($0.height)),
          "data": hash($0.packed.samples),
        ])
      })
  }

  private static func flag(_ value: Bool?) -> PeerValue {
    .number(value.map { $0 ? 1 : 0 } ?? -1)
  }

  static func columns(_ rotation: Rotation, _ translation: SIMD3<Double>) -> PeerValue {
    .numbers([rotation.x, rotation.y, rotation.z, translation].flatMap { [$0.x, $0.y, $0.z] })
  }

  /// The fields of `plumbline_msgs/msg/DepthFrame` but its header.
  static func frame(_ capture: Capture, name: String, imageTopic: String) -> [String: PeerValue] {
    let source = capture.source
    return [
      "version": .number(1), "name": .text(name),
      "timestamp_seconds": .optional(capture.timestampSeconds),
      "world_from_camera": capture.worldFromCamera.map { columns($0.rotation, $0.translation) }
        ?? .list([]),
      "source": .object([
        "make": .optional(source.make), "model": .optional(source.model),
        "lens_model": .optional(source.lensModel), "system": .optional(source.system),
        "camera": .text(source.camera.rawValue), "interface": .text(source.interface.rawValue),
        "is_geometry_corrected": flag(source.isGeometryCorrected),
        "captured_at": .optional(source.capturedAt),
      ]),
      "color_width": .number(Double(capture.colorSize?.width ?? 0)),
      "color_height": .number(Double(capture.colorSize?.height ?? 0)),
      "color_orientation": .number(Double(capture.colorOrientation.rawValue)),
      "color_calibration": calibration(capture.colorCalibration),
      "depth": .optional(capture.depth.map { depth($0, imageTopic) }),
      "provenance": .list(
        capture.provenance.map {
          .object(["name": .text($0.name), "detail": .text($0.detail)])
        }),
      "findings": .list(
        capture.findings.map {
          .object([
            "code": .text($0.code.rawValue), "severity": .text($0.severity.rawValue),
            "message": .text($0.message), "evidence": .text($0.evidence),
            "correction": .text($0.correction.rawValue),
            "z_millimeters": .optional($0.effect.zMillimeters),
            "length_percent": .optional($0.effect.lengthPercent),
          ])
        }),
    ]
  }

  private static func depth(_ record: DepthRecord, _ imageTopic: String) -> PeerValue {
    let (kind, values): (String, Raster<Float>) =
      switch record.values {
      case .depth(let map): ("depth", map.meters)
      case .disparity(let map): ("disparity", map.inverseMeters)
      case .range(let map): ("range", map.meters)
      }
    var codes8: Raster<UInt8>?
    var codes16: Raster<UInt16>?
    var bits = 0.0
    switch record.storedSamples {
    case .uint8(let raster): (codes8, bits) = (raster, 8)
    case .uint16(let raster, let depth): (codes16, bits) = (raster, Double(depth))
    case nil: break
    }
    let clip = record.cleanAperture
    let rule = record.quantization
    let clipNumbers = clip.map { [$0.x, $0.y, $0.size.width, $0.size.height] } ?? []
    // What 1 / (1 / d) lacks of d, in steps of the last bit; NaN lacks nothing.
    var residuals: [UInt8] = []
    if kind == "disparity", !imageTopic.isEmpty {
      residuals = values.packed.samples.map { value in
        let again = 1 / (1 / value)
        return value.isNaN ? 0 : UInt8(truncatingIfNeeded: value.bitPattern &- again.bitPattern)
      }
    }
    let imageRule = imageTopic.isEmpty ? "" : kind == "depth" ? "same" : "reciprocal"
    return .object([
      "image_rule": .text(imageRule),
      "residuals": hash(residuals.contains { $0 != 0 } ? residuals : []),
      "kind": .text(kind), "width": .number(Double(record.size.width)),
      "height": .number(Double(record.size.height)), "image_topic": .text(imageTopic),
      "values": hash(imageTopic.isEmpty ? values.packed.samples : []),
      "stored_type": .text(record.storedType), "native_type": .optional(record.nativeType),
      "accuracy": .text(record.accuracy.rawValue), "has_unit": flag(record.hasUnit),
      "is_filtered": flag(record.isFiltered), "quality": .optional(record.quality),
      "calibration": calibration(record.calibration),
      "calibration_uncertainty": uncertainty(record.calibrationUncertainty),
      "is_rectified": flag(record.isRectified),
      "clean_aperture": .numbers(clipNumbers.map(Double.init)),
      "orientation": .number(Double(record.orientation.rawValue)),
      "confidence": raster(record.confidence?.levels),
      "confidence_maximum": .number(Double(record.confidence?.maximumLevel ?? 0)),
      "sigma_meters": raster(record.sigmaMeters), "invented_pixels": raster(record.inventedPixels),
      "codes8": raster(codes8), "codes16": raster(codes16), "code_bits": .number(bits),
      "quantization_codes": .numbers(
        rule.map { [Double($0.minimumCode), Double($0.maximumCode)] } ?? []),
      "quantization_values": .numbers(rule.map { [$0.minimumValue, $0.maximumValue] } ?? []),
    ])
  }

  private static func calibration(_ calibration: CameraCalibration?) -> PeerValue {
    guard let calibration else { return .list([]) }
    let camera = calibration.intrinsics
    let lens = calibration.distortion.map { lens -> PeerValue in
      .object([
        "center": .numbers([lens.center.x, lens.center.y]),
        "maximum_radius": .number(lens.maximumRadius),
        "pixel_size_millimeters": .number(lens.pixelSizeMillimeters),
        "distorting": magnification(lens.distorting),
        "undistorting": magnification(lens.undistorting),
      ])
    }
    return .list([
      .object([
        "width": .number(Double(camera.size.width)), "height": .number(Double(camera.size.height)),
        "focal_length": .numbers([camera.focalLength.x, camera.focalLength.y]),
        "principal_point": .numbers([camera.principalPoint.x, camera.principalPoint.y]),
        "pixel_size_millimeters": .optional(calibration.pixelSizeMillimeters),
        "distortion": .optional(lens),
        "extrinsics": calibration.extrinsics.map {
          columns($0.rotation, $0.translationMillimeters)
        } ?? .list([]),
      ])
    ])
  }

  private static func magnification(_ magnification: RadialMagnification?) -> PeerValue {
    switch magnification {
    case .table(let table):
      .list([
        .object(["is_table": .number(1), "table": hash(table), "coefficients": .list([])])
      ])
    case .coefficients(let percents):
      .list([
        .object([
          "is_table": .number(0), "table": hash([Float]()), "coefficients": .numbers(percents),
        ])
      ])
    case nil: .list([])
    }
  }

  private static func uncertainty(_ uncertainty: CalibrationUncertainty?) -> PeerValue {
    .optional(
      uncertainty.map {
        .object([
          "focal_length": .numbers($0.focalLengthPixels.map { [$0.x, $0.y] } ?? []),
          "principal_point": .numbers($0.principalPointPixels.map { [$0.x, $0.y] } ?? []),
          "has_radial_terms": flag($0.radialTerms != nil),
          "radial_terms": .numbers($0.radialTerms ?? []), "basis": .text($0.basis),
        ])
      })
  }
}
