import Foundation
import PlumblineInference
import PlumblineRecordings
import PlumblineTestSupport
import Testing

@Suite struct ModelBundleTests {
  @Test func otherFilesAreRefused() {
    for bytes in [[], [0], [0, 0, 0], Array("PK".utf8), Array("no bundle at all".utf8)]
      as [[UInt8]]
    {
      let error = #expect(throws: InferenceError.self) {
        try ModelBundle(ModelFile(name: "a.task", bytes: bytes))
      }
      #expect(error?.reason == .malformed)
      let mismatch = #expect(throws: InferenceError.self) {
        try FaceModel.file(from: ModelFile(name: "a.task", bytes: bytes))
      }
      #expect(mismatch?.reason == .mismatch)
    }
  }

  /// An archive that holds nothing of what was requested.
  @Test func aBundleWithoutTheNetworkSaysSo() throws {
    let bundle = try ModelBundle(ModelFile(name: "b.task", bytes: archive(["other"])))
    #expect(bundle.partNames == ["other"])
    for part in ["face_detector.tflite", "../other", "other"] {
      let error = #expect(throws: InferenceError.self) { try bundle.network(named: part) }
      #expect(error?.reason == .malformed)
    }
  }

  @Test func tooManyPartsAreRefused() throws {
    let names = (0...ModelBundle.maximumPartCount).map { "part\($0)" }
    #expect(throws: InferenceError.self) {
      try ModelBundle(ModelFile(name: "many.task", bytes: archive(names)))
    }
  }

  @Test func anArchiveThatWasCutOffIsNoBundle() throws {
    let bytes = try archive(["a", "b"])
    for count in 0..<bytes.count {
      #expect(throws: InferenceError.self, "\(count) bytes") {
        let bundle = try ModelBundle(
          ModelFile(name: "cut.task", bytes: Array(bytes.prefix(count))))
        _ = try bundle.network(named: "a")
      }
    }
  }

  private func archive(_ names: [String]) throws -> [UInt8] {
    let output = MemoryOutput()
    var writer = ZIPWriter(file: try output.makeFile("a"))
    for name in names { try writer.add(name, Array("content of \(name)".utf8)) }
    try writer.finish()
    return try output.folder.bytes(of: "a")
  }

  private func real() throws -> ModelFile { try ModelFile(path: try #require(RealFaceModel.path)) }

  @Test(.enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"))
  func theRealFileHasItsNetworks() throws {
    let file = try FaceModel.file(from: real())
    #expect(file.bytes.count == FaceModel.byteCount && file.name == FaceModel.fileName)
    let bundle = try ModelBundle(file)
    #expect(bundle.partNames.count == 4)
    for part in bundle.partNames where part.hasSuffix(".tflite") {
      #expect(try bundle.network(named: part).format() == .tflite)
    }
    // The geometry is no network.
    #expect(throws: InferenceError.self) {
      try bundle.network(named: "geometry_pipeline_metadata_landmarks.binarypb")
    }
  }

  @Test(.enabled(if: RealFaceModel.path != nil, "\(RealFaceModel.absence)"))
  func noPartOfTheRealFileIsTakenForTheWhole() throws {
    let bytes = try real().bytes
    for count in ByteDamage.truncations(of: bytes.count, steps: 40) {
      // Networks carry small archives of their own, whose directories a cut may leave at the end.
      #expect(throws: InferenceError.self, "\(count) bytes") {
        let bundle = try ModelBundle(
          ModelFile(name: "cut.task", bytes: Array(bytes.prefix(count))))
        _ = try bundle.network(named: "face_detector.tflite")
      }
    }
    for seed in 0..<10 as Range<UInt64> {
      let damaged = ByteDamage.flipped(bytes, seed: seed)
      guard damaged != bytes else { continue }
      let error = #expect(throws: InferenceError.self) {
        try FaceModel.file(from: ModelFile(name: "damaged.task", bytes: damaged))
      }
      #expect(error?.reason == .mismatch)
      // Read all the same, it ends with a network or a typed error.
      guard let bundle = try? ModelBundle(ModelFile(name: "damaged.task", bytes: damaged)) else {
        continue
      }
      for part in bundle.partNames { _ = try? bundle.network(named: part) }
    }
  }
}
