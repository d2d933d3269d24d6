import Foundation
import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite struct FaceCommandTests {
  /// A store of this test alone.
  private func environment(
    _ folder: TemporaryFolder, runtime: String = ""
  ) -> [String: String] {
    ["PLUMBLINE_MODELS": folder.file("store"), "PLUMBLINE_OPENVINO": runtime]
  }

  /// An image of color gradients without a face.
  private func image() throws -> [UInt8] {
    let raster = Raster<RGB8>(size: RasterSize(width: 96, height: 72)) { x, y in
      RGB8(red: UInt8(2 * x), green: UInt8(3 * y), blue: UInt8(x + y))
    }
    return PNGEncoder().encoded(raster)
  }

  /// A folder as ICT-FaceKit has it, of made-up vertices: one mode, one expression, one triangle.
  static func putFace(in folder: TemporaryFolder, at name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file(name), withIntermediateDirectories: true)
    for (file, shift) in [("generic_neutral_mesh", 0), ("identity000", 1), ("jawOpen", 2)] {
      var text = (0..<9409).map { "v \($0 % 97) \($0 / 97 + shift) \($0 % 13)\n" }.joined()
      if shift == 0 { text += "f 1 2 98\n" }
      try folder.put(Array(text.utf8), at: "\(name)/\(file).obj")
    }
  }

  @Test func withoutModelsItTellsWhatInstallsThem() throws {
    let folder = try TemporaryFolder()
    try folder.put(try image(), at: "photo.png")
    let run = try CommandRun(["face", folder.file("photo.png")], environment: environment(folder))
    #expect(run.status == 66 && run.output.isEmpty, "\(run.message)")
    #expect(run.message.contains("plumbline models import ICT-FaceKit"), "\(run.message)")
    // With the morphable model alone, the networks are missing next.
    try Self.putFace(in: folder, at: "ICT-FaceKit/FaceXModel")
    let imported = try CommandRun(
      ["models", "import", folder.file("ICT-FaceKit")], environment: environment(folder))
    #expect(imported.status == 0, "\(imported.message)")
    #expect(imported.text.hasPrefix("ict-facekit: 9409 vertices, 1 identities, 1 expressions"))
    let next = try CommandRun(["face", folder.file("photo.png")], environment: environment(folder))
    #expect(next.status == 66)
    #expect(next.message.contains("plumbline models install face"), "\(next.message)")
  }

  @Test func aFolderThatIsNoFaceIsRefused() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("other"), withIntermediateDirectories: false)
    try folder.put(Array("v 0 0 0\n".utf8), at: "other/identity000.obj")
    let run = try CommandRun(
      ["models", "import", folder.file("other")], environment: environment(folder))
    #expect(run.status == 65, "\(run.message)")
    #expect(run.message.contains("generic_neutral_mesh.obj"), "\(run.message)")
    try folder.put(Array("v 0 0 zero\n".utf8), at: "other/generic_neutral_mesh.obj")
    let broken = try CommandRun(
      ["models", "import", folder.file("other")], environment: environment(folder))
    #expect(broken.status == 65)
    #expect(broken.message.contains("generic_neutral_mesh.obj, line 1"), "\(broken.message)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("store/models/ict-facekit")))
  }

  @Test func aModelOfAFolderIsKeptUnlessForced() throws {
    let folder = try TemporaryFolder()
    try Self.putFace(in: folder, at: "face")
    let variables = environment(folder)
    let arguments = ["models", "import", folder.file("face")]
    #expect(try CommandRun(arguments, environment: variables).status == 0)
    #expect(try CommandRun(arguments, environment: variables).status == 73)
    #expect(try CommandRun(arguments + ["--force"], environment: variables).status == 0)
  }

  @Test(arguments: ["12", "1:2:3", "1:-4", "a:b", "1:", ""])
  func twoVerticesAreTwoNumbers(_ argument: String) throws {
    let run = try CommandRun(["face", "photo.heic", "--between", argument])
    #expect(run.status == 64 && run.message.contains("1200:4310"), "\(run.message)")
  }

  @Test(
    .enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"),
    .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"))
  func aPhotoWithoutAFaceEndsWithOne() throws {
    let folder = try TemporaryFolder()
    let variables = environment(folder, runtime: try #require(RealModels.openVINO))
    try Self.putFace(in: folder, at: "face")
    try folder.put(try image(), at: "photo.png")
    for arguments in [
      ["models", "import", folder.file("face")],
      ["models", "install", "face", "--from", try #require(RealFaceModel.path)],
    ] {
      let run = try CommandRun(arguments, environment: variables)
      #expect(run.status == 0, "\(run.message)")
    }
    let run = try CommandRun(
      ["face", folder.file("photo.png"), "--json"], environment: variables)
    #expect(run.status == 1, "\(run.message)")
    let document = try run.document()
    #expect(document["schema"] as? String == "plumbline.face/1")
    #expect((document["faces"] as? [Any])?.isEmpty == true)
    let findings = document["findings"] as? [[String: Any]] ?? []
    #expect(findings.contains { $0["code"] as? String == "face.none" }, "\(findings)")
    let beyond = try CommandRun(
      ["face", folder.file("photo.png"), "--between", "0:99999"], environment: variables)
    #expect(beyond.status == 64 && beyond.message.contains("vertices below"), "\(beyond.message)")
    let text = try CommandRun(["face", folder.file("photo.png")], environment: variables)
    #expect(text.status == 1 && text.text.contains("face.none"), "\(text.text)")
  }
}
