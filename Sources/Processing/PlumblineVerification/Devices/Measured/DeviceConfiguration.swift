public import PlumblineModel

/// A model of device with everything that its stated focal length depends on.
///
/// A measurement of a focal length holds for captures of the same configuration alone: another interface
/// crops otherwise, another reference size is another mode of the sensor, and with geometric distortion
/// correction the stated number belongs to other pixels.
public struct DeviceConfiguration: Hashable, Sendable {
  /// The maker, such as `Apple`; `nil` when not given.
  public var make: String?
  /// The model, by any of its names; `nil` when not given.
  public var model: String?
  /// The version of the operating system, such as `15.2.1`; `nil` when not given.
  public var system: String?
  /// The kind of depth camera.
  public var camera: CaptureSource.Camera
  /// The programming interface.
  public var interface: CaptureSource.Interface
  /// Whether the pixels are said to be rectified; `nil` where nothing is said.
  public var isRectified: Bool?
  /// The size that the device's own numbers belong to; `nil` without a calibration.
  public var referenceSize: RasterSize?

  /// Creates a configuration of which only the arguments are known.
  package init(
    camera: CaptureSource.Camera = .unknown, interface: CaptureSource.Interface = .unknown
  ) {
    self.camera = camera
    self.interface = interface
  }

  /// The configuration that a capture states; O(1).
  ///
  /// Whether pixels are rectified is what the capture says; where it says nothing, distortion
  /// coefficients that are all 0 count as "rectified", and others as "not rectified".
  package init(_ capture: Capture) {
    let source = capture.source
    self.init(camera: source.camera, interface: source.interface)
    make = source.make
    model = source.model
    system = source.system
    let calibration = capture.depth?.calibration ?? capture.colorCalibration
    isRectified =
      capture.depth?.isRectified ?? source.isGeometryCorrected
      ?? calibration?.distortion.map(\.isZero)
    referenceSize = calibration?.intrinsics.size
  }

  /// What two configurations have in common; what they differ in becomes unknown.
  package func common(with other: DeviceConfiguration) -> DeviceConfiguration {
    var common = DeviceConfiguration(
      camera: camera == other.camera ? camera : .unknown,
      interface: interface == other.interface ? interface : .unknown)
    func same<Value: Equatable>(_ path: KeyPath<DeviceConfiguration, Value?>) -> Value? {
      self[keyPath: path] == other[keyPath: path] ? self[keyPath: path] : nil
    }
    common.make = same(\.make)
    common.model = same(\.model)
    common.system = same(\.system)
    common.isRectified = same(\.isRectified)
    common.referenceSize = same(\.referenceSize)
    return common
  }
}

extension DeviceConfiguration {
  /// How well a measurement's version of the system agrees with a capture's.
  enum SystemAgreement: Hashable, Sendable {
    /// Both have the same first number.
    case same
    /// One of the two is not known.
    case unknown
    /// Their first numbers differ: the stated focal length may have changed.
    case different
  }

  /// Compares the first numbers of both versions, so that 15.2 agrees with 15.6 and not with 16.
  func systemAgreement(with other: DeviceConfiguration) -> SystemAgreement {
    guard let own = Self.majorVersion(of: system), let their = Self.majorVersion(of: other.system)
    else { return .unknown }
    return own == their ? .same : .different
  }

  /// The first number in a version such as `15.2.1` or `iOS 15`; `nil` without one.
  package static func majorVersion(of system: String?) -> Int? {
    guard let system, let start = system.firstIndex(where: \.isWholeNumber) else { return nil }
    return Int(system[start...].prefix { $0.isASCII && $0.isWholeNumber }.prefix(4))
  }

  /// Whether everything but model and system agrees.
  func hasSameCamera(as other: DeviceConfiguration) -> Bool {
    camera == other.camera && interface == other.interface && isRectified == other.isRectified
      && referenceSize == other.referenceSize
  }
}
