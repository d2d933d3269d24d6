import ArgumentParser
import Plumbline

struct BlurCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "blur", abstract: "Refocus after the fact: what is not at the focus blurs.",
    discussion: """
      The aperture is that of a full-frame camera with the photo's field of view; without one it is \
      what the file asks for, else f/2.8. The focus is the subject unless told.

        plumbline effect blur portrait.heic --focus 1200,1600 --aperture 1.8 -o refocused.jpg
        plumbline effect blur portrait.heic --focus-distance 0.6 --shape hexagon -o refocused.jpg
      """)

  @OptionGroup var options: EffectOptions

  @Option(
    help: ArgumentHelp(
      "Focus on what this pixel shows.", discussion: NamedPixel.words, valueName: "X,Y"),
    transform: { try NamedPixel(parsing: $0) })
  var focus: NamedPixel?

  @Option(
    name: .customLong("focus-distance"),
    help: ArgumentHelp(
      "Focus at this distance, of photos with depth in meters.", valueName: "METERS"))
  var focusMeters: Double?

  @Option(
    help: ArgumentHelp(
      "The f-number: above 0.5, for photos of relative depth above 0.02, up to 64.", valueName: "F")
  )
  var aperture: Double?

  @Option(
    name: .customLong("focal-length"),
    help: ArgumentHelp(
      "With --aperture: a lens by its own focal length in millimeters, such as the phone's 5.7.",
      valueName: "MM"))
  var focalLengthMillimeters: Double?

  @Option(
    help: ArgumentHelp(
      "The outline of blurred lights: disc, hexagon, octagon, or a number of blades from 3 to 16.",
      valueName: "SHAPE"), transform: ApertureShape.init(parsing:))
  var shape = ApertureShape.disc

  @Option(
    help: ArgumentHelp(
      "How much brighter than white clipped lights are taken where they blur; 0 for not at all.",
      valueName: "TIMES"))
  var highlights: Double?

  @Flag(help: "Leave the photo's mattes out: edges go by depth and color alone.")
  var withoutMattes = false

  func validate() throws {
    guard focus == nil || focusMeters == nil else {
      throw ValidationError("Give --focus or --focus-distance, not both.")
    }
    guard focalLengthMillimeters == nil || aperture != nil else {
      throw ValidationError("--focal-length needs --aperture.")
    }
  }

  func run() throws {
    throw try options.run(
      "blur", keeping: .ofBlurredScene, saying: \.blurFindings, focusedOn: focus,
      usingMattes: !withoutMattes
    ) { photo, scene, threads in
      var effect = BlurEffect()
      if let focus {
        effect.focus = .point(
          try photo.storedPixel(
            of: photo.focused(on: focus).pixel.photo, in: scene, effect: "blur"))
      } else if let focusMeters {
        effect.focus = .meters(focusMeters)
      }
      if let aperture {
        effect.aperture =
          focalLengthMillimeters.map {
            .physical(fNumber: aperture, focalLengthMillimeters: $0)
          } ?? .fNumber(aperture)
      }
      effect.shape = shape
      if let highlights { effect.highlights = highlights }
      effect.usesMattes = !withoutMattes
      return try effect.applied(to: scene, threads: threads)
    }
  }
}

extension ApertureShape {
  /// Reads `disc`, `hexagon`, `octagon` or a number of blades.
  fileprivate init(parsing argument: String) throws {
    switch argument {
    case "disc": self = .disc
    case "hexagon": self = .hexagon
    case "octagon": self = .octagon
    default:
      guard let blades = Int(argument), (3...16).contains(blades) else {
        throw ValidationError("write disc, hexagon, octagon, or a number of blades from 3 to 16")
      }
      self = .blades(blades, turn: 0)
    }
  }
}
