import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

/// What other programs see in written JPEG photos.
@Suite("JPEG photos and other programs")
struct JPEGPhotoPeerTests {
  private static let script = "written_photo.py"
  static let hasPrograms =
    (try? PythonPeer.evaluate(
      "import shutil, sys; sys.exit(0 if shutil.which('exiftool') and shutil.which('ffmpeg') else 3)"
    )) != nil

  private static func ask(_ arguments: String...) throws -> [UInt8] {
    try PythonPeer.run(script, arguments: arguments)
  }

  private static func text(_ arguments: String...) throws -> String {
    let bytes = try PythonPeer.run(script, arguments: arguments)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: " ")
  }

  @Test(
    "Pillow finds every image, its samples, the orientation and the profile",
    .enabled(if: PythonPeer.has("PIL"), "\(PythonPeer.absence("PIL"))"))
  func pillow() throws {
    var photo = SamplePhotos.photo(4)
    photo.metadata.orientation = .right
    let options = PhotoWritingOptions(
      depthCoding: .lossy(quality: 100), companionCoding: .lossy(quality: 100))
    let bytes = try JPEGPhotoWriter().bytes(of: photo, options: options)
    let folder = try TemporaryFolder()
    try folder.put(bytes, at: "photo.jpg")
    let file = folder.file("photo.jpg")
    #expect(try Self.text("frames", file) == "9")
    #expect(try Self.text("exif", file) == "6 70000")
    guard case .uint8(let codes)? = photo.depth?.codes else { return }
    let depth = try Self.ask("frame", file, "2")
    // Quality 100 quantizes by 1; what remains is the rounding of the transform.
    #expect(zip(depth, codes.samples).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    #expect(depth.count == codes.samples.count)
  }

  @Test(
    "ExifTool finds images and properties, FFmpeg the lossless codes",
    .enabled(if: hasPrograms, "no ExifTool and FFmpeg on the path"), arguments: [8, 16])
  func exifToolAndFFmpeg(bits: Int) throws {
    var photo = SamplePhotos.photo(12, bits: bits)
    photo.depth?.accuracy = .absolute
    photo.depth?.provenance = [ProvenanceStep(.rectified, "as <tested>")]
    let bytes = try JPEGPhotoWriter().bytes(of: photo)
    let folder = try TemporaryFolder()
    try folder.put(bytes, at: "photo.jpg")
    let depth = try Self.ask("image", folder.file("photo.jpg"), "3")
    #expect(depth == Array(try JPEGFile(bytes[...]).images[2].bytes))
    try folder.put(depth, at: "depth.jpg")
    let file = folder.file("depth.jpg")
    let written = try #require(photo.depth)
    #expect(
      Double(try Self.text("tag", file, "FloatMinValue")) == written.quantization.minimumValue)
    #expect(
      Double(try Self.text("tag", file, "FloatMaxValue")) == written.quantization.maximumValue)
    #expect(try Self.text("tag", file, "IntMaxValue") == "\(written.codes.maximumCode)")
    #expect(try Self.text("tag", file, "AuxiliaryImageType") == "disparity")
    #expect(try Self.text("tag", file, "Accuracy") == "absolute")
    #expect(try Self.text("tag", file, "Provenance") == "rectified: as <tested>")
    let matrix = try Self.text("tag", file, "IntrinsicMatrix").split(separator: " ")
    #expect(matrix.compactMap { Double($0) }.first == written.calibration?.intrinsics.focalLength.x)
    let samples = try Self.ask("lossless", file)
    let values = stride(from: 0, to: samples.count - 1, by: 2).map {
      Int(samples[$0]) | Int(samples[$0 + 1]) << 8
    }
    switch written.codes {
    case .uint8(let raster): #expect(values == raster.samples.map { Int($0) * 257 })
    case .uint16(let raster, _): #expect(values == raster.samples.map { Int($0) })
    }
  }

  @Test(
    "ExifTool takes the map out of GDepth", .enabled(if: hasPrograms, "no ExifTool on the path"))
  func gdepth() throws {
    var photo = SamplePhotos.photo(13)
    photo.depth = SamplePhotos.depth(13, quantity: .depth)
    let bytes = try JPEGPhotoWriter().bytes(
      of: photo, options: PhotoWritingOptions(depthLayout: .googleDepth))
    let folder = try TemporaryFolder()
    try folder.put(bytes, at: "photo.jpg")
    let file = folder.file("photo.jpg")
    #expect(try Self.text("tag", file, "XMP-GDepth:MeasureType") == "OpticalAxis")
    let image = try Self.ask("tag", file, "DepthImage")
    #expect(try PNGImage(image[...]).storedSamples() == photo.depth?.codes)
  }
}
