import PlumblineModel
public import PlumblineRecordings
import PlumblineVerification

/// Measures the same pixels in every frame of a recording whose camera and scene stand still.
///
/// What a number scatters by from frame to frame is noise alone: errors that all frames share, such as
/// those of calibration and scale, do not show.
public struct RepeatedMeasurement: Sendable {
  private let requests: [MeasurementRequest]

  /// Prepares.
  public init(_ requests: [MeasurementRequest]) { self.requests = requests }

  /// Measures one frame, and its scatter over all of them; one frame is in memory at a time.
  ///
  /// A frame that cannot be read, or in which a number is refused, does not count for that number.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - result: The numbers of the frame that is reported.
  ///   - analyzer: How frames are read and corrected; their color is not needed.
  ///   - name: The name of the recording.
  ///   - progress: Called before each frame with its position.
  /// - Returns: The numbers with their scatter, from the mean of the squares of the deviations.
  /// - Throws: ``MeasuringError`` where a pixel is outside of a frame. Cost: that of analyzing all frames.
  /// - Source: B. P. Welford, Technometrics 4 (1962) 419–420, for sums that do not cancel.
  public func scattered(
    over recording: Recording, _ result: MeasurementResult, by analyzer: CaptureAnalyzer,
    named name: String, progress: (Int) -> Void = { _ in }
  ) throws(MeasuringError) -> MeasurementResult {
    var sums: [Key: Sum] = [:]
    for index in recording.frames.indices {
      progress(index)
      guard let frame = try? analyzer.analyze(recording, named: name, at: index) else { continue }
      for (place, request) in requests.enumerated() {
        for measurement in try CaptureMeasurer(frame).measure([request]).measurements {
          guard let value = measurement.value?.value, value.isFinite else { continue }
          sums[Key(place: place, name: measurement.name), default: Sum()].add(value)
        }
      }
    }
    var scattered = result
    var place = 0
    for index in scattered.measurements.indices {
      let measurement = scattered.measurements[index]
      // Numbers of one request follow each other, and equal requests give equal numbers.
      place = requests.firstIndex(of: measurement.request) ?? place
      if let sum = sums[Key(place: place, name: measurement.name)] {
        scattered.measurements[index].scatter = CaptureMeasurement.Scatter(
          frames: sum.count, mean: sum.mean, sigma: sum.sigma)
        if let reason = Self.reason(sum, measurement) {
          scattered.measurements[index].reasons.append(reason)
        }
      }
    }
    return scattered
  }

  /// The least frames whose scatter says something: of five, it is known to a third.
  private static let leastFrames = 5
  /// How much more than its sensor's ± a number may scatter.
  private static let largestRatio = 3.0

  /// That a number scatters more than its noise explains; `nil` where it does not.
  private static func reason(_ sum: Sum, _ measurement: CaptureMeasurement) -> String? {
    guard sum.count >= leastFrames, let scatter = sum.sigma, let sensor = measurement.value?.sensor,
      sensor > 0, scatter > largestRatio * sensor
    else { return nil }
    return "It scatters from frame to frame by \((scatter / sensor).fixed(1)) times the ± of its "
      + "sensor: the camera or the scene moved, or the noise is larger than stated."
  }

  private struct Key: Hashable {
    let place: Int
    let name: String?
  }

  private struct Sum {
    var count = 0
    var mean = 0.0
    private var squares = 0.0

    mutating func add(_ value: Double) {
      count += 1
      let deviation = value - mean
      mean += deviation / Double(count)
      squares += deviation * (value - mean)
    }

    var sigma: Double? { count > 1 ? (squares / Double(count - 1)).squareRoot() : nil }
  }
}
