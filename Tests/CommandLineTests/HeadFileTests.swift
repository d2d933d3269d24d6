import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// The files of a head as foreign readers see them.
@Suite(
  .enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"),
  .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
  .enabled(if: RealData.folder != nil, "\(RealData.absence)"),
  .enabled(if: HeadPoints.arePresent, "no face model: place ../shared/models/face"),
  .enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"),
  .enabled(if: PythonPeer.has("pygltflib"), "\(PythonPeer.absence("pygltflib"))"),
  .enabled(if: PythonPeer.has("pxr"), "\(PythonPeer.absence("pxr"))"))
struct HeadFileTests {
  private static let hasBrowser = FileManager.default.isExecutableFile(
    atPath: ProcessInfo.processInfo.environment["CHROMIUM"] ?? "/usr/bin/chromium")

  /// The head of a photo as the command writes it, in the folder `head`.
  private func writtenHead() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let data = try #require(RealData.folder)
    _ = try PythonPeer.run("ict_face_folder.py", HeadPoints.path, folder.file("ict"))
    let variables = [
      "PLUMBLINE_MODELS": folder.file("store"),
      "PLUMBLINE_OPENVINO": try #require(RealModels.openVINO),
    ]
    for arguments in [
      ["models", "import", folder.file("ict")],
      ["models", "install", "face", "--from", try #require(RealFaceModel.path)],
      [
        "face", data.appending(path: "photos/truedepth_iphone14.heic").path, "-o",
        folder.file("head"),
      ],
    ] {
      let run = try CommandRun(arguments, environment: variables)
      #expect(run.status == 0, "\(run.message)")
    }
    return folder
  }

  @Test func fourReadersFindAClosedHeadThatMoves() throws {
    let folder = try writtenHead()
    let found = try JSONValue(parsing: PythonPeer.run("head_files.py", folder.file("head")))
    let (glb, usdz) = (try #require(found["glb"]), try #require(found["usdz"]))
    let names = glb["names"]?.elements?.compactMap(\.string) ?? []
    #expect(names.count == 51 && !names.contains("tongueOut") && names.contains("jawOpen"))
    #expect(glb["weights"]?.number == 51)
    #expect(usdz["names"]?.elements?.compactMap(\.string) == names)
    for file in [glb, usdz] {
      #expect((file["uvLow"]?.number ?? -1) >= 0 && (file["uvHigh"]?.number ?? 2) <= 1)
    }
    // No shape is empty, neither in positions, meters, nor in normals.
    #expect((glb["leastMove"]?.number ?? 0) > 0.0005, "\(glb)")
    #expect((glb["leastTurn"]?.number ?? 0) > 0.005, "\(glb)")
    #expect((usdz["least"]?.number ?? 0) > 0.0005 && usdz["matched"]?.bool == true)
    // Normals are those of the moved mesh, but for what is rounded.
    #expect((glb["normalMissDegrees"]?.number ?? 90) < 2, "\(glb)")
    let (ply, document) = (try #require(found["ply"]), try #require(found["document"]))
    #expect(ply["watertight"]?.bool == true && ply["windingConsistent"]?.bool == true)
    // A head with its neck has 3 to 8 liters.
    #expect((3...8).contains(ply["volumeLiters"]?.number ?? 0), "\(ply)")
    #expect(document["closed"]?.bool == true)
    #expect(ply["firstInvented"]?.number == document["faceVertices"]?.number)
    let added = (document["vertices"]?.number ?? 0) - (document["faceVertices"]?.number ?? 0)
    #expect(added > 1000 && ply["invented"]?.number == added)
    #expect((ply["leastInventedSigma"]?.number ?? 0) > 0.001)
    #expect(document["missingShapes"]?.elements?.map(\.string) == ["tongueOut"])
    try expectFiveSides(found)
  }

  /// From front, both three-quarter sides, the side and the back one sees the outside alone.
  private func expectFiveSides(_ found: JSONValue) throws {
    let model = try #require(found["open3d"])
    #expect(model["closed"]?.bool == true && model["orientable"]?.bool == true, "\(model)")
    #expect(model["objTriangles"]?.number == model["glbTriangles"]?.number)
    #expect(model["hasTexture"]?.bool == true)
    #expect((0.25...0.4).contains(model["height"]?.number ?? 0), "\(model)")
    let sides = model["sides"]?.elements ?? []
    #expect(sides.count == 5)
    for side in sides {
      // The triangles of the test's face are a rolling ball's, a few of which are turned below the chin.
      #expect((side["outward"]?.number ?? 0) > 0.997, "\(model)")
      #expect((0.3...0.7).contains(side["seen"]?.number ?? 0))
    }
  }

  @Test(
    .enabled(if: PythonPeer.has("nicegui"), "\(PythonPeer.absence("nicegui"))"),
    .enabled(if: PythonPeer.has("playwright"), "\(PythonPeer.absence("playwright"))"),
    .enabled(if: Self.hasBrowser, "no browser: set CHROMIUM"))
  func threeJSLoadsTheHeadWithItsShapes() throws {
    let folder = try writtenHead()
    let model = try JSONValue(
      parsing: PythonPeer.run("three_glb.py", folder.file("head/face-1.glb")))
    #expect(model["meshes"]?.number == 1 && model["weights"]?.number == 51, "\(model)")
    #expect(model["names"]?.elements?.count == 51)
    #expect(model["normalTargets"]?.number == 51 && (model["leastMove"]?.number ?? 0) > 0.0005)
    #expect((model["textureWidth"]?.number ?? 0) >= 512, "\(model)")
    #expect((model["invented"]?.number ?? 0) > 1000)
  }
}
