import Plumbline
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Two files of surfaces compared.
@Suite struct SurfaceComparerTests {
  private func cloud(
    _ surface: TrialSurface, comments: [String] = ["unit meter"], sigma: Double? = nil,
    name: String = "mesh.ply"
  ) throws -> MeasurableCloud {
    try MeasurableCloudReader()
      .cloud(from: surface.ply(comments: comments, sigma: sigma), fileName: name)
  }

  private let box = TrialSurface.box([0.4, 0.3, 0.2], spacing: 0.02).joined()

  /// Numbers of the document by their path.
  private func number(_ document: JSONValue, _ path: String...) -> Double? {
    path.reduce(Optional(document)) { $0?[$1] }?.number
  }

  @Test func aGrownBoxIsOutsideByItsGrowth() throws {
    var grown = box
    for index in grown.positions.indices { grown.positions[index] += grown.normals[index] * 0.003 }
    var settings = SurfaceComparer.Settings()
    settings.sampleCount = 4000
    let result = try SurfaceComparer(settings).compare(
      cloud(box, sigma: 0.002), cloud(grown, sigma: 0.002, name: "grown.ply"))
    let document = result.document(output: "out.ply")
    #expect(document["schema"]?.string == "plumbline.compare-surface/1")
    let median = try #require(number(document, "secondToFirst", "percentiles", "50"))
    #expect(abs(median - 0.003) < 1e-6)
    // Of a closed surface: outside of the first one, and the first one inside of the second.
    #expect(try #require(number(document, "secondToFirst", "signedMean")) > 0.0028)
    #expect(try #require(number(document, "firstToSecond", "signedMean")) < -0.0028)
    // 3 mm against 2 · √2 mm; at edges, where normals are means of two faces, the faces moved by less.
    #expect(number(document, "secondToFirst", "explained", "withinSigma") ?? 1 < 0.35)
    #expect(number(document, "secondToFirst", "explained", "withinTwoSigma") ?? 0 > 0.99)
    #expect(result.lines.contains { $0.contains("the ± explain the difference") })
    #expect(document["alignment"]?.isNull == true)
  }

  @Test func threadsDoNotChangeAByte() throws {
    let moved = box.placed { $0 + [0.004, 0.002, -0.003] }
    var found: [(JSONValue, [UInt8])] = []
    for threads in [1, 2, 7] {
      var settings = SurfaceComparer.Settings()
      settings.isAligned = true
      settings.sampleCount = 3000
      settings.threads = threads
      let result = try SurfaceComparer(settings).compare(cloud(box), cloud(moved))
      found.append((result.document(), result.coloredMesh))
    }
    #expect(found[0].0 == found[1].0 && found[0].0 == found[2].0)
    #expect(found[0].1 == found[1].1 && found[0].1 == found[2].1)
    #expect(number(found[0].0, "secondToFirst", "percentiles", "max") ?? 1 < 1e-5)
    // The colored mesh is read back as one, in the first one's frame.
    let back = try MeasurableCloudReader().cloud(from: found[0].1, fileName: "back.ply")
    #expect(back.triangleCount == box.triangles.count && back.count == box.positions.count)
  }

  @Test func aCloudIsComparedPointByPoint() throws {
    let points = box.positions.map { "\($0.x) \($0.y) \($0.z)" }
    let bytes = Array(
      ("ply\nformat ascii 1.0\nelement vertex \(points.count)\nproperty double x\n"
        + "property double y\nproperty double z\nend_header\n"
        + points.joined(separator: "\n") + "\n").utf8)
    let cloud = try MeasurableCloudReader().cloud(from: bytes, fileName: "points.ply")
    let document = try SurfaceComparer().compare(self.cloud(box), cloud).document()
    // Single precision of coordinates of 0.2 m.
    #expect(try #require(number(document, "secondToFirst", "percentiles", "max")) < 1e-7)
    // From the mesh to the nearest point: half a diagonal of the spacing at most.
    let largest = try #require(number(document, "firstToSecond", "percentiles", "max"))
    #expect(largest < 0.0142 && largest > 0.01)
    #expect(number(document, "firstToSecond", "signedMean") == nil)
  }

  @Test func whatHasNoLengthsOrNoShapeIsRefused() throws {
    #expect(throws: SurfaceComparisonError.relative("mesh.ply")) {
      try SurfaceComparer().compare(cloud(box), cloud(box, comments: ["unit relative"]))
    }
    var plane = TrialSurface()
    plane.add(.zero, [1, 0, 0], [0, 1, 0], spacing: 0.1)
    var settings = SurfaceComparer.Settings()
    settings.isAligned = true
    #expect(throws: SurfaceComparisonError.notAligned) {
      try SurfaceComparer(settings).compare(cloud(plane), cloud(plane))
    }
  }
}
