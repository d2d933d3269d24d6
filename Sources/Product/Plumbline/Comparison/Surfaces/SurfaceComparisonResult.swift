public import PlumblineIO
import PlumblineModel
import PlumblineVerification

/// How two surfaces differ: what ``SurfaceComparer`` returns.
public struct SurfaceComparisonResult: Sendable {
  let first: MeasurableCloud
  let second: MeasurableCloud
  /// From places of the first surface to the second one, and back.
  let firstToSecond: SurfaceDifference
  let secondToFirst: SurfaceDifference
  let alignment: SurfaceAlignment?
  /// The second surface where it was compared.
  let moved: MeasurableMesh
  /// The first surface.
  let index: SurfaceIndex
  let threads: Int

  /// The comparison as a person reads it, a line each.
  public var lines: [String] {
    var lines: [String] = []
    if let alignment {
      let turn = alignment.firstFromSecond.rotation
      let shift = alignment.firstFromSecond.translation
      lines.append(
        "aligned in \(alignment.steps.counting("step")): moved by "
          + "\((shift * shift).sum().squareRoot().lengthWords) at the origin, turned by "
          + "\((Self.angle(turn) * 180 / .pi).fixed(2))°, median \(alignment.medianBefore.lengthWords) "
          + "before and \(alignment.medianAfter.lengthWords) after"
          + (alignment.hasConverged ? "" : "; the steps did not converge"))
    }
    for (words, comparison) in [
      ("first → second", firstToSecond), ("second → first", secondToFirst),
    ] {
      let percentiles = comparison.percentiles.map { percent, meters in
        (percent == 100 ? "max" : "\(percent.fixed(0)) %") + " \(Self.words(meters))"
      }
      lines.append("\(words)  \(percentiles.joined(separator: ", "))")
      var second =
        "  mean \(Self.words(comparison.mean)), rms \(Self.words(comparison.rootMeanSquare))"
      if let signed = comparison.signedMean { second += ", with sign \(Self.words(signed))" }
      lines.append(second)
      lines.append(
        "  within "
          + comparison.within.map { limit, share in
            "\(Self.words(limit)) \((100 * share).fixed(1)) %"
          }.joined(separator: ", "))
      lines.append("  " + Self.words(comparison.explained))
    }
    return lines
  }

  private static func words(_ explained: SurfaceDifference.Explained?) -> String {
    guard let explained else {
      return "what the ± explain of it is unknown: not both surfaces state a ±"
    }
    let part =
      explained.unknownShare > 0
      ? "where both are known (\((100 * (1 - explained.unknownShare)).fixed(0)) % of the places) "
      : ""
    let shares =
      part
      + "\((100 * explained.withinSigma).fixed(0)) % within the ± of both (\(words(explained.sigma))), "
      + "\((100 * explained.withinTwoSigma).fixed(0)) % within twice that"
    return explained.isAll
      ? "the ± explain the difference: \(shares)"
      : "the ± explain \((100 * explained.share).fixed(0)) % of the mean square: \(shares)"
  }

  /// A length to a hundredth of a millimeter, or in meters from 1 m on.
  private static func words(_ meters: Double) -> String {
    abs(meters) < 1 ? "\((1000 * meters).fixed(2)) mm" : "\(meters.fixed(3)) m"
  }

  /// The angle of a rotation, in radians.
  private static func angle(_ rotation: Rotation) -> Double {
    let vector = rotation.axisAngle
    return (vector * vector).sum().squareRoot()
  }

  /// The document `plumbline.compare-surface/1`, as `Documentation/cli.md` describes it.
  ///
  /// - Parameter output: The path of the colored mesh that was written; `nil` for none.
  /// - Returns: The document; what is unknown is `null`.
  public func document(output: String? = nil) -> JSONValue {
    .object([
      ("schema", "plumbline.compare-surface/1"),
      ("first", Self.side(first)), ("second", Self.side(second)),
      ("alignment", alignment.map(Self.document) ?? .null),
      ("firstToSecond", Self.document(firstToSecond)),
      ("secondToFirst", Self.document(secondToFirst)),
      ("outputs", .object([("mesh", .string(output))])),
    ])
  }

  private static func side(_ cloud: MeasurableCloud) -> JSONValue {
    .object([
      ("file", .string(cloud.fileName)), ("sha256", .string(cloud.sha256)),
      ("points", .integer(cloud.count)),
      ("triangles", cloud.triangleCount.map { .integer($0) } ?? .null),
      ("sigma", .bool(cloud.hasSigma)), ("unitStated", .bool(cloud.statesUnit)),
    ])
  }

  private static func document(_ alignment: SurfaceAlignment) -> JSONValue {
    let (rotation, shift) = (
      alignment.firstFromSecond.rotation, alignment.firstFromSecond.translation
    )
    let rows = (0..<3).map { row in
      JSONValue.numbers([rotation.x[row], rotation.y[row], rotation.z[row], shift[row]])
    }
    return .object([
      ("firstFromSecond", .array(rows + [.numbers([0, 0, 0, 1])])),
      ("steps", .integer(alignment.steps)), ("converged", .bool(alignment.hasConverged)),
      ("medianBefore", .number(alignment.medianBefore)),
      ("medianAfter", .number(alignment.medianAfter)),
    ])
  }

  private static func document(_ comparison: SurfaceDifference) -> JSONValue {
    .object([
      ("places", .integer(comparison.count)), ("mean", .number(comparison.mean)),
      ("rms", .number(comparison.rootMeanSquare)),
      (
        "percentiles",
        .object(
          comparison.percentiles.map { ($0 == 100 ? "max" : $0.fixed(0), .number($1)) })
      ),
      ("signedMean", .number(comparison.signedMean)),
      (
        "within",
        .array(
          comparison.within.map {
            .object([("tolerance", .number($0)), ("share", .number($1))])
          })
      ),
      (
        "explained",
        comparison.explained.map {
          .object([
            ("sigma", .number($0.sigma)), ("withinSigma", .number($0.withinSigma)),
            ("withinTwoSigma", .number($0.withinTwoSigma)), ("share", .number($0.share)),
            ("unknownShare", .number($0.unknownShare)), ("all", .bool($0.isAll)),
          ])
        } ?? .null
      ),
    ])
  }
}
