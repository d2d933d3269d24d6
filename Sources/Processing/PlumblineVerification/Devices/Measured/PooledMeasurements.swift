import PlumblineModel

/// The user's own measurements of one configuration, with what they say together.
public struct PooledMeasurements: Hashable, Sendable {
  /// The configuration that all share; of the system, the first number alone.
  public var configuration: DeviceConfiguration
  /// The measurements, in the order of the catalog.
  public var measurements: [DeviceMeasurement]
  /// The number of devices, told apart by their stated focal lengths.
  public var deviceCount: Int
  /// True over stated focal length: of the device that was measured, or the weighted mean over several.
  public var ratio: Double
  /// The ± of ``ratio``, 68 %: it contains the scatter between sessions, of several devices also that
  /// between them.
  public var sigma: Double
  /// The ± in another session of a measured device; `nil` for several devices, which have each their own.
  public var sigmaInAnotherSession: Double?
  /// The ± for a device of the model that was not measured.
  public var sigmaOfAnotherDevice: Double
  /// The scatter of the ratio between sessions of a device, one standard deviation.
  public var sessionScatter: Double
  /// The scatter of the ratio between devices, one standard deviation.
  public var deviceScatter: Double
}

extension DeviceCatalog {
  /// The user's own measurements by configuration, in the order of each one's first.
  ///
  /// - Parameter model: A name of a device; `nil` for all.
  /// - Returns: One entry for each configuration; none where nothing of the model was measured.
  public func pooledMeasurements(ofModel model: String? = nil) -> [PooledMeasurements] {
    let listed = model == nil ? ownMeasurements : ownMeasurements(ofModel: model)
    var groups: [[DeviceMeasurement]] = []
    for measurement in listed {
      let place = groups.firstIndex { isAlike($0[0].configuration, measurement.configuration) }
      if let place { groups[place].append(measurement) } else { groups.append([measurement]) }
    }
    return groups.compactMap(pooled)
  }

  /// Whether two configurations are of one model, camera and first number of the system's version.
  private func isAlike(_ one: DeviceConfiguration, _ other: DeviceConfiguration) -> Bool {
    isSameModel(one.model, other.model) && one.hasSameCamera(as: other)
      && DeviceConfiguration.majorVersion(of: one.system)
        == DeviceConfiguration.majorVersion(of: other.system)
  }

  private func pooled(_ measurements: [DeviceMeasurement]) -> PooledMeasurements? {
    guard let pool = pool(measurements), var configuration = measurements.first?.configuration
    else { return nil }
    configuration.system = DeviceConfiguration.majorVersion(of: configuration.system)
      .map(String.init)
    let only = pool.specimens.count == 1 ? pool.specimens.first : nil
    return PooledMeasurements(
      configuration: configuration, measurements: measurements,
      deviceCount: pool.specimens.count, ratio: only?.ratio ?? pool.ratio,
      sigma: only.map(pool.sigma) ?? pool.sigma,
      sigmaInAnotherSession: only.map(pool.sigmaInAnotherSession),
      sigmaOfAnotherDevice: pool.sigmaOfAnotherDevice, sessionScatter: pool.sessionScatter,
      deviceScatter: pool.deviceScatter)
  }
}
