/// What is measured, from the command line.
struct Options {
  static let usage = """
    usage: MeasureBlur FOLDER [--side PIXELS] [--rays COUNT] [--threads COUNT] [--only SETTING]
                       [--noise] [--edges] [--json PATH] [--images FOLDER]
    """

  /// The folder where ground truth is cached.
  var folder = ""
  /// Pixels of the images' longer side.
  var side = 320
  /// Rays for each pixel of the truth and of the sharp image.
  var rays = 256
  var threads = 2
  /// A part of the names of those settings that are measured.
  var only = ""
  /// Whether a second truth says how much of the errors is noise.
  var measuresNoise = false
  /// Whether the edges of a portrait with a phone's map are measured instead of the settings.
  var measuresEdges = false
  var json: String?
  var images: String?

  /// `nil` where the arguments make no sense.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--noise": measuresNoise = true
      case "--edges": measuresEdges = true
      case "--side", "--rays", "--threads":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        if word == "--side" { side = number }
        if word == "--rays" { rays = number }
        if word == "--threads" { threads = number }
      case "--only", "--json", "--images":
        guard let text = rest.popFirst() else { return nil }
        if word == "--only" { only = text }
        if word == "--json" { json = text }
        if word == "--images" { images = text }
      default:
        guard folder.isEmpty, !word.hasPrefix("-") else { return nil }
        folder = word
      }
    }
    guard !folder.isEmpty, side >= 16 else { return nil }
  }
}
