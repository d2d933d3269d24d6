internal import PlumblineModel

/// The XMP properties that Apple writes about auxiliary images.
///
/// - Source: real files; see `Documentation/formats/xmp-apple-depth.md`.
enum AppleDepthProperties {
  static let pixels = "http://ns.apple.com/pixeldatainfo/1.0/"
  static let depth = "http://ns.apple.com/depthData/1.0/"
  static let matte = "http://ns.apple.com/portraitEffectsMatte/1.0/"
  static let gain = "http://ns.apple.com/HDRGainMap/1.0/"

  static func properties(of map: ApplePhoto.DepthImage) -> [XMPWriter.Property] {
    [
      .simple(pixels, "apdi", "IntMaxValue", String(map.quantization.maximumCode)),
      .simple(pixels, "apdi", "StoredFormat", "1278226488"),
      .simple(pixels, "apdi", "NativeFormat", map.isDepth ? "1751410032" : "1751411059"),
      .simple(pixels, "apdi", "IntMinValue", String(map.quantization.minimumCode)),
      .simple(pixels, "apdi", "FloatMaxValue", sixDecimals(map.quantization.maximumValue)),
      .simple(pixels, "apdi", "FloatMinValue", sixDecimals(map.quantization.minimumValue)),
      .simple(pixels, "apdi", "AuxiliaryImageType", map.isDepth ? "depth" : "disparity"),
      .simple(depth, "depthData", "DepthDataVersion", "85538"),
      .simple(depth, "depthData", "Quality", map.quality),
      .simple(depth, "depthData", "Accuracy", map.accuracy.rawValue),
      .simple(depth, "depthData", "Filtered", map.isFiltered ? "True" : "False"),
    ] + (map.calibration.map(properties) ?? [])
  }

  static func properties(of calibration: CameraCalibration) -> [XMPWriter.Property] {
    let intrinsics = calibration.intrinsics
    func array(_ name: String, _ values: [Double]) -> XMPWriter.Property {
      .array(depth, "depthData", name, values.map(decimal))
    }
    func simple(_ name: String, _ value: String) -> XMPWriter.Property {
      .simple(depth, "depthData", name, value)
    }
    var result = [
      array(
        "IntrinsicMatrix",
        [
          intrinsics.focalLength.x, 0, 0, 0, intrinsics.focalLength.y, 0,
          intrinsics.principalPoint.x, intrinsics.principalPoint.y, 1,
        ]),
      simple("IntrinsicMatrixReferenceWidth", String(intrinsics.size.width)),
      simple("IntrinsicMatrixReferenceHeight", String(intrinsics.size.height)),
    ]
    if let size = calibration.pixelSizeMillimeters {
      result.append(simple("PixelSize", sixDecimals(size)))
    }
    if let pose = calibration.extrinsics {
      let columns = [
        pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.translationMillimeters,
      ]
      result.append(array("ExtrinsicMatrix", columns.flatMap { [$0.x, $0.y, $0.z] }))
    }
    if let distortion = calibration.distortion {
      result += [
        simple("LensDistortionCenterOffsetX", decimal(distortion.center.x)),
        simple("LensDistortionCenterOffsetY", decimal(distortion.center.y)),
      ]
      // Apple's names are swapped against what the coefficients do.
      if case .coefficients(let values)? = distortion.distorting {
        result.append(array("InverseLensDistortionCoefficients", values))
      }
      if case .coefficients(let values)? = distortion.undistorting {
        result.append(array("LensDistortionCoefficients", values))
      }
    }
    return result
  }

  static let matteProperties: [XMPWriter.Property] = [
    .simple(pixels, "apdi", "AuxiliaryImageSubType", "portraiteffectsmatte"),
    .simple(pixels, "apdi", "NativeFormat", "1278226488"),
    .simple(pixels, "apdi", "AuxiliaryImageType", "depth"),
    .simple(pixels, "apdi", "StoredFormat", "1278226488"),
    .simple(matte, "portraitEffectsMatte", "PortraitEffectsMatteVersion", "65537"),
  ]

  static let gainMapProperties: [XMPWriter.Property] = [
    .simple(pixels, "apdi", "AuxiliaryImageType", "urn:com:apple:photo:2020:aux:hdrgainmap"),
    .simple(pixels, "apdi", "NativeFormat", "1278226488"),
    .simple(pixels, "apdi", "StoredFormat", "1278226488"),
    .simple(gain, "HDRGainMap", "HDRGainMapVersion", "65536"),
  ]

  /// A number as Apple prints matrices: single precision widened, whole ones without a fraction.
  static func decimal(_ value: Double) -> String {
    let stored = Double(Float(value))
    if stored == 0 { return "0.0" }
    if stored == stored.rounded(), abs(stored) < 1e9 { return String(Int(stored)) }
    return stored.description
  }

  /// A number as C's `%f` prints it.
  static func sixDecimals(_ value: Double) -> String {
    let millionths = Int((abs(value) * 1_000_000).rounded(.toNearestOrEven))
    let fraction = String(millionths % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return (value < 0 ? "-" : "") + "\(millionths / 1_000_000).\(zeros)\(fraction)"
  }
}
