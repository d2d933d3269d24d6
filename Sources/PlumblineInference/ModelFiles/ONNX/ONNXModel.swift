/// The metadata of an ONNX file, read without any runtime.
///
/// - Source: onnx/onnx, `onnx.proto` (IR version 13), and *Open Neural Network Exchange Intermediate
///   Representation Specification*.
public struct ONNXModel: Sendable, Hashable {
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
  public internal(set) var irVersion = 0
  /// The version of the default operators.
  public internal(set) var opset = 0
  /// The program that wrote it.
  public internal(set) var producer = ""
  /// The inputs that a run must give; those with a default are left out.
  public internal(set) var inputs: [TensorDescription] = []
  /// The outputs.
  public internal(set) var outputs: [TensorDescription] = []
  /// The count of each operator, those of branches included.
  public internal(set) var operatorCounts: [String: Int] = [:]
  /// The numbers of all stored tensors.
  public internal(set) var parameterCount = 0
}
