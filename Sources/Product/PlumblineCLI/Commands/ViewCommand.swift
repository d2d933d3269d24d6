import ArgumentParser
import Plumbline
import PlumblineServer

struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Look at a photo, a recording or a folder of photos in the browser.",
    discussion: """
      Serves the viewer on this machine alone, prints its address as the first line and opens the \
      browser. Nothing is read before the page asks for it, nothing leaves the machine, and \
      Control-C ends it. A folder of photos is a gallery with the verdict of each.

        plumbline view photo.heic
        plumbline view scan.r3d --frame 12
        plumbline view photos --no-open --port 8080
      """)

  @Argument(
    help: "The photo, depth frame, recording, or folder of photos or frames.",
    completion: .captures)
  var capture: String

  @Option(
    help: ArgumentHelp(
      "What is shown first: a frame, or of a folder of photos a photo; its name, or its number from 0.",
      valueName: "NAME|INDEX"))
  var frame: String?

  @OptionGroup var serving: ServingOptions

  @OptionGroup var colors: ColorOptions

  func run() throws {
    throw try CommandExit.running(capture) {
      let content = try CaptureContent(
        paths: [capture], limits: .isolated,
        faceModels: {
          try CommandExit.addingHelp {
            try FaceModels(of: ModelOptions.store(isolation: .ownProgram()), threads: 2)
          }
        })
      var fragment = ""
      if let frame {
        let place = try content.place(of: frame)
        fragment = "item=\(place.item)&frame=\(place.frame)"
      }
      var settings = ServerSettings()
      settings.port = serving.port
      return try ServedViewer(
        settings: settings, content: content, fragment: fragment,
        opensBrowser: !serving.noOpen
      ).run()
    }
  }
}

/// The options of every command that serves the viewer.
struct ServingOptions: ParsableArguments {
  @Option(help: "The port to listen at; 0, unless given, lets the system choose.")
  var port = 0

  @Flag(help: "Open no browser.")
  var noOpen = false

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("A port is a number from 0 to 65535, not \(port).")
    }
  }
}

extension ReadingLimits {
  /// The default limits, with the codecs of others in processes of their own where there are any
  /// (Linux); each use makes its own.
  static var isolated: ReadingLimits {
    var limits = ReadingLimits()
    limits.codecs = .ownProgram()
    return limits
  }
}
