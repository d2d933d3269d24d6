import PlumblineTestSupport
import Testing

@testable import PlumblineInference

/// Damaged and hostile files end with a typed error before a runtime sees them.
@Suite struct HostileModelTests {
  @Test func aSoundFileSaysWhatItHolds() throws {
    let model = try ONNXModel(SmallNetworks.weighted().bytes)
    #expect(model.opset == 13)
    #expect(model.inputs == [TensorDescription(name: "image", shape: [1, 3, 4, 5])])
    #expect(model.operatorCounts == ["Conv": 1, "Sqrt": 1])
    #expect(model.parameterCount == 3)
  }

  @Test func everyTruncationIsRefused() {
    let bytes = SmallNetworks.weighted().bytes
    for count in 0..<bytes.count {
      #expect(throws: InferenceError.self, "\(count) bytes") {
        try ModelFile(name: "cut.onnx", bytes: Array(bytes.prefix(count))).check()
      }
    }
  }

  @Test func damagedBytesNeverTrap() {
    let bytes = SmallNetworks.weighted().bytes
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<3000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        damaged[Int.random(in: damaged.indices, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      let file = ModelFile(name: "damaged.onnx", bytes: damaged)
      do throws(InferenceError) { try file.check() } catch {
        #expect(error.reason == .malformed || error.reason == .unsupported)
      }
    }
  }

  @Test func dataInOtherFilesAreRefused() {
    var tensor = ProtobufWriter()
    tensor.integer(1, 3)
    tensor.integer(2, 1)
    tensor.text(8, "weights")
    tensor.integer(14, 1)
    expect(.unsupported, "external_data", of: model(tensor: tensor))
  }

  @Test func aTensorLargerThanItsDataIsRefused() {
    for lengths in [[4], [Int.max, Int.max], [-1], [1 << 40]] {
      var tensor = ProtobufWriter()
      for length in lengths { tensor.integer(1, length) }
      tensor.integer(2, 1)
      tensor.text(8, "weights")
      tensor.data(9, [UInt8](repeating: 0, count: 12))
      expect(.malformed, "", of: model(tensor: tensor))
    }
  }

  @Test func aNodeThatTakesWhatDoesNotExistIsRefused() {
    var graph = ONNXGraphWriter()
    graph.input("image", shape: [1])
    graph.node("Sqrt", ["picture"], output: "depth")
    graph.outputOfOpenShape("depth")
    expect(.malformed, "", of: graph.bytes(name: "odd"))
  }

  @Test func graphsInsideGraphsHaveALimit() {
    // Each graph holds a node whose attribute holds the next.
    var inner = ProtobufWriter()
    for _ in 0..<4000 {
      var attribute = ProtobufWriter()
      attribute.text(1, "g")
      attribute.message(6, inner)
      var node = ProtobufWriter()
      node.text(4, "If")
      node.message(5, attribute)
      inner = ProtobufWriter()
      inner.message(1, node)
    }
    var operators = ProtobufWriter()
    operators.integer(2, 13)
    var file = ProtobufWriter()
    file.integer(1, 8)
    file.message(8, operators)
    file.message(7, inner)
    expect(.malformed, "", of: file.bytes)
  }

  @Test func otherKindsOfFilesAreNamed() {
    let files: [([UInt8], String)] = [
      ([], "empty"), (Array("PK\u{3}\u{4}".utf8), "ZIP"), ([0x89] + Array("HDF".utf8), "HDF5"),
      (Array("<?xml version".utf8), "XML"), ([0x80, 0x02, 0x63], "pickle"),
    ]
    for (bytes, word) in files {
      let error = #expect(throws: InferenceError.self) {
        try ModelFile(name: "odd", bytes: bytes).check()
      }
      #expect(error?.found.contains(word) == true, "\(error?.found ?? "")")
    }
  }

  @Test func aTFLiteFileIsCheckedBeforeItIsRun() {
    var generator = SeededGenerator(seed: 5)
    for count in 8..<200 {
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...8, using: &generator) }
      bytes.replaceSubrange(4..<8, with: Array("TFL3".utf8))
      #expect(throws: InferenceError.self) {
        try ModelFile(name: "odd.tflite", bytes: bytes).check()
      }
    }
  }

  @Test func whatMustBeConvertedIsNamed() throws {
    var coreML = ProtobufWriter()
    coreML.integer(1, 1)
    coreML.message(500, ProtobufWriter())
    let files: [([UInt8], ModelFormat, String)] = [
      (coreML.bytes, .coreML, "a Core ML network"),
      ([0x93] + Array("NUMPY".utf8), .npy, "an array of NumPy"),
    ]
    for (bytes, format, word) in files {
      let file = ModelFile(name: "odd", bytes: bytes)
      #expect(try file.format() == format)
      let error = #expect(throws: InferenceError.self) { try file.check() }
      #expect(error?.reason == .unsupported && error?.need == .conversion)
      #expect(error?.found.hasPrefix(word) == true, "\(error?.found ?? "")")
    }
  }

  @Test func theFirstNetworkIsWhatItsWriterWrites() {
    var graph = ONNXGraphWriter()
    graph.input("a", shape: WarmUpNetwork.shape)
    graph.node("Add", ["a", "a"], output: "b")
    graph.outputOfOpenShape("b")
    #expect(WarmUpNetwork.onnx.bytes == graph.bytes(name: "warm-up"))
  }

  /// A file with one stored tensor.
  private func model(tensor: ProtobufWriter) -> [UInt8] {
    var graph = ProtobufWriter()
    graph.message(5, tensor)
    var operators = ProtobufWriter()
    operators.integer(2, 13)
    var file = ProtobufWriter()
    file.integer(1, 8)
    file.message(8, operators)
    file.message(7, graph)
    return file.bytes
  }

  private func expect(_ reason: InferenceError.Reason, _ word: String, of bytes: [UInt8]) {
    let error = #expect(throws: InferenceError.self) {
      try ModelFile(name: "odd.onnx", bytes: bytes).check()
    }
    #expect(error?.reason == reason, "\(error.map { "\($0)" } ?? "")")
    #expect(word.isEmpty || error?.found.contains(word) == true, "\(error?.found ?? "")")
  }
}
