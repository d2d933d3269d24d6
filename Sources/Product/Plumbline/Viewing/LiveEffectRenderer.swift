import PlumblineEffects
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings
import PlumblineStreams
import PlumblineExport
import Synchronization

/// Renders the images of effects on a live camera: of its latest frame, at each request.
final class LiveEffectRenderer: Sendable {
  /// The number of effects that remember frames and are kept, the last used at the end; each viewer may
  /// choose its own.
  static let keptStreams = 4

  private struct Stream {
    var request: String
    var camera: String
    var sequence: Int
    var effect: StreamEffect
    var image: Raster<RGB8>?
  }

  private struct Prepared {
    var camera: String
    var sequence: Int
    var scene: EffectScene
  }

  private struct State {
    var streams: [Stream] = []
    var prepared: Prepared?
  }

  private let source: any LiveFrameSource
  private let limits: ReadingLimits
  private let state = Mutex(State())

  init(_ source: any LiveFrameSource, limits: ReadingLimits) {
    self.source = source
    self.limits = limits
  }

  /// Which effects the camera's latest frame can have, as `plumbline.effects/1`.
  ///
  /// - Throws: What reading the frame throws, and ``EffectError``.
  func effects() throws -> ViewResponse {
    let message = try latestMessage()
    let scene = try scene(of: message)
    return EffectResponse.offers(
      LiveEffect.allCases.map { ($0.rawValue, $0.label, $0.parameters) }
        + PhotoEffect.allCases.filter { $0 != .wiggle }
        .map { ($0.rawValue, $0.label, $0.parameters(for: scene)) })
  }

  /// The latest frame changed by an effect, as `plumbline.effectPictures/1`.
  ///
  /// - Throws: What reading the frame throws, and ``EffectError``.
  func images(name: String, settings: String) throws -> ViewResponse {
    let message = try latestMessage()
    let chosen = try EffectSettings(parsing: settings, effect: name)
    if let effect = LiveEffect(rawValue: name) {
      return try EffectResponse.images(
        EffectImages([try image(of: message, effect, chosen, request: "\(name)/\(settings)")]),
        sequence: message.sequence)
    }
    guard let effect = PhotoEffect(rawValue: name), effect != .wiggle else {
      return .missing("there is no live effect “\(printable(text: name))”")
    }
    return try EffectResponse.images(
      effect.images(of: scene(of: message), settings: chosen), sequence: message.sequence)
  }

  private func latestMessage() throws(CaptureReadingError) -> LiveFrameMessage {
    guard let message = source.latestFrame else {
      throw CaptureReadingError(.missing, expected: "a frame of a camera", found: "none yet")
    }
    return message
  }

  private func capture(of message: LiveFrameMessage) throws(CaptureReadingError) -> Capture {
    var capture = try StreamFrame(message.bytes, limits: limits).capture
    capture.color = try capture.decodedColor(limits: limits)
    return capture.withColorInDepthFrame
  }

  private func scene(of message: LiveFrameMessage) throws -> EffectScene {
    if let kept = state.withLock({ $0.prepared }), kept.camera == message.camera,
      kept.sequence == message.sequence
    {
      return kept.scene
    }
    let scene = try EffectScene.prepared(
      from: try capture(of: message), effect: "effects", maximumSide: EffectRenderer.maximumSide,
      threads: 2)
    state.withLock {
      $0.prepared = Prepared(camera: message.camera, sequence: message.sequence, scene: scene)
    }
    return scene
  }

  /// The image of an effect that goes on from the frames that it saw; a frame counts once.
  private func image(
    of message: LiveFrameMessage, _ effect: LiveEffect, _ settings: EffectSettings, request: String
  ) throws -> EffectImage {
    // Taken out while it works: equal requests share one response, so no other request looks for it.
    let kept = state.withLock { state -> Stream? in
      guard
        let place = state.streams.firstIndex(where: {
          $0.request == request && $0.camera == message.camera
        })
      else { return nil }
      return state.streams.remove(at: place)
    }
    var stream =
      try kept
      ?? Stream(
        request: request, camera: message.camera, sequence: -1,
        effect: effect.stream(settings: settings))
    if stream.sequence != message.sequence || stream.image == nil {
      stream.sequence = message.sequence
      stream.image = try stream.effect.next(
        try capture(of: message), maximumSide: EffectRenderer.maximumSide)
    }
    guard let image = stream.image else {
      throw EffectError(
        .missing, effect: effect.rawValue, expected: "a frame with color and depth",
        found: "frame \(message.sequence) without")
    }
    let done = stream
    state.withLock { state in
      state.streams.append(done)
      if state.streams.count > Self.keptStreams { state.streams.removeFirst() }
    }
    return EffectImage(color: image)
  }
}
