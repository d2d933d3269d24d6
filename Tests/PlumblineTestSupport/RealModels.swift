package import Foundation

/// Networks and predictions that lie beside the checkout on some machines, and the runtime.
///
/// The networks are those of `models/depth` beside ``RealData``'s folder. The runtime is a folder that
/// `PLUMBLINE_OPENVINO` names, else that of the wheel `openvino` of ``PythonPeer``.
package enum RealModels {
  /// The folder of depth models, or `nil` where there is none.
  package static let folder: URL? = {
    guard let data = RealData.folder else { return nil }
    let url = data.deletingLastPathComponent().appending(path: "models/depth")
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }()

  /// What a test says when it is skipped for want of models.
  package static let absence = "no real models: place ../shared/models/depth"

  /// The folder with OpenVINO's libraries, or `nil` where there is none.
  package static let openVINO: String? = {
    if let named = ProcessInfo.processInfo.environment["PLUMBLINE_OPENVINO"] { return named }
    // Found without importing it, which would load the whole library.
    let code =
      "import importlib.util as u, os\n"
      + "print(os.path.join(os.path.dirname(u.find_spec('openvino').origin), 'libs'), end='')"
    guard let text = try? PythonPeer.evaluate(code) else { return nil }
    let path = String(decoding: text, as: UTF8.self)
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// What a test says when it is skipped for want of the runtime.
  package static let runtimeAbsence =
    "no OpenVINO: set PLUMBLINE_OPENVINO, or PLUMBLINE_PYTHON to an interpreter with openvino"

  /// The folder with ONNX Runtime's library, or `nil` where there is none.
  package static let onnxRuntime: String? = {
    if let named = ProcessInfo.processInfo.environment["PLUMBLINE_ONNXRUNTIME"] { return named }
    let code =
      "import importlib.util as u, os\n"
      + "print(os.path.join(os.path.dirname(u.find_spec('onnxruntime').origin), 'capi'), end='')"
    guard let text = try? PythonPeer.evaluate(code) else { return nil }
    let path = String(decoding: text, as: UTF8.self)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.contains("libonnxruntime.so.1.32.0") ? path : nil
  }()

  /// What a test says when it is skipped for want of the second runtime.
  package static let secondRuntimeAbsence =
    "no ONNX Runtime 1.32.0: set PLUMBLINE_ONNXRUNTIME, or PLUMBLINE_PYTHON to an interpreter that has it"
}
