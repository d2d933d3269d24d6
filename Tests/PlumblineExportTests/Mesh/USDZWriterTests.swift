import PlumblineExport
import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@Suite struct USDZWriterTests {
  @Test func filesAreStoredAtMultiplesOf64Bytes() throws {
    // Names and layers of many lengths, so that every padding comes up.
    for length in 1...70 {
      let document = try SampleDocuments.ball(rings: 2 + length % 5, segments: 3, hasTargets: false)
      let name = String(repeating: "n", count: length)
      let package = try USDZWriter(document).bytes(baseName: name)
      func number(_ place: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(package[place + $1]) << (8 * $1) }
      }
      var place = 0
      var names: [String] = []
      while number(place, 4) == 0x0403_4B50 {
        #expect(number(place + 6, 2) & 1 == 0, "encrypted")
        #expect(number(place + 8, 2) == 0, "packed")
        let (size, nameCount) = (number(place + 18, 4), number(place + 26, 2))
        let extra = place + 30 + nameCount
        let data = extra + number(place + 28, 2)
        names.append(String(decoding: package[place + 30..<extra], as: UTF8.self))
        #expect(data % 64 == 0, "\(names.last ?? "") starts at \(data)")
        if data > extra {
          // One well-formed field: its identifier, its length, and zeros.
          #expect(number(extra, 2) == 0x1986 && number(extra + 2, 2) == data - extra - 4)
          #expect(package[extra + 4..<data].allSatisfy { $0 == 0 })
        }
        if names.count == 2 {
          #expect(Array(package[data..<data + size]) == SampleDocuments.image())
        }
        place = data + size
      }
      #expect(names == ["\(name).usda", "textures/texture.png"])
    }
  }

  @Test func ourOwnReaderOpensIt() throws {
    let package = try USDZWriter(try SampleDocuments.ball()).bytes(baseName: "head")
    let archive = try ZIPArchive(MemoryBytes(package))
    #expect(archive.fileNames == ["head.usda", "textures/texture.png"])
    let layer = String(decoding: try archive.bytes(of: "head.usda"), as: UTF8.self)
    #expect(layer.hasPrefix("#usda 1.0\n(\n"))
    #expect(layer.contains("string uncertainty = \"+- 1.2 mm\"\n"))
    #expect(layer.contains("def BlendShape \"_2__odd_\"\n"))
    #expect(layer.contains("\"browInnerUp\", \"2 \\\"odd\\\"\"]"))
    #expect(layer.contains("nan"))
  }

  @Test func weightsAreThoseOfTheDocument() throws {
    func layer(_ weights: [Float]?) throws -> String {
      let package = try USDZWriter(try SampleDocuments.ball(weights: weights)).bytes(baseName: "m")
      return String(
        decoding: try ZIPArchive(MemoryBytes(package)).bytes(of: "m.usda"), as: UTF8.self)
    }
    let line = "float[] blendShapeWeights = [0.25, -0.125, 1.5]\n"
    let (plain, weighted) = (try layer(nil), try layer([0.25, -0.125, 1.5]))
    #expect(plain.contains("float[] blendShapeWeights = [0.0, 0.0, 0.0]\n"))
    #expect(weighted.contains(line))
    // They change nothing else: points stay those at 0.
    #expect(
      weighted.replacing("[0.25, -0.125, 1.5]", with: "[0.0, 0.0, 0.0]") == plain)
  }

  @Test func textCannotEndAString() throws {
    let plane = try SampleMeshes.plane(columns: 1, rows: 1, width: 1, height: 1, depth: 1)
    let document = try MeshDocument(
      name: "a\"\n}", mesh: plane, origin: ExportOrigin(producer: "b\\\" ) @x@"))
    let package = try USDZWriter(document).bytes(baseName: "m")
    let archive = try ZIPArchive(MemoryBytes(package))
    let layer = String(decoding: try archive.bytes(of: "m.usda"), as: UTF8.self)
    #expect(layer.contains(#"string name = "a\"?}""#))
    #expect(layer.contains(#"string producer = "b\\\" ) @x@""#))
  }

  @Test func namesOfPrimsAreLegalAndDiffer() throws {
    let plane = try SampleMeshes.plane(columns: 1, rows: 1, width: 1, height: 1, depth: 1)
    let targets = ["a b", "a_b", "a-b", "", "1"].map {
      MorphTarget(name: $0, deltas: plane.positions)
    }
    let document = try MeshDocument(
      name: "m", mesh: plane, morphTargets: targets, origin: ExportOrigin(producer: "p"))
    let archive = try ZIPArchive(
      MemoryBytes(try USDZWriter(document).bytes(baseName: "m")))
    let layer = String(decoding: try archive.bytes(of: "m.usda"), as: UTF8.self)
    for name in ["a_b", "a_b_2", "a_b_3", "_", "_1"] {
      #expect(layer.contains("def BlendShape \"\(name)\"\n"))
      #expect(layer.contains("</Model/Surface/\(name)>"))
    }
  }

  @Test(
    .enabled(if: PythonPeer.has("pxr"), "\(PythonPeer.absence("pxr, from usd-core"))"),
    arguments: [nil, [1, 0.5, 1]] as [[Float]?])
  func openUSDReadsEveryValueAndMovesTheBlendShapes(written: [Float]?) throws {
    let document = try SampleDocuments.ball(weights: written)
    let package = try USDZWriter(document).bytes(baseName: "head")
    let answer = try ExportOracle("usd", package, script: "mesh_values.py", name: "m.usdz")
    #expect(
      answer.about == #"{"metersPerUnit": 1.0, "upAxis": "Y", "faults": [], "#
        + #""blendShapes": ["jawOpen", "browInnerUp", "2 \"odd\""], "imageBytes": "#
        + "\(SampleDocuments.image().count)}")
    let corners = MeshCorners(document, isViewer: true)
    // The oracle sets weights of 1, ½ and 1 where the file has none of its own.
    let weights: [Float] = [1, 0.5, 1]
    let moved = document.mesh.morphed(by: Array(zip(document.morphTargets, weights)))
    var expected = corners.bytes + rawBytes(document.mesh.sigmaMeters ?? [])
    expected += rawBytes(document.mesh.residualMeters ?? [])
    #expect(Array(answer.values.prefix(expected.count)) == expected)
    let baked = answer.values.dropFirst(expected.count)
    let truth = moved.positions.flatMap { [$0.x, -$0.y, -$0.z] }
    #expect(baked.count == 4 * truth.count)
    for (index, number) in truth.enumerated() {
      let bits = (0..<4).reduce(UInt32(0)) {
        $0 | UInt32(baked[baked.startIndex + 4 * index + $1]) << (8 * UInt32($1))
      }
      // Sums in single precision, in any order, at half a meter.
      #expect(abs(Float(bitPattern: bits) - number) < 1e-7)
    }
  }

  @Test(.enabled(if: PythonPeer.has("pxr"), "\(PythonPeer.absence("pxr, from usd-core"))"))
  func openUSDFindsNoFaultWithoutImageAndTargets() throws {
    for hasColors in [true, false] {
      let document = try SampleDocuments.ball(
        hasImage: false, hasTargets: false, hasColors: hasColors)
      let package = try USDZWriter(document).bytes(baseName: "head")
      let answer = try ExportOracle("usd", package, script: "mesh_values.py", name: "m.usdz")
      #expect(answer.about.contains(#""faults": [], "blendShapes": [], "imageBytes": 0"#))
    }
  }
}
