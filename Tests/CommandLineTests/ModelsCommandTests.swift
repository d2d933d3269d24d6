import Foundation
import PlumblineTestSupport
import Testing

@Suite struct ModelsCommandTests {
  /// A store of this test alone, and no runtime.
  private func environment(_ folder: TemporaryFolder) -> [String: String] {
    ["PLUMBLINE_MODELS": folder.file("store"), "PLUMBLINE_OPENVINO": ""]
  }

  @Test func anEmptyStoreTellsWhatInstalls() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun(["models"], environment: environment(folder))
    #expect(run.status == 0 && run.message.isEmpty)
    for part in [
      "plumbline models install", "fastdepth-nyu", "tcmonodepth-small", "fcrn-nyu",
      "plumbline models install face", "Apache-2.0, by the MediaPipe authors",
      "bring the file: plumbline models import fastdepth_nyu_224_f32.onnx",
      "bring the weights, FCRN.mlmodel, FCRNFP16.mlmodel or NYU_ResNet-UpProj.npy, and run: ",
      "Tools/convert-model WEIGHTS -o fcrn-nyu.onnx",
      "(MIT) and run: plumbline models import ICT-FaceKit",
      "the license restricts the use: accept it with --accept-license",
      "no checksum is known: compare it yourself, then give it as --sha256",
    ] {
      #expect(run.text.contains(part), "\(part)")
    }
    #expect(run.text.components(separatedBy: "no checksum is known").count == 4)
    let document = try CommandRun(
      ["models", "list", "--json"], environment: environment(folder)
    ).document()
    #expect(document["schema"] as? String == "plumbline.models/1")
    #expect((document["runtime"] as? [String: Any])?["installed"] as? Bool == false)
    #expect(try folder.names().isEmpty)
  }

  @Test func whatIsNotInstalledOrNotAModelEndsClearly() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("no model".utf8), at: "a.onnx")
    try folder.put(Array("PK\u{3}\u{4}".utf8), at: "b.whl")
    let runs: [([String], Int32)] = [
      (["models", "show", "nobody"], 66), (["models", "remove", "openvino"], 66),
      (["models", "import", folder.file("a.onnx")], 65),
      (["models", "import", folder.file("absent.onnx")], 66),
      (["models", "install", "--from", folder.file("b.whl")], 65),
      (["models", "install", "--from", folder.file("absent.whl")], 66),
      (["models", "install", "fastdepth-nyu"], 66), (["models", "show", "face"], 66),
      (["models", "install", "face", "--from", folder.file("b.whl")], 65),
    ]
    for (arguments, status) in runs {
      let run = try CommandRun(arguments, environment: environment(folder))
      #expect(run.status == status, "\(arguments): \(run.message)")
      #expect(run.message.contains("plumbline: "), "\(arguments)")
      #expect(!run.message.contains("\(arguments[2]): \(arguments[2]): "), "\(run.message)")
      #expect(!FileManager.default.fileExists(atPath: folder.file("store/runtime")))
      #expect(!FileManager.default.fileExists(atPath: folder.file("store/models")))
    }
    let two = ["models", "install", "face", "openvino", "--from", folder.file("b.whl")]
    #expect(try CommandRun(two, environment: environment(folder)).status == 64)
  }

  @Test func aFaultOfACardNamesItsFile() throws {
    let folder = try TemporaryFolder()
    try folder.put(Array("no model".utf8), at: "a.onnx")
    try folder.put(Array("no card".utf8), at: "bad.json")
    try folder.put(SampleCapture.colorOnly(), at: "a.jpg")
    let card = ["--card", folder.file("bad.json")]
    let imported = try CommandRun(
      ["models", "import", folder.file("a.onnx")] + card, environment: environment(folder))
    #expect(imported.status == 65)
    #expect(
      imported.message.contains("plumbline: \(folder.file("bad.json")): "), "\(imported.message)")
    let estimated = try CommandRun(
      [
        "estimate", folder.file("a.jpg"), "--network", folder.file("a.onnx"), "--json", "-o",
        folder.file("out"),
      ] + card, environment: environment(folder))
    #expect(estimated.status == 65)
    #expect(try estimated.document()["file"] as? String == folder.file("bad.json"))
  }

  @Test func whatMustBeConvertedSaysByWhat() throws {
    let folder = try TemporaryFolder()
    // The begin of a Core ML neuralNetwork without layers, and of an array of NumPy.
    try folder.put([0x08, 0x01, 0xA2, 0x1F, 0x00], at: "a.mlmodel")
    try folder.put([0x93] + Array("NUMPY".utf8) + [1, 0], at: "b.npy")
    for (name, word) in [("a.mlmodel", "a Core ML network"), ("b.npy", "an array of NumPy")] {
      let run = try CommandRun(
        ["models", "import", folder.file(name)], environment: environment(folder))
      #expect(run.status == 65, "\(run.message)")
      for part in [name, word, "convert it to ONNX", "Tools/convert-model FILE -o model.onnx"] {
        #expect(run.message.contains(part), "\(run.message)")
      }
      #expect(!FileManager.default.fileExists(atPath: folder.file("store/models")))
    }
  }

  @Test(.enabled(if: RealModels.folder != nil, "\(RealModels.absence)"))
  func aModelIsImportedShownAndRemoved() throws {
    let folder = try TemporaryFolder()
    let path = try #require(RealModels.folder).appending(path: "tcmonodepth_small_192x320.onnx")
      .path
    let variables = environment(folder)
    let imported = try CommandRun(["models", "import", path], environment: variables)
    #expect(imported.status == 0, "\(imported.message)")
    #expect(imported.text.hasPrefix("tcmonodepth-small: 790459 bytes, license MIT"))
    #expect(try CommandRun(["models", "import", path], environment: variables).status == 73)
    let shown = try CommandRun(
      ["models", "show", "tcmonodepth-small"], environment: variables
    ).document()
    #expect(shown["schema"] as? String == "plumbline.model/1")
    let removed = try CommandRun(
      ["models", "remove", "tcmonodepth-small"], environment: variables)
    #expect(removed.status == 0)
    #expect(
      try CommandRun(["models"], environment: variables).text.contains("not installed; bring"))
  }

  @Test(.enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"))
  func theFaceModelIsInstalledFromTheDisk() throws {
    let folder = try TemporaryFolder()
    let variables = environment(folder)
    let path = try #require(RealFaceModel.path)
    let installed = try CommandRun(
      ["models", "install", "face", "--from", path], environment: variables)
    #expect(installed.status == 0, "\(installed.message)")
    #expect(installed.message.contains("license Apache-2.0, by the MediaPipe authors"))
    let list = try CommandRun(["models", "list", "--json"], environment: variables).document()
    let faces = (list["models"] as? [[String: Any]])?.filter { $0["kind"] as? String == "face" }
    #expect(faces?.count == 1 && faces?.first?["installed"] as? Bool == true)
    let shown = try CommandRun(["models", "show", "face"], environment: variables).document()
    #expect(shown["schema"] as? String == "plumbline.face-model/1")
    let removed = try CommandRun(["models", "remove", "face"], environment: variables)
    #expect(removed.status == 0)
  }
}
