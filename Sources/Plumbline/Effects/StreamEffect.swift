public import PlumblineEffects
import PlumblineImages
import PlumblineIO
public import PlumblineModel
public import PlumblineRecordings
import PlumblineStreams

/// An effect on a stream: frame after frame, each smoothed by those before.
public enum StreamEffect: Sendable {
  /// The filter of Apple's sample, mixed in by depth.
  case smoothFilter(SmoothFilter)
  /// Another background behind what is near.
  case background(BackgroundStream)

  /// The image of the next frame, as it is stored; `nil` for a frame without color or depth.
  ///
  /// - Parameters:
  ///   - capture: The frame.
  ///   - maximumSide: The longer side of the image at most, in pixels.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The image.
  /// - Throws: ``EffectError``. Cost: O(*n*).
  public mutating func next(
    _ capture: Capture, maximumSide: Int, threads: Int = 2
  ) throws(EffectError) -> Raster<RGB8>? {
    guard let color = capture.color, let depth = capture.depth else { return nil }
    let image = color.reduced(toMaximumSide: maximumSide)
    let turn = depth.orientation.followed(by: capture.colorOrientation.inverse)
    let disparity: Raster<Float>
    switch depth.values {
    case .disparity(let map): disparity = map.inverseMeters
    case .depth(let map): disparity = map.disparityMap.inverseMeters
    // A stream of ranges has no camera here; along the ray is near enough for a look.
    case .range(let map): disparity = DepthMap(meters: map.meters).disparityMap.inverseMeters
    }
    let map = disparity.oriented(by: turn)
    switch self {
    case .smoothFilter(var filter):
      let result = try filter.apply(to: image, disparity: map, threads: threads)
      self = .smoothFilter(filter)
      return result
    case .background(var stream):
      let isMetric = depth.accuracy == .absolute && depth.hasUnit
      let result = try stream.apply(
        to: image, disparity: map, isMetric: isMetric, threads: threads)
      self = .background(stream)
      return result
    }
  }
}

/// The images of a recording after an effect, upright, and how fast they follow each other.
public struct StreamEffectRun: Sendable {
  /// The most frames of one video.
  public static let maximumCount = 600

  /// The images.
  public private(set) var images: [Raster<RGB8>] = []
  /// Images a second, rounded; 30 where frames have no time.
  public let framesPerSecond: Int
  /// Frames without color or depth, which are left out.
  public private(set) var leftOutCount = 0

  /// Runs an effect over a recording.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - effect: The effect; it has seen no frame yet.
  ///   - maximumSide: The longer side of images at most, in pixels.
  ///   - maximumCount: How many frames at most, 1 to ``maximumCount``.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Throws: ``CaptureReadingError`` for a frame that cannot be read and where no frame has both color and
  ///   depth, ``EffectError``.
  public init(
    _ recording: Recording, effect: StreamEffect, maximumSide: Int,
    maximumCount: Int = maximumCount, threads: Int = 2
  ) throws {
    precondition((1...Self.maximumCount).contains(maximumCount), "\(maximumCount) frames")
    var effect = effect
    let count = min(recording.frames.count, maximumCount)
    let times = recording.frames.prefix(count).compactMap(\.timestampSeconds)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    let rate = steps.isEmpty ? 30 : 1 / steps[steps.count / 2]
    framesPerSecond = Int(min(max(rate.rounded(), 1), 120))
    for index in 0..<count {
      let capture = try recording.capture(at: index, color: .full)
      guard
        let image = try effect.next(capture, maximumSide: maximumSide, threads: threads),
        images.isEmpty
          || capture.colorOrientation.uprightSize(of: image.size) == images[0].size
      else {
        leftOutCount += 1
        continue
      }
      images.append(image.oriented(by: capture.colorOrientation))
    }
    guard !images.isEmpty else {
      throw CaptureReadingError(
        .missing, expected: "frames with color and depth", found: "none of \(count)")
    }
  }
}
