public import Plumbline

/// The sessions of one model with one version of its system, as a table of devices shows them.
public struct FleetGroup: Hashable, Sendable {
  /// A number through the camera that the device states, and through the measured one.
  public struct Pair: Hashable, Sendable {
    /// Through the stated camera; `nil` where no session has it.
    public var factory: FleetMean?
    /// Through the measured camera; `nil` where no session has it.
    public var measured: FleetMean?
  }

  /// What was found of one device or of all.
  public struct Numbers: Hashable, Sendable {
    /// The stated focal length in pixels of a width of 640; its ± is the scatter between sessions or
    /// devices over the root of their number.
    public var factoryFocal: FleetMean?
    /// The measured focal length in pixels of a width of 640.
    public var measuredFocal: FleetMean?
    /// Measured over stated focal length, minus 1, in percent.
    public var differencePercent: FleetMean?
    /// Sensor minus board, in millimeters.
    public var depthMillimeters: Pair
    /// The median distance of the board, in millimeters; `nil` without depth.
    public var distanceMillimeters: Double?
    /// Measured lengths over the board's, minus 1, in percent.
    public var lengthPercent: Pair
  }

  /// One device of the group.
  public struct DeviceRow: Hashable, Sendable {
    /// Its number in the group, from 1, by its stated focal length.
    public var number: Int
    /// The paths of its sessions.
    public var sessions: [String]
    /// The means over its sessions.
    public var numbers: Numbers
  }

  /// A session or device that does not fit the others.
  public struct Outlier: Hashable, Sendable {
    /// The path of the session.
    public var session: String
    /// The number of its device.
    public var device: Int
    /// Its difference of the focal lengths, in percent.
    public var percent: Double
    /// The median of what it is compared with, in percent.
    public var medianPercent: Double
    /// How far it may be from the median, in percent.
    public var limitPercent: Double
    /// `devices` where its device differs from the others, `sessions` where it differs from the other
    /// sessions of its device.
    public var comparedWith: String
  }

  /// The model with everything else that a stated focal length depends on.
  public var configuration: DeviceConfiguration
  /// The devices, by their stated focal length.
  public var devices: [DeviceRow]
  /// The means over devices.
  public var numbers: Numbers
  /// The ± of the difference for a device of the model that was not measured, in percent.
  public var otherDevicePlusMinusPercent: Double
  /// The scatter of the difference between sessions of a device, in percent, one standard deviation.
  public var sessionScatterPercent: Double?
  /// The scatter of the difference between devices, in percent, one standard deviation; `nil` of one.
  public var deviceScatterPercent: Double?
  /// What does not fit the others, in the order of devices.
  public var outliers: [Outlier]
  /// The verdicts: how many sessions fit, do not fit, and could not tell.
  public var verdicts: (fits: Int, doesNotFit: Int, cannotTell: Int) {
    (fitCount, misfitCount, undecidedCount)
  }
  var fitCount = 0
  var misfitCount = 0
  var undecidedCount = 0

  /// The number of sessions.
  public var sessionCount: Int { devices.reduce(0) { $0 + $1.sessions.count } }
}

extension FleetGroup {
  /// Summarizes the sessions of one configuration; O(*n²*) in its devices.
  ///
  /// - Precondition: There is a session.
  init(_ configuration: DeviceConfiguration, _ sessions: [FleetSession], catalog: DeviceCatalog) {
    let groups = Self.byDevice(sessions)
    let pool = FocalPool(
      groups: groups.map { $0.map(\.ratio) }, knownDeviceScatter: catalog.knownSpecimenScatter)
    self.configuration = configuration
    devices = groups.enumerated().map { index, group in
      DeviceRow(number: index + 1, sessions: group.map(\.path), numbers: Numbers(group))
    }
    numbers = Numbers(ofDevices: devices.map(\.numbers))
    otherDevicePlusMinusPercent = 100 * pool.sigmaOfAnotherDevice
    sessionScatterPercent = Self.sessionScatter(groups)
    deviceScatterPercent = numbers.differencePercent?.scatter
    outliers = []
    fitCount = sessions.count { $0.verified.verdict == "fits" }
    misfitCount = sessions.count { $0.verified.verdict == "doesNotFit" }
    undecidedCount = sessions.count - fitCount - misfitCount
    outliers = deviceOutliers(groups) + Self.sessionOutliers(groups)
  }

  /// The sessions by device, each group in the order of its paths, groups by stated focal length.
  static func byDevice(_ sessions: [FleetSession]) -> [[FleetSession]] {
    var groups: [[FleetSession]] = []
    let ordered = sessions.sorted {
      ($0.factoryAt640, $0.path) < ($1.factoryAt640, $1.path)
    }
    for session in ordered {
      let place = groups.firstIndex { group in
        group.allSatisfy { $0.isOfSameDevice(as: session) }
      }
      if let place { groups[place].append(session) } else { groups.append([session]) }
    }
    return groups.map { $0.sorted { $0.path < $1.path } }
  }

  /// The scatter of sessions about their device's mean, less what their own ± explains, in percent;
  /// `nil` where no device has two.
  private static func sessionScatter(_ groups: [[FleetSession]]) -> Double? {
    var squares = 0.0
    var own = 0.0
    var freedom = 0.0
    for group in groups where group.count > 1 {
      let mean = group.reduce(0) { $0 + $1.differencePercent } / Double(group.count)
      squares += group.reduce(0) {
        $0 + ($1.differencePercent - mean) * ($1.differencePercent - mean)
      }
      let share = Double(group.count - 1) / Double(group.count)
      own += group.reduce(0) { $0 + $1.differenceSigma * $1.differenceSigma } * share
      freedom += Double(group.count - 1)
    }
    return freedom == 0 ? nil : (max(0, squares - own) / freedom).squareRoot()
  }
}

extension FleetGroup.Numbers {
  /// The means over the sessions of one device.
  init(_ sessions: [FleetSession]) {
    func pair(
      _ value: KeyPath<DeviceMeasurement.BoardComparison, Double?>,
      _ sigma: KeyPath<DeviceMeasurement.BoardComparison, Double?>
    ) -> FleetGroup.Pair {
      func mean(_ camera: KeyPath<VerifiedSession, DeviceMeasurement.BoardComparison>) -> FleetMean?
      {
        FleetMean(
          sessions.compactMap { session in
            let comparison = session.verified[keyPath: camera]
            guard let number = comparison[keyPath: value], let own = comparison[keyPath: sigma],
              own > 0
            else { return nil }
            return (number, own)
          })
      }
      return FleetGroup.Pair(factory: mean(\.factory), measured: mean(\.measured))
    }
    // A stated focal length has no ± of its own; a hundredth of a pixel is how it is written.
    factoryFocal = FleetMean(sessions.map { ($0.factoryAt640, 0.01) })
    measuredFocal = FleetMean(
      sessions.map {
        ($0.focal.measuredPixels * 640 / $0.width, $0.focal.sigmaPixels * 640 / $0.width)
      })
    differencePercent = FleetMean(
      sessions.map { ($0.differencePercent, $0.differenceSigma) })
    depthMillimeters = pair(\.depthMillimeters, \.depthSigmaMillimeters)
    lengthPercent = pair(\.lengthPercent, \.lengthSigmaPercent)
    let distances = sessions.compactMap { $0.verified.measured.distanceMillimeters }
    distanceMillimeters = distances.median
  }

  /// The means over devices, one vote each.
  init(ofDevices devices: [FleetGroup.Numbers]) {
    func mean(_ path: KeyPath<FleetGroup.Numbers, FleetMean?>) -> FleetMean? {
      FleetMean(
        devices.compactMap { $0[keyPath: path].map { ($0.value, max($0.plusMinus, 1e-9)) } })
    }
    factoryFocal = mean(\.factoryFocal)
    measuredFocal = mean(\.measuredFocal)
    differencePercent = mean(\.differencePercent)
    depthMillimeters = FleetGroup.Pair(
      factory: mean(\.depthMillimeters.factory), measured: mean(\.depthMillimeters.measured))
    lengthPercent = FleetGroup.Pair(
      factory: mean(\.lengthPercent.factory), measured: mean(\.lengthPercent.measured))
    distanceMillimeters = devices.compactMap(\.distanceMillimeters).median
  }
}

extension Array where Element == Double {
  /// The middle value, the mean of two of an even number; `nil` for none.
  var median: Double? {
    let sorted = sorted()
    guard let last = sorted.last else { return nil }
    let middle = sorted.count / 2
    if sorted.count == 1 { return last }
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
