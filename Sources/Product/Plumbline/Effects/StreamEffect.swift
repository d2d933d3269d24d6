public import PlumblineEffects
import PlumblineIO
import PlumblineImages
public import PlumblineModel
import PlumblineNumerics
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

extension StreamEffect {
  /// Applies the effect to a recording, frame after frame, from its first one.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - maximumSide: The longer side of images at most, in pixels.
  ///   - maximumCount: How many frames at most, 1 to ``EffectVideo/maximumCount``.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The images, upright.
  /// - Throws: ``CaptureReadingError`` for a frame that cannot be read and where no frame has both color and
  ///   depth, ``EffectError``.
  /// - Precondition: The effect has seen no frame yet.
  public func video(
    of recording: Recording, maximumSide: Int, maximumCount: Int = EffectVideo.maximumCount,
    threads: Int = 2
  ) throws -> EffectVideo {
    precondition((1...EffectVideo.maximumCount).contains(maximumCount), "\(maximumCount) frames")
    var effect = self
    let count = min(recording.frames.count, maximumCount)
    let times = recording.frames.prefix(count).compactMap(\.timestampSeconds)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    let rate = steps.middleOfSorted.map { 1 / $0 } ?? 30
    var images: [Raster<RGB8>] = []
    var leftOutCount = 0
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
    return EffectVideo(
      images: images, framesPerSecond: Int(min(max(rate.rounded(), 1), 120)),
      leftOutCount: leftOutCount)
  }
}

/// The images of a recording after an effect, upright, and how fast they follow each other.
public struct EffectVideo: Sendable {
  /// The maximum number of frames of one video.
  public static let maximumCount = 600

  /// The images.
  public let images: [Raster<RGB8>]
  /// Images a second, rounded; 30 where frames have no time.
  public let framesPerSecond: Int
  /// Frames without color or depth, which are left out.
  public let leftOutCount: Int
}

/// The effects that remember a camera's last frames, with the numbers that a panel offers.
package enum LiveEffect: String, Sendable, CaseIterable {
  /// The filter of Apple's sample.
  case smoothFilter = "smooth-filter"
  /// Another background behind what is near.
  case background = "live-background"

  /// Its name for people.
  package var label: String {
    switch self {
    case .smoothFilter: "Smooth filter"
    case .background: "Live background"
    }
  }

  /// The parameters that a viewer can choose.
  package var parameters: [EffectParameter] {
    switch self {
    case .smoothFilter:
      let filter = SmoothFilter()
      return [
        EffectParameter(
          "look", "Mixed in", .choice(SmoothFilter.Look.allCases.map(\.rawValue)),
          value: filter.look.rawValue),
        EffectParameter("mix", "At most", .number(0...1, step: 0.05, unit: ""), value: "1"),
        EffectParameter(
          "nearness", "Starts at", .number(0...1, step: 0.05, unit: "near"), value: "0.5"),
        EffectParameter(
          "new", "New depth", .number(0.05...1, step: 0.05, unit: ""), value: "0.4"),
      ]
    case .background:
      return [
        EffectParameter("color", "Color", .color, value: "2d6cdf"),
        EffectParameter("finds", "Find the border", .flag, value: "yes"),
        EffectParameter(
          "border", "Else at", .number(0...1, step: 0.02, unit: "near"), value: "0.5"),
      ]
    }
  }

  /// The effect by what was chosen; it has seen no frame.
  ///
  /// - Throws: ``EffectError`` for settings beyond sense.
  package func stream(settings: EffectSettings) throws(EffectError) -> StreamEffect {
    try settings.requireOnly(parameters)
    switch self {
    case .smoothFilter:
      return .smoothFilter(
        SmoothFilter(
          look: try settings.choice("look", SmoothFilter.Look.rose),
          mix: try settings.number("mix", 1), nearness: try settings.number("nearness", 0.5),
          newShare: try settings.number("new", 0.4)))
    case .background:
      var stream = BackgroundStream()
      if try !settings.flag("finds", true) {
        stream.border = .distance(.nearness(try settings.number("border", 0.5)))
      }
      let color = try settings.color("color", RGB8(red: 0x2D, green: 0x6C, blue: 0xDF))
      stream.background = Raster(size: RasterSize(width: 1, height: 1), repeating: color)
      return .background(stream)
    }
  }
}
