/// The files from which ONNX Runtime is installed: wheels of PyPI, and what of them is needed.
///
/// - Source: pypi.org/simple/onnxruntime, both wheels fetched on 2026-11-28. They hold the C library beside
///   the module for Python, which nothing here needs.
package enum ONNXRuntimeWheel {
  /// The name of the project.
  package static let project = "onnxruntime"
  /// The version that is installed; the interface used is that of 1.12, which later versions keep.
  package static let version = "1.32.0"
  /// The license of the runtime; its text and those of its parts lie beside it once it is installed.
  package static let license = "MIT"

  /// The wheel that is fetched for this processor; `nil` where there is none.
  package static var forThisMachine: PackageWheel? {
    #if os(Linux) && arch(x86_64)
      all.first { $0.fileName.hasSuffix("x86_64.whl") }
    #elseif os(Linux) && arch(arm64)
      all.first { $0.fileName.hasSuffix("aarch64.whl") }
    #else
      nil
    #endif
  }

  /// The known wheels of this version for Linux.
  package static let all: [PackageWheel] = [
    (
      "x86_64", "1d/46/e6f356c9539d2eed44126de3421a81e217da2ad91b22dc11b379cb1e384f",
      "5a34fc4dfeb5a7b4a74c95dcba1e773d722abda720b474edf1b0c419dc6d163d"
    ),
    (
      "aarch64", "b7/30/103820b32e9dc1d1fcfc5b519fd2de5bd699d25a25895caf5d726350d1b5",
      "2303372a85299b6757b0e11e1cbf13e410ddf7e10c37f4b37e99d1c90e7daf7c"
    ),
  ].map { processor, place, digest in
    let name = "\(project)-\(version)-cp311-cp311-manylinux_2_28_\(processor).whl"
    return PackageWheel(
      project: project, fileName: name, sha256: digest,
      url: "https://files.pythonhosted.org/packages/\(place)/\(name)")
  }

  /// Whether a file of the wheel is needed to run ONNX models.
  ///
  /// - Returns: The name under which it is installed; `nil` for what is left out (Python).
  package static func installedName(of entry: String) -> String? {
    switch entry {
    case "onnxruntime/capi/libonnxruntime.so.\(version)": "libonnxruntime.so.\(version)"
    case "onnxruntime/capi/libonnxruntime_providers_shared.so":
      "libonnxruntime_providers_shared.so"
    case "onnxruntime/LICENSE": "LICENSES-LICENSE.txt"
    case "onnxruntime/ThirdPartyNotices.txt": "LICENSES-ThirdPartyNotices.txt"
    default: nil
    }
  }
}

/// A runtime that can be installed from a wheel.
package enum InstalledRuntime: String, Sendable, CaseIterable {
  /// OpenVINO.
  case openVINO = "openvino"
  /// ONNX Runtime.
  case onnxRuntime = "onnxruntime"

  /// The name for people.
  package var title: String {
    switch self {
    case .openVINO: "OpenVINO"
    case .onnxRuntime: "ONNX Runtime"
    }
  }

  /// The version that is installed.
  package var version: String {
    switch self {
    case .openVINO: RuntimeWheel.version
    case .onnxRuntime: ONNXRuntimeWheel.version
    }
  }

  /// The license.
  package var license: String {
    switch self {
    case .openVINO: RuntimeWheel.license
    case .onnxRuntime: ONNXRuntimeWheel.license
    }
  }

  /// The wheels from which it can be installed.
  package var wheels: [PackageWheel] {
    switch self {
    case .openVINO: RuntimeWheel.all
    case .onnxRuntime: ONNXRuntimeWheel.all
    }
  }

  /// The wheel that is fetched for this processor; `nil` where there is none.
  package var wheelForThisMachine: PackageWheel? {
    switch self {
    case .openVINO: RuntimeWheel.forThisMachine
    case .onnxRuntime: ONNXRuntimeWheel.forThisMachine
    }
  }

  /// The library that is loaded, in the folder of the runtime.
  package var libraryFile: String {
    switch self {
    case .openVINO: "libopenvino_c.so.2641"
    case .onnxRuntime: "libonnxruntime.so.\(ONNXRuntimeWheel.version)"
    }
  }

  /// What helps where it is not installed.
  package var need: InferenceError.Need {
    switch self {
    case .openVINO: .runtime
    case .onnxRuntime: .secondRuntime
    }
  }

  /// The name under which a file of the wheel is installed; `nil` for what is left out.
  package func installedName(of entry: String) -> String? {
    switch self {
    case .openVINO: RuntimeWheel.installedName(of: entry)
    case .onnxRuntime: ONNXRuntimeWheel.installedName(of: entry)
    }
  }
}

/// Which runtime runs depth networks, and on what.
public enum RuntimeChoice: String, Sendable, CaseIterable {
  /// OpenVINO on the processor.
  case openVINO = "openvino"
  /// ONNX Runtime on the processor.
  case onnxRuntime = "onnxruntime"
  /// ONNX Runtime on a graphics processor of NVIDIA, with a library that was built for it. Untried.
  case onnxRuntimeCUDA = "onnxruntime-cuda"
  /// ONNX Runtime by Core ML, with a library that was built for Apple's systems. Untried.
  case onnxRuntimeCoreML = "onnxruntime-coreml"

  /// The runtime that has to be installed for it.
  package var runtime: InstalledRuntime { self == .openVINO ? .openVINO : .onnxRuntime }
}
