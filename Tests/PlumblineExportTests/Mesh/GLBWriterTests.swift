import PlumblineExport
import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@Suite struct GLBWriterTests {
  static func viewer(_ point: PackedPoint) -> [Float] { [point.x, -point.y, -point.z] }

  @Test(arguments: [true, false], [true, false])
  func everyValueIsWhereTheRulesSay(hasImage: Bool, hasTargets: Bool) throws {
    let document = try SampleDocuments.ball(hasImage: hasImage, hasTargets: hasTargets)
    let file = try StrictGLB(try GLBWriter(document).bytes())
    let mesh = try #require(file.json["meshes"]?.elements?.first)
    let primitive = try #require(mesh["primitives"]?.elements?.first)
    let attributes = try #require(primitive["attributes"])
    let single = SingleIndexMesh(document.mesh)

    let indices = try file.values(primitive["indices"]?.integer, .indices).map { UInt32($0) }
    #expect(indices == single.triangles.flatMap { [$0.first, $0.second, $0.third] })
    #expect(indices.allSatisfy { Int($0) < single.vertexCount })
    let positions = try file.values(attributes["POSITION"]?.integer, .position)
    #expect(positions == single.attribute(document.mesh.positions).flatMap(Self.viewer))
    let normals = try file.values(attributes["NORMAL"]?.integer, .normal)
    #expect(
      normals == single.attribute(document.mesh.areaWeightedNormals).flatMap(Self.viewer))
    let coordinates = try file.values(attributes["TEXCOORD_0"]?.integer, .coordinates)
    #expect(coordinates == single.coordinates?.flatMap { [$0.x, $0.y] })
    let sigmas = try file.values(attributes["_SIGMA"]?.integer, .number)
    let known = try #require(document.mesh.sigmaMeters)
    #expect(sigmas == single.attribute(known).map { $0.isNaN ? -1 : $0 })
    #expect(sigmas.contains(-1))
    let residuals = try file.values(attributes["_RESIDUAL"]?.integer, .number)
    let measured = try #require(document.mesh.residualMeters)
    #expect(residuals == single.attribute(measured).map { $0.isNaN ? -1_000_000 : $0 })

    #expect((attributes["COLOR_0"] == nil) == hasImage)
    if !hasImage {
      let colors = try file.values(attributes["COLOR_0"]?.integer, .color)
      let codes = single.attribute(try #require(document.mesh.colors))
      for (index, color) in codes.enumerated() {
        let share = Double(color.red) / 255
        // sRGB's own curve is a power of 2.4 with an offset, within 0.04 of 2.2 everywhere.
        let light = Double(colors[4 * index]) / 65535
        let plain = share == 0 ? 0 : share * share * share.squareRoot().squareRoot()
        #expect(abs(light - plain) < 0.04 && colors[4 * index + 3] == 65535)
      }
    }
    #expect((file.json["images"] != nil) == hasImage)
    #expect((mesh["weights"] != nil) == hasTargets)
    guard hasTargets else { return }
    #expect(mesh["weights"]?.numbers == [0, 0, 0])
    let names = mesh["extras"]?["targetNames"]?.elements?.map(\.string)
    #expect(names == ["jawOpen", "browInnerUp", "2 \"odd\""])
    let targets = primitive["targets"]?.elements ?? []
    #expect(targets.count == 3)
    for (target, morph) in zip(targets, document.morphTargets) {
      let deltas = try file.values(target["POSITION"]?.integer, .delta)
      let dense = morph.denseDeltas(vertexCount: document.mesh.vertexCount)
      #expect(deltas == single.attribute(dense).flatMap(Self.viewer))
      let turns = try file.values(target["NORMAL"]?.integer, .delta)
      let moved = document.mesh.morphed(by: [(morph, 1)]).areaWeightedNormals
      let exact = zip(moved, document.mesh.areaWeightedNormals).map {
        PackedPoint(x: $0.x - $1.x, y: $0.y - $1.y, z: $0.z - $1.z)
      }
      for (turn, wanted) in zip(turns, single.attribute(exact).flatMap(Self.viewer)) {
        // What is too small to be seen is left out, and the rest is rounded.
        #expect(abs(turn - wanted) < 0.0006, "\(turn), \(wanted)")
      }
    }
  }

  @Test func theFileSaysWhatItsNumbersMean() throws {
    let file = try StrictGLB(try GLBWriter(try SampleDocuments.ball()).bytes())
    #expect(file.json["asset"]?["generator"]?.string == "plumbline 0.1.0")
    #expect(file.json["asset"]?["extras"]?["sourceSHA256"]?.string == "abc")
    let extras = file.json["nodes"]?.elements?.first?["extras"]
    #expect(extras?["unit"]?.string == "meter")
    #expect(extras?["frame"]?.string?.hasPrefix("viewer: x right, y up") == true)
    #expect(extras?["uncertainty"]?.string == "± 1.2 mm")
    #expect(extras?["missingSigma"]?.number == -1)
  }

  @Test func fewMovedVerticesAreWrittenSparsely() throws {
    let file = try StrictGLB(try GLBWriter(try SampleDocuments.ball()).bytes())
    // Positions and normals of each target take turns.
    let accessors = Array(file.json["accessors"]?.elements?.suffix(6) ?? [])
    #expect([0, 2, 4].map { accessors[$0]["sparse"] != nil } == [true, false, true])
  }

  @Test func weightsAreThoseOfTheDocument() throws {
    // All are sums of powers of two, so that their decimal form is exact.
    let weights: [Float] = [0.25, -0.125, 1.5]
    let document = try SampleDocuments.ball(weights: weights)
    let file = try StrictGLB(try GLBWriter(document).bytes())
    let mesh = try #require(file.json["meshes"]?.elements?.first)
    #expect(mesh["weights"]?.numbers == weights.map { Double($0) })
    // A node's own weights would win over the mesh's.
    #expect(file.json["nodes"]?.elements?.first?["weights"] == nil)
    // They change nothing else: positions stay those at 0.
    let attributes = mesh["primitives"]?.elements?.first?["attributes"]
    let positions = try file.values(attributes?["POSITION"]?.integer, .position)
    let single = SingleIndexMesh(document.mesh)
    #expect(positions == single.attribute(document.mesh.positions).flatMap(Self.viewer))
  }

  @Test(arguments: [[0, 0], [0, 0, 0, 0], [0, .nan, 0], [0, 0, -.infinity]] as [[Float]])
  func weightsThatDoNotFitAreRefused(weights: [Float]) throws {
    let error = try #require(throws: MeshError.self) {
      _ = try SampleDocuments.ball(weights: weights)
    }
    #expect(error.place.hasPrefix("morphWeights"))
    #expect(error.reason == (weights.count == 3 ? .outOfRange : .mismatch))
  }

  @Test func givenNormalsAreMadeUnitVectors() throws {
    var plane = try SampleMeshes.plane(columns: 1, rows: 1, width: 1, height: 1, depth: 1)
    let up = PackedPoint(x: 0, y: -3, z: 4)
    plane.normals = [up, up, PackedPoint(x: 0, y: 0, z: 0), PackedPoint(x: .nan, y: 0, z: 0)]
    let document = try MeshDocument(
      name: "plane", mesh: plane, origin: ExportOrigin(producer: "p"))
    let file = try StrictGLB(try GLBWriter(document).bytes())
    let primitive = file.json["meshes"]?.elements?.first?["primitives"]?.elements?.first
    let normals = try file.values(primitive?["attributes"]?["NORMAL"]?.integer, .normal)
    let sources = SingleIndexMesh(plane).sourceVertices
    for (index, source) in sources.enumerated() {
      // Without a direction a normal points to the camera, which is at the viewer's side.
      let expected: [Float] = source < 2 ? [0, 0.6, -0.8] : [0, 0, 1]
      #expect(Array(normals[3 * index..<3 * index + 3]) == expected)
    }
  }

  @Test func manyVerticesNeedWideIndices() throws {
    // 256 × 257 vertices are more than 65535.
    let plane = try SampleMeshes.plane(columns: 256, rows: 255, width: 1, height: 1, depth: 1)
    let document = try MeshDocument(
      name: "wide", mesh: plane,
      morphTargets: [
        try MorphTarget(
          name: "a", indices: [65790], deltas: [PackedPoint(x: 1, y: 2, z: 3)])
      ], origin: ExportOrigin(producer: "p"))
    let file = try StrictGLB(try GLBWriter(document).bytes())
    let primitive = file.json["meshes"]?.elements?.first?["primitives"]?.elements?.first
    let indices = try file.values(primitive?["indices"]?.integer, .indices)
    #expect(indices.max() == 65791)
    let deltas = try file.values(
      primitive?["targets"]?.elements?.first?["POSITION"]?.integer, .delta)
    let single = SingleIndexMesh(plane)
    let moved = try #require(single.sourceVertices.firstIndex(of: 65790))
    #expect(Array(deltas[3 * moved..<3 * moved + 3]) == [1, -2, -3])
    #expect(deltas.count { $0 != 0 } == 3)
  }

  @Test func theStrictReaderSeesFaults() throws {
    let bytes = try GLBWriter(try SampleDocuments.ball()).bytes()
    func isRefused(_ damage: (inout [UInt8]) -> Void) -> Bool {
      var broken = bytes
      damage(&broken)
      do {
        let file = try StrictGLB(broken)
        let mesh = file.json["meshes"]?.elements?.first?["primitives"]?.elements?.first
        _ = try file.values(mesh?["attributes"]?["POSITION"]?.integer, .position)
      } catch { return true }
      return false
    }
    #expect(!isRefused { _ in })
    #expect(isRefused { $0.removeLast(4) })
    #expect(isRefused { $0[4] = 1 })
    // The first position's first coordinate, behind the indices, becomes greater than the bound.
    let json = Int(bytes[12]) | Int(bytes[13]) << 8 | Int(bytes[14]) << 16
    let position = 20 + json + 8 + 352 * 6
    #expect(isRefused { $0[position + 3] = 0x7E })
    #expect(isRefused { $0.replaceSubrange(position..<position + 4, with: [0, 0, 0xC0, 0x7F]) })
  }

  @Test func badDocumentsAreRefused() throws {
    let plane = try SampleMeshes.plane(columns: 1, rows: 1, width: 1, height: 1, depth: 1)
    let origin = ExportOrigin(producer: "p")
    let bare = try TriangleMesh(positions: plane.positions, triangles: plane.triangles)
    let empty = try TriangleMesh(positions: plane.positions, triangles: [])
    let texture = MeshTexture(bytes: [1], mediaType: .jpeg)
    let target = MorphTarget(name: "a", deltas: plane.positions)
    let short = MorphTarget(name: "b", deltas: [])
    #expect(throws: MeshError.self) { try MeshDocument(name: "", mesh: empty, origin: origin) }
    #expect(throws: MeshError.self) {
      try MeshDocument(name: "", mesh: bare, texture: texture, origin: origin)
    }
    #expect(throws: MeshError.self) {
      try MeshDocument(name: "", mesh: plane, morphTargets: [target, target], origin: origin)
    }
    #expect(throws: MeshError.self) {
      try MeshDocument(name: "", mesh: plane, morphTargets: [short], origin: origin)
    }
  }

  @Test(.enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"))
  func open3dReadsEveryCorner() throws {
    let document = try SampleDocuments.ball()
    let answer = try ExportOracle(
      "open3d", try GLBWriter(document).bytes(), script: "mesh_values.py", name: "m.glb")
    #expect(answer.values == MeshCorners(document, isViewer: true).bytes)
  }

  @Test(.enabled(if: PythonPeer.has("trimesh"), "\(PythonPeer.absence("trimesh"))"))
  func trimeshReadsEveryCornerAndAttribute() throws {
    let document = try SampleDocuments.ball(hasTargets: false)
    let answer = try ExportOracle(
      "trimesh", try GLBWriter(document).bytes(), script: "mesh_values.py", name: "m.glb")
    let single = SingleIndexMesh(document.mesh)
    let sigmas = single.attribute(try #require(document.mesh.sigmaMeters))
    #expect(
      answer.values == MeshCorners(document, isViewer: true).bytes
        + rawBytes(sigmas.map { $0.isNaN ? -1 : $0 }))
    #expect(answer.about.contains(#""_RESIDUAL""#))
  }
}
