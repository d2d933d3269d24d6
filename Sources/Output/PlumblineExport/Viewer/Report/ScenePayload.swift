import PlumblineIO
package import PlumblineModel

/// A scene in the form that the page's script reads; see `Documentation/report.md`.
struct ScenePayload {
  /// More points do not fit a phone's memory and are not visible on its screen.
  static let maximumSampleCount = 1_200_000

  /// The numbers of the scene, as a JSON object.
  let parameters: String
  /// Depth as 32-bit floats, little-endian, row after row; NaN = missing.
  let depth: [Float]
  /// Rays as pairs of 32-bit floats, little-endian.
  let rays: [SIMD2<Float>]

  /// Takes every `step`-th pixel of every `step`-th row; O(*n*).
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
      ("errors", JSONWriter(layout: .compact).text(scene.errors)),
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

/// The viewing rays of a depth map, sampled on a coarse grid with bilinear interpolation.
///
/// Frame: the camera of the map, x right, y down, z forward. A ray is (x/z, y/z) without lens
/// distortion, so that a pixel of depth `z` lies at `(ray.x·z, ray.y·z, z)`. Sample `(column, row)`
/// belongs to the pixel position `column/(columns − 1)·(width − 1)`, likewise in y: from corner to
/// corner, with the first pixel center at 0. Phone lenses are so smooth that 33 × 25 samples have
/// an error below a hundredth of a pixel.
package struct RayGrid: Sendable {
  /// The number of samples in a row, at least 1.
  package let columns: Int
  /// The number of rows of samples, at least 1.
  package let rows: Int
  /// The rays (x/z, y/z), row after row; `columns · rows` of them.
  package let directions: [SIMD2<Float>]

  /// Wraps sampled rays.
  ///
  /// - Precondition: Both counts are at least 1, and there are `columns · rows` rays.
  package init(columns: Int, rows: Int, directions: [SIMD2<Float>]) {
    precondition(columns > 0 && rows > 0, "a ray grid cannot be \(columns) × \(rows)")
    precondition(
      directions.count == columns * rows,
      "\(columns) × \(rows) rays are not \(directions.count)")
    self.columns = columns
    self.rows = rows
    self.directions = directions
  }

  /// Samples the rays of a map.
  ///
  /// - Parameters:
  ///   - size: The size of the depth map in pixels.
  ///   - columns: The number of samples in a row.
  ///   - rows: The number of rows of samples.
  ///   - ray: The ray (x/z, y/z) through a pixel position of the map.
  /// - Precondition: Both counts are at least 1. O(`columns · rows`).
  package init(
    size: RasterSize, columns: Int = 33, rows: Int = 25,
    ray: (_ x: Double, _ y: Double) -> SIMD2<Double>
  ) {
    var directions: [SIMD2<Float>] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let x = Self.position(of: column, among: columns, length: size.width)
        let y = Self.position(of: row, among: rows, length: size.height)
        directions.append(SIMD2<Float>(ray(x, y)))
      }
    }
    self.init(columns: columns, rows: rows, directions: directions)
  }

  private static func position(of index: Int, among count: Int, length: Int) -> Double {
    count > 1 ? Double(index) / Double(count - 1) * Double(length - 1) : 0
  }
}
