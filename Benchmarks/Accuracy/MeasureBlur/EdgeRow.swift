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
  /// Its mean error with its sign: above 0 for a bright rim, in codes.
  var rim: Double
  /// The peak signal-to-noise ratio of the blurred image there, in dB of 8-bit codes.
  var decibels: Double
  /// The same for the photo's map alone, brought to its size between cells.
  var mapDecibels: Double

  /// The focus, in meters: the face.
  private static let focusMeters = 0.36
  private static let fNumber = 0.7

  /// Measures each part of the edges, and writes what other programs need to be measured by.
  static func measured(_ options: Options) throws -> [EdgeRow] {
    let truth = EdgeTruth.traced(
      side: options.side, cell: 4.8, rays: options.rays, threads: options.threads)
    let scene = try EffectScene.prepared(
      from: truth.capture, effect: "blur", threads: options.threads)
    let found = truth.coverage(disparity: scene.disparity, edges: scene.edgeCoverage)
    let hard = truth.coverage(disparity: scene.disparity, edges: nil)
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
    let plain = try effect.applied(to: mapAlone(scene, truth), threads: options.threads).color
    let zones =
      EdgeTruth.Part.allCases.map { ($0.rawValue, truth.zones[$0] ?? []) }
      + [("outline", truth.outline(within: 6))]
    return zones.map { part, pixels in
      let (ours, onOneSide) = (
        truth.error(of: found, at: pixels), truth.error(of: hard, at: pixels)
      )
      let zone = EdgeZone(pixels: pixels)
      let error = ImageError(blurred, wanted, zone)
      return EdgeRow(
        part: part, pixels: pixels.count, absolute: ours.absolute,
        gradient: ours.gradient, hardAbsolute: onOneSide.absolute,
        hardGradient: onOneSide.gradient, codes: error.halo, rim: error.rim,
        decibels: error.zoneDecibels, mapDecibels: ImageError(plain, wanted, zone).zoneDecibels)
    }
  }

  /// The scene with the disparities of the map's cells, between which is interpolated.
  private static func mapAlone(_ scene: EffectScene, _ truth: EdgeTruth) -> EffectScene {
    guard case .disparity(let disparity) = truth.capture.depth?.values else { return scene }
    let (map, size) = (disparity.inverseMeters, scene.color.size)
    func between(_ x: Int, _ y: Int) -> Float {
      func cells(_ pixel: Int, _ count: Int, of pixels: Int) -> (Int, Int, Float) {
        let place = (Double(pixel) + 0.5) * Double(count) / Double(pixels) - 0.5
        let first = min(max(Int(place.rounded(.down)), 0), count - 1)
        return (first, min(first + 1, count - 1), Float(min(max(place - Double(first), 0), 1)))
      }
      let (left, right, a) = cells(x, map.width, of: size.width)
      let (top, bottom, b) = cells(y, map.height, of: size.height)
      let upper = map[left, top] * (1 - a) + map[right, top] * a
      let lower = map[left, bottom] * (1 - a) + map[right, bottom] * a
      return upper * (1 - b) + lower * b
    }
    var plain = EffectScene(
      color: scene.color, disparity: Raster(size: size) { between($0, $1) }, isMetric: true)
    plain.intrinsics = scene.intrinsics
    return plain
  }

  static let head = """
    | edge | pixels | coverage | gradient | hard edge | gradient | blur, codes | rim, codes | PSNR, dB | by the map alone |
    |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
    """

  var text: String {
    func percent(_ value: Double) -> String { "\((100 * value).rounded(2)) %" }
    return "| \(part) | \(pixels) | \(percent(absolute)) | \(percent(gradient)) "
      + "| \(percent(hardAbsolute)) | \(percent(hardGradient)) | \(codes.rounded(2)) "
      + "| \(rim.rounded(2)) | \(decibels.rounded(1)) | \(mapDecibels.rounded(1)) |"
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
