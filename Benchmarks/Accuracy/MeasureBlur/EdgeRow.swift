import Foundation
import PlumblineEffects
import PlumblineImages
import PlumblineModel
import PlumblineSimulation
import PlumblineTestSupport

/// The edges of a portrait with a phone's map: coverage and blur beside rays.
struct EdgeRow: Codable {
  var part: String
  var pixels: Int
  /// The mean absolute error of the coverage, of 1.
  var absolute: Double
  /// That of its gradient, of 1 per pixel.
  var gradient: Double
  /// The same for each pixel wholly on one side, by its disparity.
  var hardAbsolute: Double
  var hardGradient: Double
  /// The mean absolute error of the blurred image, in codes.
  var codes: Double

  /// The focus, in meters: the face.
  private static let focusMeters = 0.36
  private static let fNumber = 0.7

  /// Measures each part of the edges, and writes what other programs need to be measured by.
  static func measured(_ options: Options) throws -> [EdgeRow] {
    let truth = EdgeTruth.traced(
      side: options.side, cell: 4.8, rays: options.rays, threads: options.threads)
    let scene = try EffectScene(truth.capture, effect: "blur", threads: options.threads)
    let found = EdgeTruth.coverage(disparity: scene.disparity, edges: scene.edgeCoverage)
    let hard = EdgeTruth.coverage(disparity: scene.disparity, edges: nil)
    var effect = BlurEffect(focus: .meters(focusMeters), aperture: .fNumber(fNumber))
    effect.largestRadius = 1
    let blurred = try effect.applied(to: scene, threads: options.threads).color
    let lens = ThinLensCamera(
      truth.camera, apertureMeters: 0.026 / fNumber, focusMeters: focusMeters,
      samples: options.rays)
    let wanted = lens.image(of: truth.scene, seed: 1, threads: options.threads)
    if let folder = options.images {
      try write(truth, found, blurred, wanted, to: folder)
    }
    return EdgeTruth.Part.allCases.map { part in
      let (ours, plain) = (truth.error(of: found, in: part), truth.error(of: hard, in: part))
      let zone = truth.zones[part] ?? []
      let codes = zone.reduce(0.0) { sum, index in
        let (a, b) = (blurred.samples[index], wanted.samples[index])
        return sum
          + [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)].reduce(0) {
            $0 + abs(Double($1.0) - Double($1.1))
          }
      }
      return EdgeRow(
        part: part.rawValue, pixels: zone.count, absolute: ours.absolute, gradient: ours.gradient,
        hardAbsolute: plain.absolute, hardGradient: plain.gradient,
        codes: codes / Double(3 * max(zone.count, 1)))
    }
  }

  static let head = """
    | edge | pixels | coverage | gradient | hard edge | gradient | blur, codes |
    |---|---:|---:|---:|---:|---:|---:|
    """

  var text: String {
    func percent(_ value: Double) -> String { "\((100 * value).rounded(2)) %" }
    return "| \(part) | \(pixels) | \(percent(absolute)) | \(percent(gradient)) "
      + "| \(percent(hardAbsolute)) | \(percent(hardGradient)) | \(codes.rounded(2)) |"
  }

  private static func write(
    _ truth: EdgeTruth, _ found: Raster<Float>, _ blurred: Raster<RGB8>, _ wanted: Raster<RGB8>,
    to folder: String
  ) throws {
    let url = URL(filePath: folder, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    func gray(_ raster: Raster<Float>, _ scale: Float) -> Raster<RGB8> {
      raster.map {
        let code = UInt8(min(max($0 * scale, 0), 255).rounded())
        return RGB8(red: code, green: code, blue: code)
      }
    }
    var zones = Raster(size: found.size, repeating: RGB8(red: 0, green: 0, blue: 0))
    for index in truth.zones[.hair] ?? [] { zones.samples[index].red = 255 }
    for index in truth.zones[.glasses] ?? [] { zones.samples[index].green = 255 }
    for index in truth.zones[.cheek] ?? [] { zones.samples[index].blue = 255 }
    var images = [
      ("coverage", gray(found, 255)), ("coverage-truth", gray(truth.coverage, 255)),
      ("blur", blurred), ("blur-truth", wanted), ("zones", zones),
    ]
    if let color = truth.capture.color { images.append(("sharp", color)) }
    if case .disparity(let map) = truth.capture.depth?.values {
      images.append(("map", gray(map.inverseMeters, 64)))
    }
    for (name, image) in images {
      try Data(PNGEncoder().encoded(image)).write(to: url.appending(path: "edges-\(name).png"))
    }
  }
}
