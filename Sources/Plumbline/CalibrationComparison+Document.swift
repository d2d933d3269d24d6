public import PlumblineJSON
import PlumblineModel

extension CalibrationComparison {
  /// The document `plumbline.compare/1`, as `Documentation/cli.md` describes it.
  public var document: JSONValue {
    .object([
      ("schema", "plumbline.compare/1"),
      ("a", Self.document(of: first)),
      ("b", Self.document(of: second)),
      ("pixelsOf", ["width": .integer(size.width), "height": .integer(size.height)]),
      (
        "focal",
        [
          "differencePercent": .number(focalPercent),
          "plusMinusPercent": .number(focalSigmaPercent), "basis": .string(sigmaBasis),
        ]
      ),
      ("principalPoint", Self.vector(principalPointPixels)),
      ("distortionCenter", Self.vector(distortionCenterPixels)),
      ("distortionPixels", .number(distortionPixels)),
      ("largestPixels", .number(largestPixels)),
      ("lengthPercent", .number(lengthPercent)),
      ("knownThings", knownThings),
      ("depth", depthDocument),
      ("reason", .string(reason)),
    ])
  }

  private var knownThings: JSONValue {
    [
      "zMillimeters": .number(poseMillimeters),
      "plusMinusMillimeters": .number(poseSigmaMillimeters), "atMeters": .number(atMeters),
    ]
  }

  private var depthDocument: JSONValue {
    guard let depth else { return .null }
    return [
      "commonPixels": .integer(depth.commonCount),
      "medianMillimeters": .number(depth.medianMillimeters),
      "madMillimeters": .number(depth.madMillimeters),
      "agreeingFraction": .number(depth.agreeingFraction),
    ]
  }

  private static func document(of side: Side) -> JSONValue {
    .object([
      ("file", .string(side.name)), ("calibration", side.calibration.document),
      (
        "focalSigmaPixels",
        .numbers(side.uncertainty?.focalLengthPixels.map { [$0.x, $0.y] })
      ),
      ("medianMeters", .number(side.depth?.statistics.medianMeters)),
    ])
  }

  private static func vector(_ difference: SIMD2<Double>?) -> JSONValue {
    .numbers(difference.map { [$0.x, $0.y] })
  }
}
