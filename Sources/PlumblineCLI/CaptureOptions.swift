import ArgumentParser
import Plumbline

/// What every verb about captures takes.
struct CaptureOptions: ParsableArguments {
  @Argument(
    help: "The photo to read; its name does not matter, its bytes do.",
    completion: .file(extensions: ["heic", "HEIC", "heif", "jpg", "JPG", "jpeg"]))
  var capture: String

  @Option(
    name: .customLong("known-distance"),
    help: ArgumentHelp(
      "A distance that you measured, to make a relative map metric; give it once or twice.",
      discussion: """
        X,Y is a pixel of the depth map as stored; METERS its distance from the plane of the \
        camera, along the optical axis. One distance fixes the scale; two, one near and one far, \
        fix the offset too.
        """,
      valueName: "X,Y=METERS"),
    transform: KnownDistanceArgument.init(parsing:))
  var knownDistances: [KnownDistanceArgument] = []

  @Option(help: "The most threads to use; results do not depend on it.")
  var threads: Int = 2

  mutating func validate() throws {
    guard knownDistances.count <= 2 else {
      throw ValidationError(
        "Give one or two known distances, not \(knownDistances.count): two fix scale and offset.")
    }
    guard (1...256).contains(threads) else {
      throw ValidationError("The number of threads must be between 1 and 256, not \(threads).")
    }
  }

  /// Reads, corrects and judges the capture.
  func check(color: CaptureReader.ColorRequest, companions: Bool = false) throws -> CaptureCheck {
    var reader = CaptureReader(color: color, threads: threads)
    reader.readsCompanions = companions
    let file = try InputFile(path: capture, limits: reader.limits)
    let name = capture.split(separator: "/").last.map(String.init) ?? capture
    return try CaptureCheck(
      file.bytes, fileName: name, reader: reader, knownDistances: knownDistances.map(\.distance))
  }
}

/// A distance as it is written on the command line: `X,Y=METERS`.
struct KnownDistanceArgument {
  let distance: KnownDistance

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let sides = argument.split(separator: "=", omittingEmptySubsequences: false)
    let pixel = sides[0].split(separator: ",", omittingEmptySubsequences: false)
    guard sides.count == 2, let meters = Double(sides[1]), pixel.count == 2, let x = Int(pixel[0]),
      let y = Int(pixel[1])
    else {
      throw ValidationError("write the pixel first, then meters without a unit, as in 380,420=0.41")
    }
    // Nothing nearer than a millimeter is in focus, and its inverse would overflow in the end.
    guard (0.001...1000).contains(meters) else {
      throw ValidationError("the distance must be between 0.001 and 1000 meters")
    }
    distance = KnownDistance(x: x, y: y, meters: meters)
  }
}
