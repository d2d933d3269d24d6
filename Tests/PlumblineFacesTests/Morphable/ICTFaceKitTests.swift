import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

/// The importer on a folder of made-up vertices.
@Suite struct ICTFaceKitTests {
  /// Files of a folder by name; vertices are at (i, 0, 0) centimeters, moved by a file's own shift.
  private func files(extra: Int = 5, modes: [(name: String, shift: Int)]) -> [String: [UInt8]] {
    func text(shift: Int, count: Int) -> String {
      (0..<count).map { "v \($0) \(shift * ($0 % 7)) 0\n" }.joined()
    }
    let count = ICTFaceKit.vertexCount
    let mean =
      text(shift: 0, count: count + extra) + "f 1 2 3 4\nf 1 2 \(count + 1)\nf 9407 9408 9409\n"
    var files = [ICTFaceKit.meanFile: Array(mean.utf8)]
    for mode in modes {
      files[mode.name + ".obj"] = Array(text(shift: mode.shift, count: count).utf8)
    }
    return files
  }

  private func model(_ files: [String: [UInt8]]) throws -> MorphableModel {
    try ICTFaceKit.model(amongFiles: files.keys.sorted()) { try #require(files[$0]) }
  }

  @Test func aFolderBecomesAModel() throws {
    let model = try model(
      files(modes: [
        ("identity000", 1), ("identity001", 2), ("identity003", 4), ("mouthSmile_L", 3),
        ("PupilDilate_L", 9), ("jawOpen", 5),
      ]))
    #expect(model.name == "ict-facekit" && model.license.hasPrefix("MIT"))
    #expect(model.vertexCount == 9409)
    // What follows a number that is missing is not looked for; pupils are no part of the face.
    #expect(model.identityCount == 2 && model.expressionNames == ["jawOpen", "mouthSmile_L"])
    // The face with a vertex beyond the first 9409 is left out.
    #expect(model.triangles.count == 3)
    #expect(abs(model.mean[100].x - 1) < 1e-6)
    var shape = FaceShape(restingIn: model)
    shape.identity[1] = 1
    shape.expression[0] = 1
    // 2 + 5 centimeters for each of the six parts of 7.
    #expect(abs(model.positions(of: shape)[6].y - 0.42) < 1e-6)
  }

  @Test func namesOfFiles() {
    #expect(ICTFaceKit.identityFile(0) == "identity000.obj")
    #expect(ICTFaceKit.identityFile(42) == "identity042.obj")
    #expect(ICTFaceKit.identityFile(123) == "identity123.obj")
    #expect(
      ICTFaceKit.expressionNames(amongFiles: [
        "mouthSmile_L.obj", "._jawOpen.obj", "jawOpen.obj", "identity000.obj", "notes.txt",
        "generic_neutral_mesh.obj",
      ]) == ["jawOpen", "mouthSmile_L"])
  }

  @Test func foldersThatLackSomethingAreRefused() throws {
    let sound: [(name: String, shift: Int)] = [("identity000", 1), ("jawOpen", 5)]
    _ = try model(files(modes: sound))
    func error(_ files: [String: [UInt8]]) -> MorphableModelError? {
      #expect(throws: MorphableModelError.self) { try model(files) }
    }
    var broken = files(modes: sound)
    broken[ICTFaceKit.meanFile] = nil
    #expect(error(broken)?.expected.contains("generic_neutral_mesh.obj") == true)
    #expect(error(files(modes: [("jawOpen", 5)])) != nil)
    #expect(error(files(modes: [("identity000", 1)])) != nil)
    #expect(error(files(extra: -1, modes: sound))?.place == ICTFaceKit.meanFile + ", line 9410")
    broken = files(modes: sound)
    broken["jawOpen.obj"] = Array("v 0 0 0\n".utf8)
    #expect(error(broken)?.place == "jawOpen.obj")
    broken["jawOpen.obj"] = Array("v 0 0 zero\n".utf8)
    #expect(error(broken)?.place == "jawOpen.obj, line 1")
  }

  @Test func anchorsLieOnTheModel() {
    #expect(ICTFaceKit.anchors.count == FaceLandmarks.meshCount)
    for case let anchor? in ICTFaceKit.anchors {
      #expect(anchor.vertices.min() >= 0 && anchor.vertices.max() < ICTFaceKit.vertexCount)
      #expect(abs(anchor.shares.sum() - 1) < 1e-3 && anchor.shares.min() >= 0)
    }
  }
}
