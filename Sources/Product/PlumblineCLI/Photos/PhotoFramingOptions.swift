import ArgumentParser
import Plumbline

/// The options to crop, turn and resize a photo.
struct PhotoFramingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Cut out this rectangle, in pixels of the photo as it is shown.", valueName: "X,Y,WxH"),
    transform: CropArgument.init(parsing:))
  var crop: CropArgument?

  @Option(
    help: ArgumentHelp(
      "Turn by 90, 180 or 270 degrees clockwise, or bake the turn that the file states: upright.",
      valueName: "TURN"))
  var rotate: RotationArgument?

  @Option(
    help: ArgumentHelp(
      "The largest size, WxH, or the longer side alone; the shape stays and nothing grows.",
      valueName: "SIZE"), transform: LargestSizeArgument.init(parsing:))
  var resize: LargestSizeArgument?

  /// The framing that the options request.
  var framing: PhotoFraming {
    PhotoFraming(
      crop: crop?.rectangle, turn: rotate?.turn, bakesOrientation: rotate == .upright,
      maximumSize: resize?.size)
  }
}

/// A rectangle as it is written on the command line: `X,Y,WxH`.
struct CropArgument {
  let rectangle: PixelRectangle

  init(parsing argument: String) throws {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3, let x = Int(parts[0]), let y = Int(parts[1]),
      let size = LargestSizeArgument.size(parts[2]), (0...1_000_000).contains(x),
      (0...1_000_000).contains(y)
    else { throw ValidationError("write its first pixel and its size, as in 400,300,1600x1200") }
    rectangle = PixelRectangle(x: x, y: y, width: size.width, height: size.height)
  }
}

/// A size as it is written on the command line: `WxH` or one number for the longer side.
struct LargestSizeArgument {
  let size: RasterSize

  init(parsing argument: String) throws {
    if let side = Int(argument), (1...1_000_000).contains(side) {
      size = RasterSize(width: side, height: side)
    } else if let size = Self.size(argument[...]) {
      self.size = size
    } else {
      throw ValidationError("write columns and rows as in 1600x1200, or the longer side as in 1600")
    }
  }

  static func size(_ text: Substring) -> RasterSize? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      (1...1_000_000).contains(width), (1...1_000_000).contains(height)
    else { return nil }
    return RasterSize(width: width, height: height)
  }
}

/// The turns of a photo.
enum RotationArgument: String, ExpressibleByArgument, CaseIterable {
  case quarter = "90"
  case half = "180"
  case threeQuarters = "270"
  case upright

  /// The turn that is added to the photo's own.
  var turn: ImageOrientation? {
    switch self {
    case .quarter: .right
    case .half: .down
    case .threeQuarters: .left
    case .upright: nil
    }
  }
}

/// Parts of a photo as they are written on the command line.
struct PhotoPartsArgument {
  let parts: Set<PhotoWriter.Part>

  init(parsing argument: String) throws {
    parts = try Set(
      argument.split(separator: ",", omittingEmptySubsequences: false).map { word in
        guard let part = PhotoWriter.Part(rawValue: String(word)) else {
          throw ValidationError("write depth, mattes, gain-map, or several with commas")
        }
        return part
      })
  }
}

/// The encoder for HEVC, as an argument.
enum HEVCArgument: String, ExpressibleByArgument, CaseIterable {
  case automatic
  case x265
  case videoToolbox = "videotoolbox"
  case raw

  /// The library's value for this option.
  var coding: PhotoWritingOptions.HEVCCoding {
    switch self {
    case .automatic: .automatic
    case .x265: .x265
    case .videoToolbox: .videoToolbox
    case .raw: .raw
    }
  }
}

extension PhotoWriter.Container {
  /// The kind that a file's ending names; `nil` for any other.
  init?(ending path: String) {
    switch pathEnding(path) {
    case "jpg", "jpeg": self = .jpeg
    case "heic", "heif": self = .heic
    default: return nil
    }
  }
}
