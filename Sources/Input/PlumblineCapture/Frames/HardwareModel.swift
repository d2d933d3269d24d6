package import PlumblineModel

/// The name that a system has for its own hardware, such as `iPad13,8`, by which the catalog of
/// devices knows faults.
package enum HardwareModel {
  /// The name from `utsname.machine`.
  ///
  /// - Source: POSIX, *uname*: the name ends at the first zero byte. Apple, *Identifying the
  ///   simulated device*: a simulator states the machine it runs on, and the device in the variable
  ///   `SIMULATOR_MODEL_IDENTIFIER`.
  /// - Parameters:
  ///   - machine: The bytes of `utsname.machine`.
  ///   - environment: The environment variables of the process.
  /// - Returns: The name; `nil` if there is none.
  package static func name(
    machine: some Sequence<UInt8>, environment: [String: String] = [:]
  ) -> String? {
    if let simulated = environment["SIMULATOR_MODEL_IDENTIFIER"], !simulated.isEmpty {
      return simulated
    }
    let bytes = Array(machine.prefix { $0 != 0 })
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension CaptureSource {
  /// The source of a live frame or photo of an Apple device.
  ///
  /// Every adapter uses it, so that none forgets the model.
  /// - Parameters:
  ///   - camera: The kind of depth camera.
  ///   - interface: The interface that delivers the depth.
  ///   - model: The device's own name of its hardware; `nil` if unknown.
  ///   - system: The version of the system, such as `Version 18.1 (Build 22B83)`.
  package init(
    appleCamera camera: Camera, interface: Interface, model: String?, system: String
  ) {
    self.init(camera: camera, interface: interface)
    make = "Apple"
    self.model = model
    self.system = system
  }
}
