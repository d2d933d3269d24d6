import PlumblineIO
import PlumblineModel

/// The composition of an image item from coded images, before any of them is decoded.
///
/// Every size, count and parameter set is checked here, so that decoding allocates no more than the
/// streams declare.
struct HEIFComposition: Sendable {
  /// One coded image and its position.
  struct Tile: Sendable {
    /// The item, for errors.
    let itemID: HEIFItemID
    /// The column of its first pixel in the image.
    let x: Int
    /// The row of its first pixel in the image.
    let y: Int
    /// The checked image.
    let image: HEVCStillImage
  }

  /// The image's columns and rows before its transformations.
  let size: RasterSize
  /// The images in row order; a single one if the image is not a grid.
  let tiles: [Tile]
  /// The transformations from stored to displayed pixels, in order.
  let transformations: [ImageTransformation]
  /// The color codes: of the item, or else of its first image's item, or else of the stream.
  let color: ColorCodes?

  /// The size, planes and depth that all tiles share.
  var parameters: SequenceParameterSet { tiles[0].image.parameters }

  /// The error of one tile, with the part of the image that is lost.
  func locating(_ error: CaptureReadingError, in tile: Tile) -> CaptureReadingError {
    guard tiles.count > 1, error.reason == .malformed else { return error }
    var error = error
    let columns = min(tile.x + tile.image.size.width, size.width) - tile.x
    let rows = min(tile.y + tile.image.size.height, size.height) - tile.y
    let percent = (100 * Double(columns * rows) / Double(size.pixelCount)).fixed(1)
    error.found +=
      " (columns \(tile.x) to \(tile.x + columns - 1), rows \(tile.y) to \(tile.y + rows - 1) of "
      + "\(size): at least \(percent) % of the image)"
    return error
  }

  /// Resolves an item: a coded image, a grid of them, or an item derived from one of these.
  ///
  /// - Parameters:
  ///   - item: The image to resolve; `tmap` resolves to its base image.
  ///   - file: The file.
  ///   - maximumPixels: The maximum size to accept.
  /// - Throws: `.missing` for items without image data, `.unsupported` for other codings,
  ///   `.malformed` for contradictions, `.limitExceeded`.
  init(
    of item: HEIFItemID, in file: HEIFFile, maximumPixels: Int
  ) throws(CaptureReadingError) {
    var id = item
    var steps: [ImageTransformation] = []
    var codes: ColorCodes?
    for _ in 0...file.limits.derivationDepth {
      let path = ["item \(id)"]
      guard let description = file.item(id) else {
        throw CaptureReadingError(.missing, path: path, expected: "an item", found: "none")
      }
      let facts = HEIFImageFacts(file.properties(of: id))
      // The transformations of the source image come first.
      steps = facts.transformations + steps
      codes = codes ?? facts.color
      switch description.type {
      case "hvc1", "hev1":
        let image = try HEVCStillImage(
          item: id, facts, in: file, maximumPixels: maximumPixels, path)
        size = try facts.promisedSize(in: path) ?? image.size
        tiles = [Tile(itemID: id, x: 0, y: 0, image: image)]
        color = codes ?? image.color
        transformations = steps
        return
      case "grid":
        let grid = try HEIFGrid(of: id, facts, in: file, maximumPixels: maximumPixels)
        size = grid.size
        tiles = grid.tiles
        color = codes ?? grid.firstTileColor ?? grid.tiles[0].image.color
        transformations = steps
        return
      case "iden", "tmap":
        guard let input = file.items(referredToBy: id, as: "dimg").first else {
          throw CaptureReadingError(
            .malformed, path: path, expected: "an image to derive from", found: "none")
        }
        id = input
      default:
        throw CaptureReadingError(
          .unsupported, path: path, expected: "an image of type hvc1 or grid",
          found: description.type)
      }
    }
    throw CaptureReadingError(
      .limitExceeded, path: ["item \(item)"],
      expected: "at most \(file.limits.derivationDepth) derivations", found: "more")
  }
}

/// The properties of an image item that describe its pixels.
struct HEIFImageFacts {
  private(set) var statedSize: (width: Int, height: Int)?
  private(set) var transformations: [ImageTransformation] = []
  private(set) var color: ColorCodes?
  private(set) var configuration: HEVCConfiguration?

  init(_ uses: [HEIFPropertyUse]) {
    for use in uses {
      switch use.property {
      case .size(let width, let height): statedSize = statedSize ?? (width, height)
      case .transformation(.rotation(0)): break
      case .transformation(let step): transformations.append(step)
      case .color(.codes(let codes)): color = color ?? codes
      case .hevcConfiguration(let value): configuration = configuration ?? value
      default: break
      }
    }
  }

  /// The size of `ispe`, or `nil` without one; refused when it is empty.
  func promisedSize(in path: [String]) throws(CaptureReadingError) -> RasterSize? {
    guard let statedSize else { return nil }
    guard statedSize.width > 0, statedSize.height > 0 else {
      throw CaptureReadingError(
        .malformed, path: path + ["ispe"], expected: "a size above 0",
        found: "\(statedSize.width) × \(statedSize.height)")
    }
    return RasterSize(width: statedSize.width, height: statedSize.height)
  }
}

extension HEVCStillImage {
  /// Checks the image of one item.
  init(
    item: HEIFItemID, _ facts: HEIFImageFacts, in file: HEIFFile, maximumPixels: Int,
    _ path: [String]
  ) throws(CaptureReadingError) {
    guard let configuration = facts.configuration else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "an hvcC property", found: "none")
    }
    try self.init(
      configuration: configuration, data: try file.data(of: item),
      promisedSize: try facts.promisedSize(in: path), maximumPixels: maximumPixels,
      limits: file.limits, path: path)
  }
}
