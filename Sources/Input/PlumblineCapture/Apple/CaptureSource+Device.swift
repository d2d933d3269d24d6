#if os(iOS)
  internal import Foundation
  internal import PlumblineModel

  extension CaptureSource {
    /// The source of what this device captures.
    init(appleCamera camera: Camera, interface: Interface) {
      var names = utsname()
      let machine =
        uname(&names) == 0 ? withUnsafeBytes(of: names.machine) { Array($0) } : []
      let process = ProcessInfo.processInfo
      self.init(
        appleCamera: camera, interface: interface,
        model: HardwareModel.name(machine: machine, environment: process.environment),
        system: process.operatingSystemVersionString)
    }
  }
#endif
