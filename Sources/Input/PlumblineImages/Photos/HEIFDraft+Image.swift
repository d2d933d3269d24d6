import PlumblineIO
import PlumblineModel

extension HEIFDraft {
  /// The side of a tile in pixels, as in phones' files.
  static var tileSide: Int { 512 }

  /// Adds a color image with its properties.
  ///
  /// An image with an odd side is stored with an additional column or row, which `clap` crops.
  ///
  /// Of the metadata only the color information is written: the profile, or else the color space,
  /// or else sRGB. With an orientation of `nil` no rotation is written; `furtherUses` are
  /// properties in addition to those of every image.
  ///
  /// - Returns: The item.
  /// - Throws: `.unrepresentable`, `.encoder`.
  mutating func addImage(
    _ image: Raster<RGB8>, orientation: ImageOrientation?, _ metadata: PhotoMetadata,
    quality: Int, _ coder: HEVCImageCoder,
    furtherUses: [(type: String, payload: [UInt8], isEssential: Bool)] = []
  ) throws(PhotoWritingError) -> HEIFItemID {
    let (width, height) = (image.width, image.height)
    guard width > 0, height > 0, width <= 65_535, height <= 65_535 else {
      throw .unrepresentable(
        format: "HEIC", place: "picture", expected: "1 to 65,535 pixels a side",
        found: "\(image.size)")
    }
    let stored = RasterSize(width: width + width % 2, height: height + height % 2)
    // The codes that phones write for their streams when a profile states the colors.
    let profile = metadata.iccProfile
    let space = metadata.colorSpace ?? .sRGB
    // Streams and encoders support fewer codes than the box may contain.
    func known(_ code: Int, upTo most: Int) -> Int {
      profile == nil && code != 3 && (1...most).contains(code) ? code : 2
    }
    let color = ColorCodes(
      primaries: known(space.primaries, upTo: 12), transfer: known(space.transfer, upTo: 18),
      matrix: 6, isFullRange: true)
    let colorUse = use("colr", metadata.colorPayload, isEssential: true)
    let isGrid = stored.pixelCount > 1 << 20
    let side = Self.tileSide
    let tileSize = isGrid ? RasterSize(width: side, height: side) : stored
    var windows: [(x: Int, y: Int)] = []
    for y in stride(from: 0, to: height, by: tileSize.height) {
      for x in stride(from: 0, to: width, by: tileSize.width) { windows.append((x, y)) }
    }
    let coded = try coder.code(image, windows, tileSize, quality: quality, color)
    let configuration = use("hvcC", coded.configuration, isEssential: true)
    var shape = [colorUse] + shapeUses(image.size, orientation)
    shape.append(use("pixi", [0, 0, 0, 0, 3, 8, 8, 8], isEssential: false))
    shape += furtherUses.map { use($0.type, $0.payload, isEssential: $0.isEssential) }
    guard isGrid else {
      return addItem("hvc1", coded.images[0], uses: [configuration] + shape)
    }
    let tileUses = [configuration, colorUse, size(tileSize)]
    var tiles: [HEIFItemID] = []
    for tile in coded.images {
      tiles.append(addItem("hvc1", tile, isHidden: true, uses: tileUses))
    }
    let columns = (width + side - 1) / side
    let rows = windows.count / columns
    var description: [UInt8] = [0, 0, UInt8(rows - 1), UInt8(columns - 1)]
    // 65,536, the maximum stored side, needs the wide fields.
    let isWide = max(stored.width, stored.height) > 65_535
    description[1] = isWide ? 1 : 0
    description.appendBigEndian(stored.width, bytes: isWide ? 4 : 2)
    description.appendBigEndian(stored.height, bytes: isWide ? 4 : 2)
    let grid = addItem("grid", description, uses: shape, inItemData: true)
    addReference("dimg", from: grid, to: tiles)
    return grid
  }

  /// The properties for the size of an image, stored with even sides, and for its orientation.
  mutating func shapeUses(
    _ shown: RasterSize, _ orientation: ImageOrientation?
  ) -> [(property: Int, isEssential: Bool)] {
    let stored = RasterSize(
      width: shown.width + shown.width % 2, height: shown.height + shown.height % 2)
    var uses = [size(stored)]
    if stored != shown {
      uses.append(use("clap", Self.window(shown, in: stored), isEssential: true))
    }
    if let orientation { uses += orientationUses(orientation) }
    return uses
  }

  /// Adds a property and returns its use.
  mutating func use(
    _ type: String, _ payload: [UInt8], isEssential: Bool
  ) -> (property: Int, isEssential: Bool) {
    (property(type, payload), isEssential)
  }

  /// The use of a size property.
  mutating func size(_ size: RasterSize) -> (property: Int, isEssential: Bool) {
    let sides = [size.width, size.height].flatMap { [UInt8](bigEndian: $0, bytes: 4) }
    return use("ispe", [0, 0, 0, 0] + sides, isEssential: false)
  }

  /// The properties that rotate stored pixels upright; no rotation is written too, as in phones'
  /// files.
  mutating func orientationUses(
    _ orientation: ImageOrientation
  ) -> [(property: Int, isEssential: Bool)] {
    let payloads = orientation.transformationPayloads
    return [use("irot", payloads.rotation, isEssential: true)]
      + (payloads.mirror.map { [use("imir", $0, isEssential: true)] } ?? [])
  }

  /// The payload of `clap` for the first columns and rows (ISO/IEC 14496-12 §12.1.4.3).
  private static func window(_ size: RasterSize, in stored: RasterSize) -> [UInt8] {
    // The offset of the window's center from the center of the whole image, in halves.
    let numbers = [
      size.width, 1, size.height, 1, size.width - stored.width, 2, size.height - stored.height, 2,
    ]
    return numbers.flatMap { [UInt8](bigEndian: $0, bytes: 4) }
  }
}

extension PhotoMetadata {
  /// The payload of `colr`: the profile, or else codes, with the BT.601 matrix at full range.
  var colorPayload: [UInt8] {
    if let iccProfile { return Array("prof".utf8) + iccProfile }
    let space = colorSpace ?? .sRGB
    let codes = [space.primaries, space.transfer, 6].flatMap {
      [UInt8](bigEndian: $0 & 0xFFFF, bytes: 2)
    }
    return Array("nclx".utf8) + codes + [0x80]
  }
}
