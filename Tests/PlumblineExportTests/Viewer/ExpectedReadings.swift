import PlumblineModel
import PlumblineExport

/// What the page must read, computed in double precision from the scene itself.
struct ExpectedReadings {
  var title: String
  var headline: String
  var scene: ReportScene?
  var pixels: [(x: Int, y: Int)]
  var hole: (x: Int, y: Int)?

  /// The readings as `Tests/Browser/test_report.py` takes them.
  var json: String {
    let unit = scene?.isMetric == true ? "m" : "relative"
    let probes = pixels.map { probe(x: $0.x, y: $0.y) }.joined(separator: ", ")
    let holeText = hole.map { "[\($0.x), \($0.y)]" } ?? "null"
    return """
      {"title": \(quoted(title)), "headline": \(quoted(headline)), "unit": "\(unit)",
       "tolerance": 1e-5, "probes": [\(probes)], "hole": \(holeText), "distance": \(distance)}
      """
  }

  private func quoted(_ text: String) -> String {
    "\"\(text.replacing("\"", with: "\\\""))\""
  }

  private func probe(x: Int, y: Int) -> String {
    guard let scene else { return "null" }
    let depth = Double(scene.depthMeters[x, y])
    let point = ray(x: x, y: y) * depth
    return """
      {"x": \(x), "y": \(y), "depth": \(depth), "sigma": \(scene.sigma.sigmaMeters(atDepth: depth)),
       "position": [\(point.x), \(point.y), \(point.z)]}
      """
  }

  private func ray(x: Int, y: Int) -> SIMD3<Double> {
    guard let scene else { return .zero }
    let ray = SampleScene(size: scene.depthMeters.size).ray(x: Double(x), y: Double(y))
    return SIMD3(ray.x, ray.y, 1)
  }

  private var distance: String {
    guard let scene, pixels.count > 1 else { return "null" }
    let (a, b) = (pixels[0], pixels[1])
    let (rayA, rayB) = (ray(x: a.x, y: a.y), ray(x: b.x, y: b.y))
    let depthA = Double(scene.depthMeters[a.x, a.y])
    let depthB = Double(scene.depthMeters[b.x, b.y])
    let line = rayB * depthB - rayA * depthA
    let length = (line * line).sum().squareRoot()
    let sigmaA = (line * rayA).sum() / length * scene.sigma.sigmaMeters(atDepth: depthA)
    let sigmaB = (line * rayB).sum() / length * scene.sigma.sigmaMeters(atDepth: depthB)
    let scale = length * (scene.lengthPercent ?? 0) / 100
    let sigma = (sigmaA * sigmaA + sigmaB * sigmaB + scale * scale).squareRoot()
    return """
      {"a": [\(a.x), \(a.y)], "b": [\(b.x), \(b.y)], "distance": \(length), "sigma": \(sigma)}
      """
  }
}
