import Foundation
import PlumblineGeometry
import PlumblineModel
import PlumblineExport
import Testing

/// Opens pages of faces in a real browser; see `Tests/Browser/test_face.py` for what it checks.
@Suite(.serialized, .enabled(if: BrowserCheck.isAvailable, "\(BrowserCheck.advice)"))
struct FacePageBrowserTests {
  @Test func measuredHeadIsDrawnMovedAndMeasured() throws {
    let head = try SampleHead()
    let scene = head.scene()
    let page = FacePage(
      title: "bust.heic, face 1", documentJSON: SampleHead.document(isMeasured: true), scene: scene)
    try BrowserCheck(name: "face").run(
      page,
      expected: try ExpectedHead(head, scene, badge: "MEASURED", headline: "All lengths ± 1.0 %")
        .json)
  }

  /// Behind the sample's egg a second one is added: it is shown, and can be hidden.
  @Test func partsOfTheHeadAreShownAndHidden() throws {
    let head = try SampleHead()
    let scene = head.completedScene()
    let page = FacePage(
      title: "bust.heic, face 1", documentJSON: SampleHead.document(isMeasured: true), scene: scene)
    var expected = try ExpectedHead(
      head, head.scene(), badge: "MEASURED", headline: "All lengths ± 1.0 %"
    ).parts
    expected["added"] = [
      "triangles": scene.mesh.triangles.count, "faceTriangles": scene.face.triangleCount,
      "words": "± 4 to 7\u{a0}mm",
    ]
    try BrowserCheck(name: "face-head").run(
      page,
      expected: try #require(
        String(
          data: JSONSerialization.data(withJSONObject: expected, options: .sortedKeys),
          encoding: .utf8)))
  }

  @Test func headOfThePhotoAloneSaysSo() throws {
    let head = try SampleHead()
    let scene = head.scene(isMeasured: false, hasImages: false)
    let page = FacePage(
      title: "bust.heic, face 1", documentJSON: SampleHead.document(isMeasured: false),
      scene: scene)
    try BrowserCheck(name: "face-alone").run(
      page,
      expected: try ExpectedHead(
        head, scene, badge: "SHAPE ONLY", headline: "The size of a usual head, ± 5.0 %"
      ).json)
  }

  @Test func hostileDocumentStaysText() throws {
    let page = FacePage(
      title: "</title><script>window.pwned=1</script>", documentJSON: SampleDocument.hostile,
      scene: nil)
    try BrowserCheck(name: "face-hostile").run(
      page,
      expected: #"""
        {"title": "<script>window.pwned=1</script>", "badge": "No verdict",
         "headline": "This page holds no verdict.", "isMeasured": false, "hasPhoto": false,
         "lengths": 0, "regions": 0, "vertices": null}
        """#)
  }
}

/// What a page must show of a made-up head, computed apart from the page.
struct ExpectedHead {
  let parts: [String: Any]

  init(_ head: SampleHead, _ scene: HeadScene, badge: String, headline: String) throws {
    let shown = scene.mesh.morphed(by: Array(zip(scene.targets, scene.weights)))
    let isMeasured = scene.mesh.residualMeters != nil
    let residuals = scene.mesh.residualMeters ?? []
    let normals = shown.areaWeightedNormals
    func point(_ vertex: Int) -> SIMD3<Double> { shown.positions[vertex].vector }
    func list(_ vector: SIMD3<Double>) -> [Double] { [vector.x, vector.y, vector.z] }
    let facing = normals.indices.filter { normals[$0].z < -0.85 }
    func nearest(_ x: Float, _ y: Float) -> Int {
      facing.min { first, second in
        func off(_ vertex: Int) -> Float {
          let place = shown.positions[vertex]
          return abs(place.x - SampleHead.center.x - x) + abs(place.y - SampleHead.center.y - y)
        }
        return off(first) < off(second)
      } ?? 0
    }
    let measuredArea = try TriangleMesh(
      positions: shown.positions,
      triangles: shown.triangles.filter { corners in
        isMeasured && (0..<3).allSatisfy { !residuals[Int(corners[$0])].isNaN }
      }
    ).surfaceArea
    // One end measured, the other one at the back of the head.
    let (a, b) = (head.nose, 2)
    let way = point(b) - point(a)
    let length = (way * way).sum().squareRoot()
    func share(_ vector: SIMD3<Double>) -> Double {
      abs((vector * way).sum()) / length / (vector * vector).sum().squareRoot()
    }
    func variance(_ vertex: Int) -> Double {
      let sigma = Double(scene.mesh.sigmaMeters?[vertex] ?? .nan)
      let isKnown = isMeasured && !residuals[vertex].isNaN
      let part = isKnown ? max(share(normals[vertex].vector), share(point(vertex))) : 1
      return sigma * sigma * part * part
    }
    let common = length * scene.scaleSigmaShare
    let jaw = SampleHead.names.firstIndex(of: "jawOpen") ?? 0
    let jawWay = head.targets[jaw].deltas[head.chin]
    parts = [
      "title": "bust.heic, face 1", "badge": badge, "headline": headline, "isMeasured": isMeasured,
      "hasPhoto": scene.textureJPEG != nil, "scaleShare": scene.scaleSigmaShare,
      "weights": SampleHead.weights.map { Double($0) }, "missing": ["tongueOut"], "lengths": 2,
      "regions": isMeasured ? 2 : 0,
      "vertices": [0, head.nose, head.chin, shown.vertexCount - 1].map {
        ["index": $0, "position": list(point($0))] as [String: Any]
      },
      "area": ["whole": shown.surfaceArea, "measured": measuredArea],
      "distance": [
        "a": a, "b": b, "value": length,
        "sigma": (variance(a) + variance(b) + common * common).squareRoot(),
      ] as [String: Any],
      "jawOpen": [
        "target": jaw, "vertex": head.chin, "way": list(jawWay.vector),
      ] as [String: Any],
      "seen": [nearest(-0.035, -0.03), nearest(0.03, 0.025)],
      "before": isMeasured ? [facing.max { residuals[$0] < residuals[$1] } ?? 0] : [],
      "behind": isMeasured ? [facing.min { residuals[$0] < residuals[$1] } ?? 0] : [],
    ]
  }

  var json: String {
    get throws {
      String(decoding: try JSONSerialization.data(withJSONObject: parts), as: UTF8.self)
    }
  }
}
