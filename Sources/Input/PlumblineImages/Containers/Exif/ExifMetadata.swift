package import PlumblineIO
package import PlumblineModel

/// The Exif values about the device, the lens, the time and the orientation of a photo.
///
/// Every property is `nil` when its tag is absent or has no usable value. Texts are unchanged,
/// control characters included: escape them before printing. The location of capture (GPS) is
/// deliberately not read. Source: CIPA DC-008 (Exif 3.0) §4.6.
package struct ExifMetadata: Sendable, Hashable {
  /// The maker of the device, such as `Apple`.
  package var make: String?
  /// The device, such as `iPhone 14`.
  package var model: String?
  /// The program or operating system that wrote the file, such as `16.2`.
  package var software: String?
  /// The device that the program ran on.
  package var hostComputer: String?
  /// The orientation for display, 1 (upright as stored) to 8.
  package var orientation: Int?
  /// The local time of capture as `YYYY:MM:DD HH:MM:SS`.
  package var dateTimeOriginal: String?
  /// The offset of that local time from UTC, such as `+01:00`.
  package var offsetTimeOriginal: String?
  /// The maker of the lens.
  package var lensMake: String?
  /// The lens, such as `iPhone 14 front TrueDepth camera 2.69mm f/1.9`.
  package var lensModel: String?
  /// The focal length of the lens in mm.
  package var focalLengthInMillimeters: Double?
  /// The 35 mm equivalent focal length in mm.
  package var focalLengthIn35mmFilm: Int?
  /// The sensor's pixels per millimeter in the focal plane, horizontally and vertically.
  package var focalPlanePixelsPerMillimeter: SIMD2<Double>?
  /// Exif's CustomRendered: 0 for normal rendering; Apple's cameras write 7 and 8 for portraits,
  /// with and without HDR.
  ///
  /// - Source: CIPA DC-008 (Exif 3.0), tag 0xA401, which defines 0 and 1; other values as named by
  ///   ExifTool, and 8 from portrait photos of iPhones.
  package var customRendered: Int?
  /// The width of the image at capture; editing programs do not update it.
  package var pixelXDimension: Int?
  /// The height of the image at capture.
  package var pixelYDimension: Int?
  /// Notes about values that could not be read.
  package var notes: [ContainerNote] = []

  /// Reads the TIFF block of a JPEG's Exif segment, as in ``JPEGImage/exif``.
  ///
  /// It reads the first directory and the Exif directory that the first one names, but follows no
  /// chain or loop of directories. Damage after the first directory becomes a note.
  ///
  /// - Throws: `.malformed` without a TIFF header and a first directory, `.limitExceeded` for a
  ///   block over `metadataBytes` or a first directory over `exifEntries`.
  package init(
    tiff block: ArraySlice<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let path = ["Exif"]
    try limits.require(
      block.count, atMost: limits.metadataBytes, "bytes of Exif", path: path,
      offset: block.startIndex)
    let tiff = try TIFFBlock(block, path: path)
    let first = try tiff.directory(at: tiff.firstDirectory, limits: limits)
    var exif: [UInt16: TIFFEntry] = [:]
    if let offset = first[0x8769]?.integer {
      do {
        guard offset != tiff.firstDirectory else {
          throw CaptureReadingError(
            .malformed, path: path, expected: "an Exif directory of its own",
            found: "the first directory again")
        }
        exif = try tiff.directory(at: offset, limits: limits)
      } catch {
        notes.append(
          ContainerNote(.metadataRejected, "\(error)", offset: block.startIndex))
      }
    }
    read(first: first, exif: exif, place: block.startIndex)
  }

  /// Reads the payload of a HEIF `Exif` item: the offset of the TIFF header, then the block.
  ///
  /// Source: ISO/IEC 23008-12 §A.2.1. Throws as ``init(tiff:limits:)`` does.
  package init(
    heifItem payload: ArraySlice<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    var reader = ByteReader(payload, path: ["Exif"])
    let skipped = Int(try reader.readUInt32("the offset of the TIFF header"))
    try reader.skip(skipped, as: "what precedes the TIFF header")
    try self.init(tiff: payload[reader.offset...], limits: limits)
  }

  private mutating func read(
    first: [UInt16: TIFFEntry], exif: [UInt16: TIFFEntry], place: Int
  ) {
    // Some writers put Exif tags into the first directory, so each tag is searched in both.
    func entry(_ tag: UInt16) -> TIFFEntry? { exif[tag] ?? first[tag] }
    make = first[0x010F]?.text
    model = first[0x0110]?.text
    orientation = first[0x0112]?.integer
    software = first[0x0131]?.text
    hostComputer = first[0x013C]?.text
    dateTimeOriginal = entry(0x9003)?.text
    offsetTimeOriginal = entry(0x9011)?.text
    focalLengthInMillimeters = entry(0x920A)?.rational
    pixelXDimension = entry(0xA002)?.integer
    pixelYDimension = entry(0xA003)?.integer
    focalLengthIn35mmFilm = entry(0xA405)?.integer
    customRendered = entry(0xA401)?.integer
    // The unit is 2 for inches (the default) and 3 for centimeters; some files have 4 for
    // millimeters.
    if let across = entry(0xA20E)?.rational, across > 0,
      let unit = [2: 25.4, 3: 10, 4: 1][entry(0xA210)?.integer ?? 2]
    {
      let down = entry(0xA20F)?.rational ?? across
      focalPlanePixelsPerMillimeter = SIMD2(across, down > 0 ? down : across) / unit
    }
    lensMake = entry(0xA433)?.text
    lensModel = entry(0xA434)?.text

    func reject(_ what: String, _ found: String) {
      notes.append(
        ContainerNote(.metadataValueRejected, "Exif \(what) is \(found)", offset: place))
    }
    if let value = orientation, !(1...8).contains(value) {
      reject("Orientation", "\(value), not 1 to 8")
      orientation = nil
    }
    // Exif uses 0 for an unknown focal length, in both tags.
    if focalLengthInMillimeters == 0 { focalLengthInMillimeters = nil }
    if focalLengthIn35mmFilm == 0 { focalLengthIn35mmFilm = nil }
    if entry(0x920A) != nil, entry(0x920A)?.rational == nil {
      reject("FocalLength", "not a fraction with a denominator above 0")
    }
  }
}

extension ExifMetadata {
  /// The focal length from Exif: the 35 mm equivalent, or else the lens's focal length if the pixel
  /// pitch is stated; `nil` if neither is available.
  package var filmFocalLength: FilmFocalLength? {
    if let film = focalLengthIn35mmFilm.flatMap(FilmFocalLength.init(wholeMillimeters:)) {
      return film
    }
    guard let lens = focalLengthInMillimeters, let pitch = focalPlanePixelsPerMillimeter,
      let width = pixelXDimension, let height = pixelYDimension, (1...1 << 20).contains(width),
      (1...1 << 20).contains(height)
    else { return nil }
    return FilmFocalLength(
      lensMillimeters: lens, pixelsPerMillimeter: pitch,
      size: RasterSize(width: width, height: height))
  }
}

extension ExifMetadata {
  /// Reads the Exif of a photo's main image; `nil` for other files, for damaged files and without
  /// Exif.
  ///
  /// - Parameters:
  ///   - photo: The whole file.
  ///   - limits: The limits for reading.
  package init?(photo: [UInt8], limits: ReadingLimits = ReadingLimits()) {
    let found: ExifMetadata?
    switch FileSignature(photo) {
    case .jpeg:
      let file = try? JPEGFile(photo[...], limits: limits)
      found = try? file?.primary.exifMetadata(limits: limits)
    case .heif:
      let file = try? HEIFFile(bytes: photo, limits: limits)
      let block = file.flatMap { try? $0.exif(of: $0.primaryItemID) }
      found = block.flatMap { try? ExifMetadata(tiff: $0, limits: limits) }
    case .ply, .json, .other, .empty: found = nil
    }
    guard let found else { return nil }
    self = found
  }
}
