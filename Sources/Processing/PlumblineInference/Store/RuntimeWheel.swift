/// The files from which OpenVINO is installed: wheels of PyPI, and what of them is needed.
///
/// - Source: pypi.org/simple/openvino, read on 2026-11-22; the wheels differ by the Python they are for,
///   which nothing here needs.
package enum RuntimeWheel {
  /// The name of the project.
  package static let project = "openvino"
  /// The version of OpenVINO that is known here.
  ///
  /// Numbers of its interface change between versions, so no other one is installed or loaded.
  package static let version = "2026.4.1"
  /// The license of the runtime; texts of its parts lie beside it once it is installed.
  package static let license = "Apache-2.0"

  /// The wheel that is fetched for this processor; `nil` where there is none.
  package static var forThisMachine: PackageWheel? {
    #if os(Linux) && arch(x86_64)
      all.first { $0.url != nil && $0.fileName.hasSuffix("x86_64.whl") }
    #elseif os(Linux) && arch(arm64)
      all.first { $0.url != nil && $0.fileName.hasSuffix("aarch64.whl") }
    #else
      nil
    #endif
  }

  /// The known wheels of this version for Linux.
  package static let all: [PackageWheel] = {
    let digests = [
      (
        "cp310-cp310-manylinux_2_28_x86_64",
        "47dcccbab40a23aed1dc4af7c43a9c813cc61f684d66498e1627d407d5f2770b"
      ),
      (
        "cp310-cp310-manylinux_2_35_aarch64",
        "c9fed6c278b3f0314a53b4366fe8811bd784f24a60335b318dff1e3ae3bbb5c0"
      ),
      (
        "cp311-cp311-manylinux_2_28_x86_64",
        "2d22b1da03f7caf74df30e9f6417d0ab2f637e4a38e08e1dcd294d2c37407aaf"
      ),
      (
        "cp311-cp311-manylinux_2_35_aarch64",
        "bea1eb3733c34ef331adc945da0ccda5937865031139073663be84c517ffda22"
      ),
      (
        "cp312-cp312-manylinux_2_28_x86_64",
        "6b4375c17ddcac83a5180349e2e2bb811185c261066e2a920659892d58ef0e3b"
      ),
      (
        "cp312-cp312-manylinux_2_35_aarch64",
        "82efccb2f9f1bdc7e5a1996e05a3b719ebff9232dd54b44150d6d2e983a86b7d"
      ),
      (
        "cp313-cp313-manylinux_2_28_x86_64",
        "a9b637846c579d7b81b17b6585e0c7b1947574e8d13cf83d7307ce50cd2c352e"
      ),
      (
        "cp313-cp313-manylinux_2_35_aarch64",
        "fc45339ff7d539de76e6d7b04135c120504c797cfc8c2a0dde3d2d616b30c758"
      ),
      (
        "cp314-cp314-manylinux_2_28_x86_64",
        "3631dd889dccf3d5087775948590a6609a662f90c24a9cf85bb4dfa0cdd7fd2f"
      ),
      (
        "cp314-cp314-manylinux_2_35_aarch64",
        "b70a01f6961bf8fe4b647b14fb122be4d30ece02292a9831f9241a64be089676"
      ),
      (
        "cp314-cp314t-manylinux_2_28_x86_64",
        "645e8788370b1037cc21d19078f2f235478292e23938b00ab4fe0d2614a5f7d0"
      ),
      (
        "cp314-cp314t-manylinux_2_35_aarch64",
        "6c5672d6cc0fba4e22fd8d1352ffd7e395f6135da741e002bfad7a0344c183f2"
      ),
    ]
    let folder = "https://files.pythonhosted.org/packages/"
    let places = [
      "cp311-cp311-manylinux_2_28_x86_64":
        "dc/12/dcfe1316704aa47767352001b7351df90b71592bc1ee76a9852bf9850219/",
      "cp311-cp311-manylinux_2_35_aarch64":
        "1b/82/704955b0134d2be51dd8d476dc60c55c08107d5a404b1a90bd3d8b7227a5/",
    ]
    return digests.map { tag, digest in
      let name = "openvino-\(version)-22982-\(tag).whl"
      return PackageWheel(
        project: project, fileName: name, sha256: digest,
        url: places[tag].map { folder + $0 + name })
    }
  }()

  /// Whether a file of the wheel is needed to run ONNX and TFLite models on the processor.
  ///
  /// - Returns: The name under which it is installed; `nil` for what is left out (other processors, other
  ///   kinds of models, Python).
  package static func installedName(of entry: String) -> String? {
    let parts = entry.split(separator: "/")
    guard let last = parts.last else { return nil }
    if parts.starts(with: ["openvino", "libs"]), parts.count == 3 {
      let wanted = [
        "libopenvino.so", "libopenvino_c.so", "libopenvino_onnx_frontend.so",
        "libopenvino_tensorflow_lite_frontend.so", "libopenvino_ir_frontend.so",
        "libopenvino_intel_cpu_plugin.so", "libopenvino_arm_cpu_plugin.so", "libtbb.so",
        "libtbbbind", "libtbbmalloc.so", "libhwloc.so",
      ]
      return wanted.contains { last.hasPrefix($0) } ? String(last) : nil
    }
    let isLicense = parts.count >= 3 && parts[0].hasSuffix(".dist-info") && parts[1] == "licenses"
    return isLicense ? "LICENSES-" + parts[2...].joined(separator: "-") : nil
  }
}

/// A wheel of PyPI, pinned by its checksum: a ZIP archive that is fetched whole or taken from disk.
public struct PackageWheel: Sendable, Hashable {
  /// The name of the project on the index.
  public var project: String
  /// The name of the file.
  public var fileName: String
  /// Its SHA-256, as 64 lowercase hexadecimal digits.
  public var sha256: String
  /// Where PyPI keeps it; `nil` for those that are only taken from disk.
  public var url: String?

  /// Creates a wheel from its parts.
  package init(project: String, fileName: String, sha256: String, url: String?) {
    self.project = project
    self.fileName = fileName
    self.sha256 = sha256
    self.url = url
  }
}
