import Foundation
import PlumblineGeometry
import PlumblineModel
import PlumblineExport
import Testing

/// The assembly of a face's page: what goes in comes out, and nothing gets loose.
@Suite struct FacePageTests {
  /// The text of the one element with an identifier.
  private static func content(of identifier: String, in page: String) throws -> String {
    let parts = page.components(separatedBy: "id=\"\(identifier)\">")
    try #require(parts.count == 2, "\(identifier) occurs \(parts.count - 1) times")
    let end = try #require(parts[1].range(of: "</script>"))
    return String(parts[1][..<end.lowerBound])
  }

  private static func text(_ scene: HeadScene?, title: String = "a", document: String = "{}")
    -> String
  {
    String(
      decoding: FacePage(title: title, documentJSON: document, scene: scene).html(), as: UTF8.self)
  }

  /// The sections of a page's payload as numbers, and its parameters.
  private struct Payload {
    let parameters: [String: Any]
    let data: Data

    init(_ page: String) throws {
      let json = try FacePageTests.content(of: "plumbline-head", in: page)
      parameters = try #require(
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
      data = try #require(
        Data(base64Encoded: try FacePageTests.content(of: "plumbline-head-data", in: page)))
    }

    func section<Number: FixedWidthInteger>(_ name: String, as: Number.Type) throws -> [Number] {
      let sections = try #require(parameters["sections"] as? [String: [String: Any]])
      let section = try #require(sections[name])
      let (offset, count) = (section["offset"] as? Int ?? -1, section["count"] as? Int ?? -1)
      let size = MemoryLayout<Number>.size
      let names = ["f32": 4, "u32": 4, "u16": 2, "i16": 2]
      #expect(names[section["type"] as? String ?? ""] == size && offset % 4 == 0)
      let bytes = [UInt8](data)
      return (0..<count).map { index in
        (0..<size).reduce(Number(0)) {
          $0 | Number(truncatingIfNeeded: UInt64(bytes[offset + size * index + $1]) << (8 * $1))
        }
      }
    }

    func floats(_ name: String) throws -> [UInt32] { try section(name, as: UInt32.self) }
  }

  @Test func payloadReturnsBitForBit() throws {
    let head = try SampleHead()
    let scene = head.scene()
    let page = Self.text(scene)
    let payload = try Payload(page)
    let single = SingleIndexMesh(scene.mesh)
    #expect(
      try payload.floats("positions")
        == scene.mesh.positions.flatMap { [$0.x.bitPattern, $0.y.bitPattern, $0.z.bitPattern] })
    #expect(
      try payload.section("triangles", as: UInt16.self)
        == single.triangles.flatMap { [$0.first, $0.second, $0.third] }.map { UInt16($0) })
    #expect(
      try payload.section("sources", as: UInt16.self) == single.sourceVertices.map { UInt16($0) })
    #expect(
      try payload.floats("coordinates")
        == single.coordinates?.flatMap { [$0.x.bitPattern, $0.y.bitPattern] })
    #expect(try payload.floats("sigmas") == scene.mesh.sigmaMeters?.map(\.bitPattern))
    #expect(try payload.floats("residuals") == scene.mesh.residualMeters?.map(\.bitPattern))
    #expect(payload.parameters["scaleShare"] as? Double == 0.01)
    let pose = try #require(payload.parameters["cameraFromHead"] as? [Double])
    let truth = try #require(scene.cameraFromHead?.homogeneousRowMajor)
    // Foundation reads decimal numbers to within a last digit.
    #expect(pose.count == 16 && zip(pose, truth).allSatisfy { abs($0 - $1) < 1e-15 })
    for (name, bytes) in [
      ("texture", scene.textureJPEG), ("landmarks", scene.landmarksJPEG),
      ("residual", scene.residualJPEG),
    ] {
      let kept = Data(base64Encoded: try Self.content(of: "plumbline-\(name)", in: page))
      #expect(kept == Data(bytes ?? []))
    }
  }

  @Test func deltasAreOffByHalfAStepAtMost() throws {
    let head = try SampleHead()
    let payload = try Payload(Self.text(head.scene()))
    let moved = try payload.section("moved", as: UInt16.self)
    let codes = try payload.section("deltas", as: UInt16.self).map { Int16(bitPattern: $0) }
    #expect(codes.count == 3 * moved.count)
    let targets = try #require(payload.parameters["targets"] as? [[String: Any]])
    #expect(targets.compactMap { $0["name"] as? String } == SampleHead.names)
    #expect(targets.compactMap { $0["weight"] as? Double } == SampleHead.weights.map { Double($0) })
    for (target, truth) in zip(targets, head.targets) {
      let (start, count) = (target["start"] as? Int ?? -1, target["count"] as? Int ?? -1)
      let step = try #require(target["step"] as? Double)
      let maximum = truth.deltas.reduce(Float(0)) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
      // A target that moves nothing has no step.
      #expect(abs(step - Double(maximum) / 32767) <= 1e-6 * Double(maximum))
      var dense = [SIMD3<Double>](repeating: .zero, count: head.mesh.vertexCount)
      for entry in start..<start + count {
        let code = SIMD3(
          Double(codes[3 * entry]), Double(codes[3 * entry + 1]), Double(codes[3 * entry + 2]))
        dense[Int(moved[entry])] = code * step
      }
      for (found, delta) in zip(dense, truth.deltas) {
        let off = found - delta.vector
        // Half a step, and the rounding of sums of doubles.
        #expect(max(abs(off.x), abs(off.y), abs(off.z)) <= 0.5001 * step)
      }
    }
  }

  @Test func whatIsNotThereIsLeftOut() throws {
    let bare = try TriangleMesh(
      positions: [
        PackedPoint(x: 0, y: 0, z: 1), PackedPoint(x: 1, y: 0, z: 1), PackedPoint(x: 0, y: 1, z: 1),
      ], triangles: [TriangleIndices(0, 2, 1)])
    let page = Self.text(HeadScene(mesh: bare, scaleSigmaShare: .infinity))
    let payload = try Payload(page)
    let sections = try #require(payload.parameters["sections"] as? [String: Any])
    #expect(Set(sections.keys) == ["positions", "triangles", "sources", "moved", "deltas"])
    #expect(payload.parameters["scaleShare"] is NSNull)
    #expect(payload.parameters["cameraFromHead"] is NSNull)
    let empty = Self.text(nil)
    #expect(try Self.content(of: "plumbline-head", in: empty) == "")
    #expect(try Self.content(of: "plumbline-head-data", in: empty) == "")
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "<!--<script>", "\"\\", "\u{0}", "{{data}}",
  ])
  func hostileTextStaysInItsPlace(text: String) throws {
    let head = try SampleHead(columns: 9, rows: 5)
    let plain = Self.text(HeadScene(mesh: head.mesh, scaleSigmaShare: 0))
    let target = MorphTarget(name: text, deltas: head.mesh.positions)
    let quoted = String(
      decoding: try JSONSerialization.data(withJSONObject: ["headline": text]), as: UTF8.self)
    let page = Self.text(
      HeadScene(mesh: head.mesh, targets: [target], weights: [1], scaleSigmaShare: 0), title: text,
      document: quoted)
    for tag in ["<script", "</script", "<!--", "</title", "<style", "</style"] {
      #expect(
        page.lowercased().components(separatedBy: tag).count
          == plain.lowercased().components(separatedBy: tag).count, "\(tag)")
    }
    let kept = try #require(try Payload(page).parameters["targets"] as? [[String: Any]])
    let isControl = text == "\u{0}"
    #expect(kept.first?["name"] as? String == (isControl ? "\u{FFFD}" : text))
  }

  @Test func pageForbidsAndMakesNoRequestAndIsTheSame() throws {
    let scene = try SampleHead().scene()
    let page = Self.text(scene)
    #expect(page == Self.text(scene))
    #expect(page.contains("content=\"default-src 'none'; script-src 'sha256-"))
    for address in ["http://", "https://", "src=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
      let parts = page.components(separatedBy: address).dropFirst()
      // The name of the SVG namespace looks like an address and is none.
      #expect(parts.filter { !$0.hasPrefix("www.w3.org/2000/svg") }.isEmpty, "\(address)")
    }
    #expect(!page.contains("{{"))
  }
}
