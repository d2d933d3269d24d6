import ArgumentParser
import Plumbline
import PlumblineServer

struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Look at a photo, a recording, a folder of photos or a mesh in the browser.",
    discussion: """
      Serves the viewer on this machine alone, prints its address as the first line and opens the \
      browser. Nothing is read before the page asks for it, nothing leaves the machine, and \
      Control-C ends it. A folder of photos is a gallery with the verdict of each. \
      Of a mesh (.ply, .glb, .obj, .stl) colors and the ± of its vertices are shown, and distances \
      between two points.

        plumbline view photo.heic
        plumbline view scan.r3d --frame 12
        plumbline view photos --no-open --port 8080
        plumbline view scan.glb
      """)

  @Argument(
    help: "The photo, depth frame, recording, folder of photos or frames, or mesh.",
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
      if let surface = try openedSurface() {
        if frame != nil { throw FrameOptionError.notAFolder }
        return try ServedViewer(
          settings: settings, content: surface, page: ScanView.page, opensBrowser: !serving.noOpen
        ).run()
      }
      let content = try CaptureContent(
        paths: [capture], limits: .isolated, catalog: try OwnCatalog.devices(nil),
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
      return try ServedViewer(
        settings: settings, content: content, findings: content.folderFindings,
        fragment: fragment, opensBrowser: !serving.noOpen
      ).run()
    }
  }

  private var settings: ServerSettings {
    var settings = ServerSettings()
    settings.port = serving.port
    return settings
  }

  /// The surface in the file; `nil` for a folder and for any other file.
  private func openedSurface() throws -> ScanView? {
    guard ["ply", "glb", "obj", "stl"].contains(pathEnding(capture)) else { return nil }
    let name = pathParts(capture).last.map(String.init) ?? capture
    return try ScanView.surface(of: InputFile(path: capture).bytes, named: name)
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
