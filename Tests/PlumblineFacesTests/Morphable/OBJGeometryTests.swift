import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

@Suite struct OBJGeometryTests {
  private func read(_ text: String) throws -> OBJGeometry {
    try OBJGeometry(Array(text.utf8), named: "a.obj")
  }

  private let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

  private func triangles(_ geometry: OBJGeometry) -> [[UInt32]] {
    geometry.triangles.map { [$0.first, $0.second, $0.third] }
  }

  @Test func linesOfEachKind() throws {
    let geometry = try read(
      "# a head\nmtllib a.mtl\no head\n" + square + "vt 0 0\nvt 1 0.25 0\nvt 1 1\nvn 0 0 1\ns 1\n"
        + "g front\nusemtl skin\nf 1/1/1 2/2/1 3/3/1\n\nl 1 2")
    #expect(geometry.positions.count == 4 && triangles(geometry) == [[0, 1, 2]])
    // OBJ counts v upward, a layout downward.
    #expect(geometry.texture?.coordinates == [[0, 1], [1, 0.75], [1, 0]])
  }

  @Test func polygonsAreFans() throws {
    #expect(try triangles(read(square + "f 1 2 3 4")) == [[0, 1, 2], [0, 2, 3]])
    #expect(
      try triangles(read(square + "v 2 2 0\nf 1 2 3 4 5"))
        == [[0, 1, 2], [0, 2, 3], [0, 3, 4]])
  }

  @Test func negativeIndicesCountBackward() throws {
    #expect(
      try triangles(read(square + "f -4 -3 -2\nv 5 5 5\nf -1 1 2")) == [[0, 1, 2], [4, 0, 1]])
  }

  @Test func oneCornerWithoutCoordinateMeansNoTexture() throws {
    let coordinates = "vt 0 0\nvt 1 0\nvt 1 1\n"
    for faces in ["f 1 2 3", "f 1//1 2//1 3//1", "f 1/1 2/2 3", "f 1/1 2/2 3/3\nf 1 2 3"] {
      #expect(try read(square + coordinates + faces).texture == nil, "\(faces)")
    }
    let whole = try read(square + coordinates + "f 1/1 2/2 3/3")
    #expect(whole.texture != nil)
  }

  @Test func lineEndsOfWindowsTabsAndBlanks() throws {
    let text = square.replacing("\n", with: "\r\n") + "\tf  1\t2   3 \r\n"
    #expect(try triangles(read(text)) == [[0, 1, 2]])
  }

  @Test func numbersInEveryNotation() throws {
    let geometry = try read("v -1.5e-2 +2 .5\nv 1 2 3 0.5 0.5 0.5")
    #expect(geometry.positions[0] == PackedPoint(x: -0.015, y: 2, z: 0.5))
    #expect(geometry.positions[1] == PackedPoint(x: 1, y: 2, z: 3))
  }

  @Test(arguments: [
    "v 1 2", "v", "v 1 2 x", "v nan 0 0", "v 0 inf 0", "v 1e99 0 0", "vt 1",
    "v 0 0 " + String(repeating: "1", count: 70),
  ])
  func aNumberThatIsNoneIsRefused(line: String) {
    let error = #expect(throws: MorphableModelError.self) { try read("# first\n" + line) }
    #expect(error?.place == "a.obj, line 2", "\(String(describing: error))")
  }

  @Test(arguments: [
    "f 1 2", "f", "f 1 2 5", "f 0 1 2", "f -5 1 2", "f 1 2 x", "f 1/ 2/9 3", "f 1/1 2/1 3/1",
    "f 99999999999999999999999 1 2", "f -99999999999999999999999 1 2", "f - 1 2",
    "f" + String(repeating: " 1", count: 1025), "f 1x 2 3",
  ])
  func aFaceThatLeadsNowhereIsRefused(line: String) {
    let error = #expect(throws: MorphableModelError.self) { try read(square + line) }
    #expect(error?.place == "a.obj, line 5", "\(String(describing: error))")
  }

  @Test func positionsAloneStopAtTheLimit() throws {
    let bytes = Array((square + "v broken").utf8)
    let positions = try OBJGeometry.positions(of: bytes, named: "a.obj", atMost: 3)
    #expect(positions.count == 3 && positions[2].x == 1)
    #expect(throws: MorphableModelError.self) {
      try OBJGeometry.positions(of: bytes, named: "a.obj", atMost: 5)
    }
  }

  @Test func aPartKeepsWhatStandsOnItsVerticesAlone() throws {
    let whole = try read(
      square + "v 9 9 9\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.5\n"
        + "f 1/4 2/2 5/3\nf 1/4 2/2 3/3\nf 1/4 3/3 4/1")
    let part = whole.part(ofFirst: 4)
    #expect(part.positions.count == 4 && triangles(part) == [[0, 1, 2], [0, 2, 3]])
    #expect(part.texture?.triangles.count == 2)
  }

  @Test func everyCutAndDamagedFileIsReadOrRefused() throws {
    let text = square + "vt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf -1 -2 -3 -4\n"
    let bytes = Array(text.utf8)
    for length in 0..<bytes.count { check(Array(bytes.prefix(length))) }
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      var damaged = bytes
      damaged[Int(generator.uniform() * Double(bytes.count - 1))] = UInt8(generator.next() & 0xFF)
      check(damaged)
    }
  }

  private func check(_ bytes: [UInt8]) {
    do throws(MorphableModelError) {
      let geometry = try OBJGeometry(bytes, named: "a.obj")
      let count = UInt32(geometry.positions.count)
      #expect(geometry.triangles.allSatisfy { $0.maximum < count })
      #expect(geometry.positions.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
    } catch {
      #expect(error.place.hasPrefix("a.obj"))
    }
  }
}
