import PlumblineModel

/// A scene in the form that the page's script reads; see `Documentation/report.md`.
struct ScenePayload {
  /// More points neither fit a phone's memory nor show on its screen.
  static let maximumSampleCount = 1_200_000

  /// The numbers of the scene, a JSON object.
  let parameters: String
  /// Depth as 32-bit floats, little-endian, row after row; NaN = missing.
  let depth: [Float]
  /// Rays as pairs of 32-bit floats, little-endian.
  let rays: [SIMD2<Float>]

  /// Every `step`-th pixel of every `step`-th row; O(*n*).
  init(_ scene: ReportScene) {
    let map = scene.depthMeters
    let step = Self.step(for: map.size)
    let columns = (map.width + step - 1) / step
    let rows = (map.height + step - 1) / step
    depth = [Float](unsafeUninitializedCapacity: columns * rows) { output, count in
      map.samples.withUnsafeBufferPointer { samples in
        for row in 0..<rows {
          let start = row * step * map.rowStride
          for column in 0..<columns {
            let sample = samples[start &+ column &* step]
            output[count] = sample > 0 && sample < .infinity ? sample : .nan
            count += 1
          }
        }
      }
    }
    rays = scene.rays.directions
    let isKnown = (1...8).contains(scene.displayOrientation)
    let orientation = isKnown ? scene.displayOrientation : 1
    parameters = Self.object([
      ("schema", "\"plumbline.scene/1\""),
      ("width", "\(map.width)"), ("height", "\(map.height)"), ("step", "\(step)"),
      ("metric", "\(scene.isMetric)"), ("calibrated", "\(scene.isCalibrated)"),
      ("orientation", "\(orientation)"),
      ("rayColumns", "\(scene.rays.columns)"), ("rayRows", "\(scene.rays.rows)"),
      ("sigmaConstant", Self.number(scene.sigma.constantMeters)),
      ("sigmaPerMeter", Self.number(scene.sigma.perMeter)),
      ("sigmaPerMeterSquared", Self.number(scene.sigma.perMeterSquared)),
      ("lengthPercent", scene.lengthPercent.map(Self.number) ?? "null"),
    ])
  }

  private static func step(for size: RasterSize) -> Int {
    var step = 1
    while ((size.width + step - 1) / step) * ((size.height + step - 1) / step)
      > maximumSampleCount
    { step += 1 }
    return step
  }

  private static func object(_ members: [(name: String, value: String)]) -> String {
    "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  // JSON has no infinity and no NaN.
  private static func number(_ value: Double) -> String {
    value.isFinite ? "\(value)" : "null"
  }
}
