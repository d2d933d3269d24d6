import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// The packed points of ICT-FaceKit's face, beside the data.
enum HeadPoints {
  static let path =
    RealData.folder?.deletingLastPathComponent()
    .appending(path: "models/face/ict_face9409.npz").path ?? ""
  static let arePresent = FileManager.default.fileExists(atPath: path)
}

/// The textures of a head that is fitted to a photo in Display P3.
@Suite(
  .enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"),
  .enabled(if: RealModels.openVINO != nil, "\(RealModels.runtimeAbsence)"),
  .enabled(if: RealData.folder != nil, "\(RealData.absence)"),
  .enabled(if: HeadPoints.arePresent, "no face model: place ../shared/models/face"),
  .enabled(if: PythonPeer.has("PIL"), "\(PythonPeer.absence("PIL"))"),
  .enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"))
struct WideColorFaceTests {
  /// The mean differences of the textures of two folders, in codes, for each kind of file.
  private static func differences(_ one: String, _ other: String) throws -> [String: [Double]] {
    let answer = try PythonPeer.run("face_wide_colors.py", "compare", one, other)
    var found: [String: [Double]] = [:]
    for line in String(decoding: answer, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      try #require(words.count == 5)
      // glTF and USD take a texture without a profile as sRGB.
      #expect(words[1] == "none")
      found[String(words[0])] = words.dropFirst(2).compactMap { Double($0) }
    }
    return found
  }

  @Test func texturesAreInSRGB() throws {
    let folder = try TemporaryFolder()
    let data = try #require(RealData.folder)
    _ = try PythonPeer.run("ict_face_folder.py", HeadPoints.path, folder.file("ict"))
    let profile = try #require(PhotoColorSpace(primaries: 12, transfer: 13).iccProfile)
    try folder.put(profile, at: "p3.icc")
    _ = try PythonPeer.run(
      "face_wide_colors.py", "make", data.appending(path: "faces/astronaut.png").path,
      folder.file("p3.icc"), folder.file("srgb.jpg"), folder.file("p3.jpg"),
      folder.file("untagged.jpg"))
    let variables = [
      "PLUMBLINE_MODELS": folder.file("store"),
      "PLUMBLINE_OPENVINO": try #require(RealModels.openVINO),
    ]
    var runs = [
      ["models", "import", folder.file("ict")],
      ["models", "install", "face", "--from", try #require(RealFaceModel.path)],
    ]
    for name in ["srgb", "p3", "untagged"] {
      // Light that is divided out depends on which pixels count as skin; the colors are those of the photo.
      runs.append([
        "face", folder.file("\(name).jpg"), "-o", folder.file(name), "--keep-light",
      ])
    }
    for arguments in runs {
      let run = try CommandRun(arguments, environment: variables)
      #expect(run.status == 0, "\(run.message)")
    }
    let same = try Self.differences(folder.file("srgb"), folder.file("p3"))
    let other = try Self.differences(folder.file("srgb"), folder.file("untagged"))
    for kind in ["glb", "usdz"] {
      let (converted, unconverted) = try (#require(same[kind]), #require(other[kind]))
      // Measured: 0.2 codes, from two JPEG encodings and slightly other landmarks; 3 codes without
      // a conversion.
      #expect(converted.allSatisfy { abs($0) < 0.6 }, "\(kind): \(converted)")
      #expect(unconverted.contains { abs($0) > 2 }, "\(kind) shows nothing: \(unconverted)")
    }
  }
}
