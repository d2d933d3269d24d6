package import PlumblineIO
package import PlumblineModel

/// What Exif says about the device, the lens, the time and the orientation of a photo.
///
/// Every property is `nil` when its tag is absent or holds nothing usable. Text is as the file has
/// it, control characters included: escape it before it reaches a terminal. The place of capture
/// (GPS) is deliberately not read. Source: CIPA DC-008 (Exif 3.0) §4.6.
package struct ExifMetadata: Sendable, Hashable {
  /// The maker of the device, such as `Apple`.
  package var make: String?
  /// The device, such as `iPhone 14`.
  package var model: String?
  /// The program or system that wrote the file, such as `16.2`.
  package var software: String?
  /// The device that the program ran on.
  package var hostComputer: String?
  /// How the stored image must be turned for display, 1 (as it is) to 8.
  package var orientation: Int?
  /// When the photo was taken, as `YYYY:MM:DD HH:MM:SS` in local time.
  package var dateTimeOriginal: String?
  /// The offset of that local time from UTC, such as `+01:00`.
  package var offsetTimeOriginal: String?
  /// The maker of the lens.
  package var lensMake: String?
  /// The lens, such as `iPhone 14 front TrueDepth camera 2.69mm f/1.9`.
  package var lensModel: String?
  /// The focal length in mm.
  package var focalLengthInMillimeters: Double?
  /// The focal length in mm of a 35 mm camera with the same field of view.
  package var focalLengthIn35mmFilm: Int?
  /// Pixels of the sensor in a millimeter of the plane of focus, across and down.
  package var focalPlanePixelsPerMillimeter: SIMD2<Double>?
  /// How the camera rendered the image: 0 as usual; Apple's cameras write 7 and 8 for portraits, with and
  /// without HDR.
  ///
  /// - Source: CIPA DC-008 (Exif 3.0), tag 0xA401, which knows 0 and 1; the rest as exiftool names it, and
  ///   8 as the portrait photos of iPhones hold it.
  package var customRendered: Int?
  /// Columns of the image when it was taken; editing programs leave it behind.
  package var pixelXDimension: Int?
  /// Rows of the image when it was taken.
  package var pixelYDimension: Int?
  /// Notes about what could not be read.
  package var notes: [ContainerNote] = []

  /// Reads the TIFF block of a JPEG's Exif segment, as ``JPEGImage/exif`` gives it.
  ///
  /// Two directories are read, the first one and the Exif directory that it names, so no chain or loop of
  /// directories is followed. Damage behind the first directory is a note.
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
    // Some writers put tags of the Exif directory into the first one, so each is sought in both.
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
    // The unit is 2 for inches, which holds unless said, and 3 for centimeters; some write 4, millimeters.
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
    // Exif writes 0 for an unknown focal length, in either form.
    if focalLengthInMillimeters == 0 { focalLengthInMillimeters = nil }
    if focalLengthIn35mmFilm == 0 { focalLengthIn35mmFilm = nil }
    if entry(0x920A) != nil, entry(0x920A)?.rational == nil {
      reject("FocalLength", "not a fraction with a denominator above 0")
    }
  }
}

extension ExifMetadata {
  /// The focal length that Exif states: the 35 mm equivalent, else the lens's own if the size of the sensor's
  /// pixels is said; `nil` where it states neither.
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
  /// Reads the Exif of a photo's main image; `nil` for other files, damaged ones and those without it.
  ///
  /// - Parameters:
  ///   - photo: The whole file.
  ///   - limits: What reading may spend.
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
