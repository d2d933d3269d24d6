public import PlumblineIO
import PlumblineModel
import PlumblineVision

extension CalibrationComparison {
  /// The document `plumbline.compare/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameter report: The path of the report; `nil` when none was written.
  /// - Returns: The document; what is unknown is `null`.
  public func document(report: String? = nil) -> JSONValue {
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
      ("projection", projectionDocument),
      ("lengthPercent", .number(lengthPercent)),
      ("knownThings", knownThings),
      ("depth", depthDocument),
      ("reason", .string(reason)),
      ("outputs", .object([("report", .string(report))])),
    ])
  }

  /// The cells row after row, `null` where there is no counterpart.
  private var projectionDocument: JSONValue {
    let cells = projection.cells
    let rotation = projection.rotationDegrees
    return .object([
      ("columns", .integer(projection.columns)),
      ("rows", .integer(projection.rows)),
      ("rotationDegrees", .numbers(rotation.map { [$0.x, $0.y, $0.z] })),
      ("rotationFittedTo", .string(projection.fittedRays.rawValue)),
      ("asTheyAre", Self.summary(projection.summary)),
      ("withoutRotation", Self.summary(projection.summaryWithoutRotation)),
      ("largestSigmas", .number(projection.maximumSigmas)),
      ("differencePixels", .array(cells.map { Self.vector($0.difference) })),
      (
        "differenceWithoutRotationPixels",
        .array(cells.map { Self.vector($0.differenceWithoutRotation) })
      ),
      (
        "sigmaPixels",
        .array(statedUncertainties.map { _ in cells.map { .number($0.sigmaPixels) } })
      ),
      ("covered", .array(statedUncertainties.map { _ in cells.map { .bool($0.isCovered) } })),
      ("sigmaOf", .string(statedUncertainties?.rawValue)),
    ])
  }

  private static func summary(_ summary: ProjectionDifference.Summary?) -> JSONValue {
    guard let summary else { return .null }
    return [
      "largestPixels": .number(summary.maximumPixels),
      "medianPixels": .number(summary.medianPixels), "cells": .integer(summary.count),
    ]
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
      ("lensLeftOut", .bool(side.leavesOutLens)),
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
