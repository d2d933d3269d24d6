import PlumblineCapture
import PlumblineExport
import PlumblineIO
import PlumblineModel
import PlumblineScreens
import Testing

@Suite("The files of a shot")
struct ShotFilesTests {
  static func shot(_ photos: [TakenPhoto], dual: Bool = false) throws -> PhotoShot {
    var settings = DepthPhotoSettings.metrology
    settings.deliversDualPhotos = dual
    var delivery = PhotoDelivery(settings, of: .dual)
    delivery.begin(expectedCount: photos.count, hasFlash: false)
    for photo in photos { delivery.add(photo) }
    let result = delivery.finish()
    return try #require(result).get()
  }

  static let names = PhotoFileNames(time: "T")

  @Test("A plain photo is one file, byte for byte, and its verdict that of its bytes")
  func plain() throws {
    let bytes = try PhotoVerdictTests.demo("healthy-truedepth.jpg")
    let photo = TakenPhoto(file: bytes, capture: Capture(source: CaptureSource()))
    let shot = try Self.shot([photo])
    let checker = PhotoChecker()
    let files = checker.files(of: shot, container: .jpeg, names: Self.names)
    #expect(files.files.map(\.name) == ["T.jpg"] && files.files[0].bytes == bytes)
    #expect(files.photos == files.files && files.messages.isEmpty)
    let verdicts = checker.verdicts(on: shot, container: .jpeg, names: Self.names)
    #expect(verdicts == [checker.verdict(on: bytes, fileName: "T.jpg")])
  }

  @Test("Calibrations of dual photos are kept beside their photos, bit for bit")
  func calibrations() throws {
    let photos = (0..<2).map { index in
      var capture = Capture(source: CaptureSource(camera: .dual, interface: .avfoundation))
      capture.colorCalibration = CameraCalibration(
        intrinsics: PinholeIntrinsics(
          focalLength: [3000.125 + Double(index), 3001.1], principalPoint: [2015.3, 1511.7],
          size: RasterSize(width: 4032, height: 3024)))
      return TakenPhoto(file: [UInt8(index)], capture: capture)
    }
    let files = PhotoChecker().files(
      of: try Self.shot(photos, dual: true), container: .heif, names: Self.names)
    #expect(
      files.files.map(\.name) == [
        "T.heic", "T.calibration.json", "T-2.heic", "T-2.calibration.json",
      ])
    #expect(files.photos.map(\.bytes) == [[0], [1]])
    for (index, photo) in photos.enumerated() {
      let json = try JSONValue(parsing: files.files[2 * index + 1].bytes)
      let read = try CalibrationDocument(json)
      #expect(read.calibration?.intrinsics == photo.capture.colorCalibration?.intrinsics)
      #expect(read.origin.sourceSHA256 == SHA256Digest.hexadecimal(of: photo.file))
    }
  }

  @Test("A depth map that is not in the file is kept beside it, and judged")
  func besides() throws {
    let capture = Frames.capture { x, y in 0.5 + 0.01 * Float(x + y) }
    let shot = try Self.shot([TakenPhoto(file: [1, 2, 3], capture: capture)])
    let files = PhotoChecker().files(of: shot, container: .heif, names: Self.names)
    #expect(files.files.map(\.name) == ["T.heic", "T.depth.tiff"])
    #expect(files.files[1].bytes.count > 4 * Frames.size.pixelCount)
    let verdict = try #require(
      PhotoChecker().verdicts(on: shot, container: .heif, names: Self.names).first)
    #expect(verdict.headline != "Cannot be read" && verdict.figures.first?.contains("8×6") == true)
  }
}
