package import PlumblineIO
package import PlumblineModel

/// What frames of a board say of the device that took them, where all say the same.
public struct BoardSession: Hashable, Sendable {
  /// The device and the way that its camera was used.
  public var configuration: DeviceConfiguration
  /// The month of the frames, as `2026-11`; `nil` when not known.
  public var month: String?

  /// What one frame says.
  package init(_ capture: Capture) {
    configuration = DeviceConfiguration(capture)
    month = capture.source.capturedAt.map { String($0.prefix(7)) }
      .flatMap { DeviceMeasurement.isMonth($0) ? $0 : nil }
  }

  /// What two frames have in common.
  package func common(with other: BoardSession) -> BoardSession {
    var common = self
    common.configuration = configuration.common(with: other.configuration)
    common.month = month == other.month ? month : nil
    return common
  }

  /// The `source` of `plumbline.verify/1`.
  package var document: JSONValue {
    .object([
      ("make", .string(configuration.make)),
      ("model", .string(configuration.model)),
      ("os", .string(configuration.system)),
      ("camera", .string(configuration.camera.rawValue)),
      ("api", .string(configuration.interface.rawValue)),
      ("rectified", .bool(configuration.isRectified)),
      ("referenceWidth", .integer(configuration.referenceSize?.width)),
      ("referenceHeight", .integer(configuration.referenceSize?.height)),
      ("month", .string(month)),
    ])
  }
}
