import PlumblineIO

/// The metadata of an ONNX file, read without any runtime.
///
/// - Source: onnx/onnx, `onnx.proto` (IR version 13), and *Open Neural Network Exchange Intermediate
///   Representation Specification*.
package struct ONNXModel: Sendable, Hashable {
  /// Limits that keep a hostile file from costing more than its size.
  enum Limit {
    /// Nodes and attributes; the largest depth models have some 5,000 nodes.
    static let entries = 1_000_000
    /// Graphs inside graphs, as branches have them.
    static let depth = 8
    /// Dimensions of a tensor.
    static let rank = 16
    /// Numbers of one tensor, as many as OpenVINO is given of one.
    static let elements = 1 << 31
  }

  /// The version of the format.
  package internal(set) var irVersion = 0
  /// The version of the default operators.
  package internal(set) var opset = 0
  /// The program that wrote it.
  package internal(set) var producer = ""
  /// The inputs that a run must give; those with a default are left out.
  package internal(set) var inputs: [TensorDescription] = []
  /// The outputs.
  package internal(set) var outputs: [TensorDescription] = []
  /// The count of each operator, those of branches included.
  package internal(set) var operatorCounts: [String: Int] = [:]
  /// The numbers of all stored tensors.
  package internal(set) var parameterCount = 0
}

extension ONNXModel {
  /// Reads and checks a file whole: every message, each tensor's size against its data, and that each
  /// node takes what exists before it.
  ///
  /// What other files hold (`external_data`) is refused: a model is one file here.
  ///
  /// - Throws: `.malformed` with the position, `.unsupported`. Cost: one pass over the file.
  package init(_ bytes: [UInt8]) throws(InferenceError) {
    var reader = ONNXReader()
    try reader.readModel(bytes[...])
    self = reader.model
  }
}

/// Reads an ONNX file; holds what is counted against limits.
struct ONNXReader {
  var model = ONNXModel()
  private var entries = 0

  mutating func readModel(_ bytes: ArraySlice<UInt8>) throws(InferenceError) {
    var reader = ProtobufReader(bytes)
    var graph: ArraySlice<UInt8>?
    var opset: Int?
    while let field = try reader.next() {
      switch field.number {
      case 1: model.irVersion = try field.integer("the version of the format")
      case 2: model.producer = printable(text: try field.text("the producer's name"))
      case 7:
        guard graph == nil else { throw duplicate("graph", field) }
        graph = try field.bytes("the graph")
      case 8:
        let (domain, version) = try operatorSet(try field.bytes("a set of operators"))
        if domain.isEmpty || domain == "ai.onnx" { opset = version }
      case 25:
        try count()
        try readFunction(try field.bytes("a function"))
      default: break
      }
    }
    guard (1...64).contains(model.irVersion) else {
      throw InferenceError(
        .malformed, "ir_version", expected: "1 to 64, as ONNX files have it",
        found: "\(model.irVersion)")
    }
    guard let graph else {
      throw InferenceError(.malformed, "graph", expected: "a network", found: "none")
    }
    guard let opset, (1...100).contains(opset) else {
      throw InferenceError(
        .malformed, "opset_import", expected: "a version of the operators from 1 to 100",
        found: opset.map { "\($0)" } ?? "none")
    }
    model.opset = opset
    do throws(InferenceError) { try readGraph(graph, around: [], depth: 0) } catch {
      throw error.inside("graph")
    }
  }

  private func operatorSet(
    _ bytes: ArraySlice<UInt8>
  ) throws(InferenceError) -> (domain: String, version: Int) {
    var reader = ProtobufReader(bytes)
    var (domain, version) = ("", 0)
    while let field = try reader.next() {
      if field.number == 1 { domain = try field.text("a domain") }
      if field.number == 2 { version = try field.integer("a version") }
    }
    return (domain, version)
  }

  /// Reads a graph; `names` are those that graphs around it define.
  private mutating func readGraph(
    _ bytes: ArraySlice<UInt8>, around names: Set<String>, depth: Int
  ) throws(InferenceError) {
    guard depth <= ONNXModel.Limit.depth else {
      throw InferenceError(
        .malformed, "", expected: "at most \(ONNXModel.Limit.depth) graphs inside each other",
        found: "more")
    }
    var nodes: [ArraySlice<UInt8>] = []
    var inputs: [TensorDescription] = []
    var outputs: [TensorDescription] = []
    var constants: Set<String> = []
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1: nodes.append(try field.bytes("a node"))
      case 5:
        let tensor = try readTensor(try field.bytes("a stored tensor"))
        constants.insert(tensor)
      case 11: inputs.append(try valueInfo(try field.bytes("an input"), isBorder: depth == 0))
      case 12: outputs.append(try valueInfo(try field.bytes("an output"), isBorder: false))
      case 13: _ = try valueInfo(try field.bytes("a value's type"), isBorder: false)
      case 15:
        throw InferenceError(
          .unsupported, "sparse_initializer", expected: "dense tensors", found: "a sparse one")
      default: break
      }
      try count()
    }
    var known = names.union(constants).union(inputs.map(\.name))
    for (index, node) in nodes.enumerated() {
      do throws(InferenceError) { try readNode(node, &known, depth: depth) } catch {
        throw error.inside("node \(index)")
      }
    }
    for output in outputs where !known.contains(output.name) {
      throw InferenceError(
        .malformed, "output \(printable(text: output.name))", expected: "the result of a node",
        found: "no such name")
    }
    if depth == 0 {
      guard !outputs.isEmpty else {
        throw InferenceError(.malformed, "", expected: "an output", found: "none")
      }
      model.inputs = inputs.filter { !constants.contains($0.name) }
      model.outputs = outputs
    }
  }

  private mutating func readNode(
    _ bytes: ArraySlice<UInt8>, _ known: inout Set<String>, depth: Int
  ) throws(InferenceError) {
    var type = ""
    var results: [String] = []
    var attributes: [ArraySlice<UInt8>] = []
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 1:
        let name = try field.text("an input's name")
        // An empty name stands for an optional input that is left out.
        guard name.isEmpty || known.contains(name) else {
          throw InferenceError(
            .malformed, "input \(printable(text: name))",
            expected: "a value that exists before the node", found: "no such name")
        }
      case 2: results.append(try field.text("a result's name"))
      case 4: type = printable(text: try field.text("an operator's name"))
      case 5: attributes.append(try field.bytes("an attribute"))
      default: break
      }
      try count()
    }
    guard !type.isEmpty else {
      throw InferenceError(.malformed, "op_type", expected: "an operator", found: "none")
    }
    model.operatorCounts[type, default: 0] += 1
    for attribute in attributes {
      do throws(InferenceError) { try readAttribute(attribute, known, depth: depth) } catch {
        throw error.inside("\(type)/attribute")
      }
    }
    known.formUnion(results)
  }

  private mutating func readAttribute(
    _ bytes: ArraySlice<UInt8>, _ known: Set<String>, depth: Int
  ) throws(InferenceError) {
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      switch field.number {
      case 5, 10: _ = try readTensor(try field.bytes("a tensor"))
      case 6, 11: try readGraph(try field.bytes("a graph"), around: known, depth: depth + 1)
      case 7: _ = try field.countOfNumbers(width: 4, "floats")
      case 8: _ = try field.countOfNumbers(width: nil, "whole numbers")
      case 22, 23:
        throw InferenceError(
          .unsupported, "sparse_tensor", expected: "dense tensors", found: "a sparse one")
      default: break
      }
      try count()
    }
  }

  /// A function's nodes, which take its inputs and each other's results.
  private mutating func readFunction(_ bytes: ArraySlice<UInt8>) throws(InferenceError) {
    var known: Set<String> = []
    var nodes: [ArraySlice<UInt8>] = []
    var reader = ProtobufReader(bytes)
    while let field = try reader.next() {
      if field.number == 4 { known.insert(try field.text("an input's name")) }
      if field.number == 7 { nodes.append(try field.bytes("a node")) }
      try count()
    }
    for node in nodes { try readNode(node, &known, depth: 1) }
  }

  private mutating func readTensor(_ bytes: ArraySlice<UInt8>) throws(InferenceError) -> String {
    let tensor = try ONNXTensorHeader(bytes)
    let (sum, overflow) = model.parameterCount.addingReportingOverflow(tensor.elementCount)
    guard !overflow else {
      throw InferenceError(.malformed, "", expected: "fewer numbers", found: "too many")
    }
    model.parameterCount = sum
    return tensor.name
  }

  private mutating func count() throws(InferenceError) {
    entries += 1
    guard entries <= ONNXModel.Limit.entries else {
      throw InferenceError(
        .malformed, "", expected: "at most \(ONNXModel.Limit.entries) entries", found: "more")
    }
  }

  private func duplicate(_ what: String, _ field: ProtobufReader.Field) -> InferenceError {
    InferenceError(.malformed, "byte \(field.offset)", expected: "one \(what)", found: "two")
  }
}
