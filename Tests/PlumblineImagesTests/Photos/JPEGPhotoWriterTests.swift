import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineTestSupport
import Testing

/// What a written JPEG photo gives when it is read.
@Suite("JPEG photo writer")
struct JPEGPhotoWriterTests {
  /// A photo read back.
  static func read(_ bytes: [UInt8]) throws -> PhotoContents { try PhotoContents(reading: bytes) }

  /// Whether two maps say the same, but for what the layout cannot hold.
  static func expectSame(_ a: PhotoDepth?, _ b: PhotoDepth?, _ seed: UInt64) throws {
    let (a, b) = (try #require(a), try #require(b))
    #expect(a.codes == b.codes, "seed \(seed)")
    #expect(a.quantization == b.quantization, "seed \(seed)")
    #expect(a.quantity == b.quantity)
    #expect(a.accuracy == b.accuracy)
    #expect(a.isFiltered == b.isFiltered)
    #expect(a.quality == b.quality)
    #expect(a.calibration == b.calibration, "seed \(seed)")
    #expect(a.provenance == b.provenance)
    #expect(a.simulatedAperture == b.simulatedAperture)
    #expect(a.blurRenderingParameters == b.blurRenderingParameters)
  }

  @Test(
    "Everything comes back: codes, range, camera, mattes, gain map, metadata", arguments: 0..<12)
  func everything(seed: UInt64) throws {
    var photo = SamplePhotos.photo(seed, bits: [8, 16, 10][Int(seed % 3)])
    photo.depth?.provenance = [
      ProvenanceStep(.rectified, "table: <42> & \"more\"\n'\u{1}\u{FFFF}'"),
      ProvenanceStep(name: "x", detail: "y"),
    ]
    photo.depth?.simulatedAperture = 4.5
    photo.depth?.blurRenderingParameters = "AAAA=="
    photo.depth?.quantity = seed % 2 == 0 ? .disparity : .depth
    let options = PhotoWritingOptions(companionCoding: .lossless)
    let bytes = try JPEGPhotoWriter().bytes(of: photo, options: options)
    #expect(bytes == (try JPEGPhotoWriter().bytes(of: photo, options: options)))
    let back = try Self.read(bytes)
    // Characters that XML has no place for are the only ones that change.
    photo.depth?.provenance[0].detail = "table: <42> & \"more\"\n'\u{FFFD}\u{FFFD}'"
    try Self.expectSame(back.depth, photo.depth, seed)
    #expect(back.color.size == photo.color.size)
    #expect(back.mattes.map(\.kind) == photo.mattes.map(\.kind))
    #expect(zip(back.mattes, photo.mattes).allSatisfy { $0.coverage == $1.coverage })
    #expect(back.gainMap?.samples == photo.gainMap?.samples)
    #expect(back.gainMap?.version == 131_072)
    #expect(back.gainMap?.headroom == 2.5)
    #expect(back.metadata.xmp == photo.metadata.xmp)
    #expect(back.metadata.iccProfile == photo.metadata.iccProfile)
    let exif = try ExifMetadata(tiff: try #require(back.metadata.exif)[...])
    #expect(exif.pixelXDimension == photo.color.width)
    #expect(exif.pixelYDimension == photo.color.height)
    let findings = try CaptureReader().capture(from: bytes).findings
    #expect(!findings.contains { $0.code.rawValue.hasPrefix("file") }, "\(findings)")
  }

  @Test("Taken through reading and writing ten times, depth and companions do not drift")
  func tenTimes() throws {
    var photo = SamplePhotos.photo(5)
    photo.depth?.provenance = [ProvenanceStep(name: "once", detail: "written")]
    let options = PhotoWritingOptions(companionCoding: .lossless)
    let first = try Self.read(JPEGPhotoWriter().bytes(of: photo, options: options))
    var last = first
    for _ in 0..<10 {
      last = try Self.read(JPEGPhotoWriter().bytes(of: last, options: options))
    }
    try Self.expectSame(last.depth, first.depth, 5)
    #expect(zip(last.mattes, first.mattes).allSatisfy { $0.coverage == $1.coverage })
    #expect(last.metadata == first.metadata)
  }

  @Test("Orientation is the photo's, with or without Exif", arguments: ImageOrientation.allCases)
  func orientation(orientation: ImageOrientation) throws {
    for exif in [nil, SamplePhotos.exif(orientation: 3), SamplePhotos.exif(orientation: nil)] {
      var photo = PhotoContents(color: SamplePhotos.image(1))
      photo.metadata.exif = exif
      photo.metadata.orientation = orientation
      photo.depth = SamplePhotos.depth(1)
      let back = try Self.read(JPEGPhotoWriter().bytes(of: photo))
      #expect(back.metadata.orientation == orientation)
      #expect(
        try CaptureReader().capture(from: JPEGPhotoWriter().bytes(of: photo)).depth?.orientation
          == orientation)
    }
  }

  @Test(
    "Google's layouts hold codes and ranges, too", arguments: [8, 16],
    [PhotoWritingOptions.DepthLayout.googleDepth, .dynamicDepth])
  func google(bits: Int, layout: PhotoWritingOptions.DepthLayout) throws {
    for quantity in PhotoDepth.Quantity.allCases {
      for seed in 0..<4 as Range<UInt64> {
        var photo = SamplePhotos.photo(seed)
        photo.depth = SamplePhotos.depth(seed, bits: bits, quantity: quantity)
        photo.depth?.accuracy = seed == 0 ? .relative : .absolute
        let options = PhotoWritingOptions(depthLayout: layout)
        let bytes = try JPEGPhotoWriter().bytes(of: photo, options: options)
        let back = try Self.read(bytes)
        let (read, written) = (try #require(back.depth), try #require(photo.depth))
        #expect(read.codes == written.codes)
        #expect(read.quantity == quantity)
        // Near and far are reciprocals of what the map's own range says.
        #expect(abs(read.quantization.minimumValue - written.quantization.minimumValue) < 1e-12)
        #expect(abs(read.quantization.maximumValue - written.quantization.maximumValue) < 1e-12)
        #expect(read.accuracy == (seed == 0 ? .relative : .unknown))
        if layout == .dynamicDepth {
          let pinhole = written.calibration?.intrinsics
          #expect(read.calibration?.intrinsics == pinhole)
        }
        #expect(back.mattes.count == 6)
        // Back to Apple's layout and out again.
        let apple = try JPEGPhotoWriter().edited(bytes, Self.replacing(written))
        try Self.expectSame(try Self.read(apple).depth, written, seed)
        var strip = PhotoEdit()
        strip.depth = .remove
        let stripped = try JPEGPhotoWriter().edited(bytes, strip)
        #expect(try Self.read(stripped).depth == nil)
        #expect(!stripped.containsText("depthmap/Data"))
      }
    }
  }

  static func replacing(_ depth: PhotoDepth) -> PhotoEdit {
    var edit = PhotoEdit()
    edit.depth = .replace(depth)
    return edit
  }

  @Test("A map with holes is refused by even steps in 1/m, and held by even steps in m")
  func googleHoles() throws {
    let map = DepthMap(
      meters: Raster(size: RasterSize(width: 16, height: 8)) { x, y in
        x == y ? .nan : Float(1 + x)
      })
    let record = DepthRecord(values: .depth(map), storedType: "f32")
    var photo = PhotoContents(color: SamplePhotos.image(2))
    let options = PhotoWritingOptions(depthLayout: .googleDepth)
    photo.depth = try PhotoDepth(record)
    #expect(photo.depth?.holeCount == 8)
    #expect(throws: PhotoWritingError.self) {
      try JPEGPhotoWriter().bytes(of: photo, options: options)
    }
    photo.depth = try PhotoDepth(record, quantity: .depth, bits: 16)
    let bytes = try JPEGPhotoWriter().bytes(of: photo, options: options)
    guard case .depth(let back)? = try CaptureReader().capture(from: bytes).depth?.values else {
      Issue.record("no depth")
      return
    }
    for (a, b) in zip(back.meters.samples, map.meters.samples) {
      #expect(a.isNaN == b.isNaN)
      // Half a step of 16 m in 65,535.
      if !b.isNaN { #expect(abs(a - b) < 1.3e-4) }
    }
  }

  @Test("What JPEG cannot hold is refused in words")
  func refusals() throws {
    var photo = PhotoContents(color: SamplePhotos.image(3))
    photo.depth = SamplePhotos.depth(3, bits: 16)
    let lossy = PhotoWritingOptions(depthCoding: .lossy(quality: 90))
    #expect(throws: PhotoWritingError.self) {
      try JPEGPhotoWriter().bytes(of: photo, options: lossy)
    }
    photo.depth = nil
    photo.metadata.xmp = [UInt8](repeating: 0x20, count: 70_000)
    #expect(throws: PhotoWritingError.self) { try JPEGPhotoWriter().bytes(of: photo) }
    photo.metadata.xmp = Array("<broken".utf8)
    #expect(throws: PhotoWritingError.self) { try JPEGPhotoWriter().bytes(of: photo) }
    photo.metadata.xmp = nil
    photo.metadata.exif = Array("no TIFF".utf8)
    #expect(throws: PhotoWritingError.self) { try JPEGPhotoWriter().bytes(of: photo) }
    photo.metadata.exif = nil
    photo.color = Raster(size: RasterSize(width: 65_501, height: 1), repeating: photo.color[0, 0])
    #expect(throws: PhotoWritingError.self) { try JPEGPhotoWriter().bytes(of: photo) }
  }
}

extension [UInt8] {
  /// Whether text occurs in the bytes.
  func containsText(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    var start = startIndex
    while let found = self[start...].firstIndex(of: first) {
      if self[found...].starts(with: wanted) { return true }
      start = found + 1
    }
    return false
  }
}
