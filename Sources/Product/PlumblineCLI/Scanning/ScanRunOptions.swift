import ArgumentParser
import Plumbline

/// How a scan runs: from a recording or a camera, shown or not, begun anew or gone on.
struct ScanRunOptions: ParsableArguments {
  @Option(
    help: "A live camera: simulated or replay, which plays a recording at its own speed.")
  var source: RecordSourceKind?

  @Option(help: "End a live camera after so many seconds of its own clock.")
  var seconds: Double?

  @Flag(
    help: "Show the growing surface and the camera's path in the browser, then the result.")
  var view = false

  @Flag(help: "Go on where a run of the same scan was killed or stopped, by OUTPUT.resume.")
  var resume = false

  /// Refuses what does not go together.
  ///
  /// - Parameters:
  ///   - capture: The recording that was named.
  ///   - camera: The options of a simulated camera.
  ///   - serving: The options of the viewer.
  ///   - isJSON: Whether a document is printed.
  /// - Throws: `ValidationError` with what does not go together.
  func check(
    capture: String?, camera: SimulatedCameraOptions, serving: ServingOptions, isJSON: Bool
  ) throws {
    guard (capture == nil) == (source == .simulated) else {
      throw ValidationError(
        capture == nil
          ? "Name a recording, or a camera with --source."
          : "A simulated camera plays no recording.")
    }
    if source == .simulated {
      try camera.check()
    } else if camera.isGiven {
      throw ValidationError("--fps and what follows it are for --source simulated.")
    }
    if let seconds, !(seconds > 0 && seconds <= 86_400) {
      throw ValidationError("--seconds is above 0 and at most 86400, not \(seconds).")
    }
    guard source != nil || seconds == nil else {
      throw ValidationError("--seconds is for a live camera; --every takes fewer frames.")
    }
    guard source == nil || !resume else {
      throw ValidationError("What a live camera saw is gone: --resume is for recordings.")
    }
    guard view || serving.port == 0 && !serving.noOpen else {
      throw ValidationError("--port and --no-open are for --view.")
    }
    guard !view || !isJSON else {
      throw ValidationError("--view goes on until Control-C; --json is without it.")
    }
  }
}
