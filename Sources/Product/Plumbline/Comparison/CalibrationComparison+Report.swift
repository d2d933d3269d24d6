public import PlumblineIO
import PlumblineModel
import PlumblineExport
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

extension CalibrationComparison {
  /// The report: one page of HTML that needs nothing else, with the differences over the image.
  ///
  /// - Parameter path: Where it will be, as the document in it says; `nil` leaves that open.
  /// - Returns: UTF-8 bytes; the same for the same comparison.
  public func report(path: String? = nil) -> [UInt8] {
    FigurePage(
      title: "\(first.name) → \(second.name)",
      badge: isFocalLengthDifferent ? "Focal lengths differ" : "Focal lengths agree",
      tone: isFocalLengthDifferent ? .undecided : .good, reason: reason.boundUnits,
      source: "In pixels of \(size); second minus first.", numbers: numbers, figures: figures,
      documentJSON: JSONWriter(layout: .compact).text(document(report: path))
    ).html()
  }

  private var numbers: [FigurePage.Number] {
    let focal = first.calibration.intrinsics.focalLength.x
    let center = principalPointPixels
    let rotated = projection.summaryWithoutRotation
    return [
      .init(
        name: "Focal length",
        value: "\(focalPercent.signed(3)) ± \(focalSigmaPercent.fixed(3)) %".boundUnits,
        note: "\(focal.fixed(2)) → \((focal * (1 + focalPercent / 100)).fixed(2)) px".boundUnits),
      .init(
        name: "Principal point",
        value: "\(center.x.signed(2)), \(center.y.signed(2)) px".boundUnits,
        note: "columns to the right, rows downward"),
      .init(
        name: "Apart as they are",
        value: projection.summary.map { "up to\u{A0}\($0.maximumPixels.fixed(2))\u{A0}px" },
        note: "median \(projection.summary?.medianPixels.fixed(2) ?? "—") px".boundUnits),
      .init(
        name: "Without the rotation",
        value: rotated.map { "up to\u{A0}\($0.maximumPixels.fixed(2))\u{A0}px" },
        note: rotated.map { "median \($0.medianPixels.fixed(2)) px".boundUnits }
          ?? "too few rays are in both images"),
      .init(
        name: "Against the ±",
        value: projection.maximumSigmas.map { "up to \($0.fixed(1)) times" },
        note: statedUncertainties.map { "that \($0.words), a rotation taken out" }
          ?? "neither states a ± of pixels"),
    ]
  }

  private var figures: [FigurePage.Figure] {
    let whole = FigurePage.Figure(
      title: "As they are",
      caption:
        "Each arrow leads from where the first sees a ray, its dot, to where the second sees it. "
        + "A camera that looks elsewhere moves all arrows alike.",
      drawing: .vectors(projection.figure(of: size, \.difference)))
    guard let rotation = projection.rotationDegrees else { return [whole] }
    let axes = [rotation.x, rotation.y, rotation.z].map { $0.signed(3) }.joined(separator: ", ")
    let rays =
      projection.fittedRays == .middle
      ? "the middle of the image" : "the parts in which a board was seen"
    let rotated = FigurePage.Figure(
      title: "Rotation taken out",
      caption: "The same after the rotation of the whole camera that fits \(rays) best, "
        + "(\(axes))° about x (right), y (down) and z (forward). Lengths do not change by it; what is left, the two "
        + "calibrations disagree about.",
      drawing: .vectors(projection.figure(of: size, \.differenceWithoutRotation)))
    return [whole, rotated] + (sigmaFigure.map { [$0] } ?? [])
  }

  /// The residuals in units of their ±.
  private var sigmaFigure: FigurePage.Figure? {
    guard let statedUncertainties, projection.maximumSigmas != nil else { return nil }
    return FigurePage.Figure(
      title: "Against the ±",
      caption: "How many times the ± that \(statedUncertainties.words) the difference is, once "
        + "the rotation that fits the middle best is taken out, as it is in the ±. Below 2 the two do not contradict each other; stars mark parts in which no "
        + "corner of a board was seen.",
      drawing: .grid(
        ImageGridFigure(
          imageSize: size, columns: projection.columns,
          cells: projection.cells.map {
            .init(count: $0.isCovered == false ? 0 : 1, value: $0.sigmas)
          }, showsArrows: false, valueCaption: "difference over its ±; * no corner seen")))
  }
}

extension ProjectionDifference {
  /// One kind of difference over an image.
  func figure(
    of size: RasterSize, _ difference: KeyPath<Cell, SIMD2<Double>?>
  ) -> ImageVectorFigure {
    ImageVectorFigure(
      imageSize: size, columns: columns,
      cells: cells.map {
        .init(vector: $0[keyPath: difference], isExtrapolated: $0.isCovered == false)
      })
  }
}
