#if canImport(CoreML)
  internal import CoreML
  internal import Foundation
  internal import PlumblineIO
  internal import PlumblineModel

  /// Core ML on Apple platforms; **untried**, type-checked only.
  ///
  /// It runs models whose inputs are arrays of numbers, and models whose only input is an image in color;
  /// these are ``ImageNetwork``. Outputs are arrays of any number type, or images of one channel.
  ///
  /// - Source: Apple, *Core ML*, `MLModel`, `MLShapedArray`; *Vision*, `VNCoreMLRequest`.
  public struct CoreMLRuntime: InferenceRuntime {
    /// `Core ML`.
    public let name = "Core ML"
    /// The processors that it may use.
    public let computeUnits: ComputeUnits
    /// Who brings images to the size of a model's input.
    public let scaling: ImageScaling

    /// Creates the runtime, which is part of the system.
    ///
    /// - Parameters:
    ///   - computeUnits: The processors; with ``ComputeUnits/cpuOnly`` numbers repeat from run to run.
    ///   - scaling: Who brings images to the size of a model's input.
    public init(computeUnits: ComputeUnits = .all, scaling: ImageScaling = .plumbline) {
      self.computeUnits = computeUnits
      self.scaling = scaling
    }

    /// Loads a model.
    ///
    /// - Parameters:
    ///   - path: A compiled model, a folder `.mlmodelc`. A `.mlmodel` or `.mlpackage` is compiled each time,
    ///     which takes seconds: see ``compiled(at:)``.
    ///   - inputShapes: Compared with the model's own; Core ML fixes none.
    ///   - threads: Left to the system.
    /// - Returns: The network.
    /// - Throws: ``InferenceError``. Cost: the system prepares the model for its processors, seconds for a
    ///   large one the first time.
    public func network(
      at path: String, inputShapes: [[Int]], threads: Int
    ) throws(InferenceError) -> any NeuralNetwork {
      let (network, _) = try loaded(at: path)
      let isAllowed =
        inputShapes.isEmpty
        || inputShapes.count == network.inputs.count
          && zip(network.inputs, inputShapes).allSatisfy { $0.allows($1) }
      guard isAllowed else {
        throw InferenceError(
          .mismatch, printable(text: lastPathPart(path)), expected: "inputs of \(inputShapes)",
          found: network.inputs.map(\.shapeText).joined(separator: " and "))
      }
      return network
    }

    /// Loads a model of which no card is known yet.
    ///
    /// - Parameter path: As for ``network(at:inputShapes:threads:)``.
    /// - Returns: The network, and what the model's description states, of which a card can be made.
    /// - Throws: ``InferenceError``. Cost: as for ``network(at:inputShapes:threads:)``.
    public func loaded(
      at path: String
    ) throws(InferenceError) -> (network: any NeuralNetwork, interface: CoreMLInterface) {
      let fileName = printable(text: lastPathPart(path))
      let model = try Self.model(at: path, computeUnits)
      let interface = CoreMLInterface(model.modelDescription)
      let inputs = try interface.inputTensors(of: fileName)
      let outputs = try interface.outputTensors(of: fileName)
      guard let size = interface.imageSize else {
        return (CoreMLNetwork(model, inputs: inputs, outputs: outputs, name: fileName), interface)
      }
      let network = try CoreMLImageNetwork(
        model, imageSize: size, inputs: inputs, outputs: outputs, scaling: scaling, name: fileName)
      return (network, interface)
    }

    private static func model(
      at path: String, _ units: ComputeUnits
    ) throws(InferenceError) -> MLModel {
      let configuration = MLModelConfiguration()
      configuration.computeUnits = units.coreML
      do {
        var url = URL(filePath: path)
        if ["mlmodel", "mlpackage"].contains(url.pathExtension.lowercased()) {
          url = try MLModel.compileModel(at: url)
        }
        return try MLModel(contentsOf: url, configuration: configuration)
      } catch {
        throw InferenceError(
          .unsupported, printable(text: lastPathPart(path)), expected: "a Core ML model",
          found: "\(error)")
      }
    }

    /// Compiles a model for this device.
    ///
    /// - Parameter path: A `.mlmodel` file or a `.mlpackage` folder that can be read.
    /// - Returns: The compiled model, a folder in a temporary place: move it to keep it.
    /// - Throws: ``InferenceError`` for what is no model. Cost: seconds.
    @concurrent public static func compiled(at path: String) async throws(InferenceError) -> String
    {
      do {
        return try await MLModel.compileModel(at: URL(filePath: path))
          .path(percentEncoded: false)
      } catch {
        throw InferenceError(
          .unsupported, printable(text: lastPathPart(path)),
          expected: "a Core ML model that this device can compile", found: "\(error)")
      }
    }
  }

  extension ComputeUnits {
    var coreML: MLComputeUnits {
      switch self {
      case .all: .all
      case .cpuOnly: .cpuOnly
      case .cpuAndGPU: .cpuAndGPU
      case .cpuAndNeuralEngine: .cpuAndNeuralEngine
      }
    }
  }

  extension CoreMLInterface {
    /// Takes a description apart.
    init(_ description: MLModelDescription) {
      self.init(
        inputs: description.inputDescriptionsByName.map { Port(name: $0, kind: Kind($1)) },
        outputs: description.outputDescriptionsByName.map { Port(name: $0, kind: Kind($1)) })
    }
  }

  extension CoreMLInterface.Kind {
    fileprivate init(_ feature: MLFeatureDescription) {
      if let array = feature.multiArrayConstraint {
        // A list of no lengths, or a length of 0, leaves them open.
        self = .array(array.shape.map { $0.intValue > 0 ? $0.intValue : nil })
      } else if let image = feature.imageConstraint {
        let size = RasterSize(width: max(image.pixelsWide, 0), height: max(image.pixelsHigh, 0))
        self =
          GrayPixelType(rawValue: image.pixelFormatType) == nil
          ? .colorImage(size) : .grayImage(size)
      } else {
        self = .other("a feature of the type \(feature.type.rawValue)")
      }
    }
  }
#endif
