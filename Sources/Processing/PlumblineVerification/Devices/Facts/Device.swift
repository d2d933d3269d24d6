public import PlumblineModel

/// One model of phone or tablet, and what is known of its depth cameras.
public struct Device: Sendable {
  /// The name as EXIF has it, such as `iPad Pro (12.9-inch) (5th generation)`.
  public var name: String
  /// Other names: of the market, of papers, of data sets.
  public var aliases: [String]
  /// The names that the system itself uses, such as `iPad13,8`; `nil` when not known.
  public var identifiers: HardwareIdentifiers?
  /// The processor; `nil` when not known.
  public var chip: String?
  /// The family of its TrueDepth camera, equal for cameras that are built alike; `nil` when not
  /// known.
  public var module: String?
  /// The TrueDepth camera as table 1 of the paper names it; `nil` when it is not in it.
  public var moduleAsPrinted: String?
  /// How many specimens were tested in public, and with which system; `nil` for none.
  public var tested: TestedSpecimens?
  /// The nominal pixel size; `nil` when not known.
  public var pixelSizeMillimeters: NominalPixelSize?
  /// The facts on geometric distortion correction; `nil` for none.
  public var geometryCorrection: GeometryCorrection?
  /// The factory's calibrations of the camera, as the system gives them.
  public var calibrations: [FactoryCalibration]
  /// Focal lengths that others measured with a board.
  public var measurements: [FocalMeasurement]
  /// The difference of depths from a board posed with different intrinsics.
  public var depthBiases: [DepthBias]
  /// The known faults of the device.
  public var faults: [DeviceFault]
  /// Reports by users.
  public var reports: [DeviceReport]

  /// Whether anyone has measured its focal length in public.
  public var isMeasured: Bool { measurements.contains { $0.measured != nil } }
}

/// The names that a system has for its own hardware.
public struct HardwareIdentifiers: SourcedFact, Hashable {
  /// Such as `iPad13,8`.
  public var values: [String]
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?
}

/// The number of tested specimens, and their system.
public struct TestedSpecimens: SourcedFact, Hashable {
  /// The number of specimens.
  public var count: Int
  /// The version of the system.
  public var system: String
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?
}

/// The pixel size that calibrations state, in millimeters at their reference size.
public struct NominalPixelSize: SourcedFact, Hashable {
  /// Millimeters.
  public var value: Double
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?
}

/// A report by users of a device.
public struct DeviceReport: SourcedFact, Hashable {
  /// The report in a sentence.
  public var text: String
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?
}

/// Something that is known to be wrong with what a device delivers.
public struct DeviceFault: SourcedFact, Hashable {
  /// The kind of fault.
  public enum Code: String, Sendable, CaseIterable {
    /// Images are rectified; the focal length is that of the lens before it, thus too long.
    case focalBeforeCorrection
    /// The depth map shows a smaller field of view than the color image.
    case arkitZoom
    /// Image and depth are mirrored.
    case arkitMirrored
    /// Another version of the system states another focal length.
    case focalDrift
    /// Numbers of one file contradict each other.
    case calibrationInconsistent
    /// The sensor is built in turned.
    case orientation
  }

  /// The kind of fault.
  public var code: Code
  /// The interface through which it shows; `nil` for all.
  public var interface: CaptureSource.Interface?
  /// Its number where it has one: for ``Code/arkitZoom`` color pixels for each depth pixel.
  public var factor: Double?
  /// What it costs, in percent of a length across the image; `nil` when not known.
  public var lengthPercent: Double?
  /// Where it comes from: the `id` of a source and the place in it.
  public var source: String
  /// The kind of evidence for the fact.
  public var confidence: Confidence
  /// A remark; `nil` for none.
  public var note: String?

  /// Whether the fault shows through an interface.
  package func concerns(_ interface: CaptureSource.Interface) -> Bool {
    self.interface == nil || self.interface == interface
  }
}
