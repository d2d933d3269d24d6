import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The cameras and images of a COLMAP model; its points are ignored.
///
/// - Source: colmap/colmap, doc/format.rst: little endian; `images` has two lines or records per
///   image, and the pose is camera from world with the real part of the quaternion first.
struct COLMAPModel {
  /// An image's pose.
  struct Image {
    var name: String
    var cameraID: UInt32
    var cameraFromWorld: RigidTransform?
  }

  var cameras: [UInt32: COLMAPCamera] = [:]
  var images: [Image] = []
  /// The number of lines that are not a valid camera or image.
  var damagedLines = 0

  /// The pose from seven numbers; `nil` if they are invalid.
  private static func pose(_ n: [Double]) -> RigidTransform? {
    guard n.count == 7, n.allSatisfy({ abs($0) <= 1e9 }),
      let rotation = Rotation(quaternion: [n[1], n[2], n[3], n[0]])
    else { return nil }
    return RigidTransform(rotation: rotation, translation: [n[4], n[5], n[6]])
  }

  /// Reads `cameras.txt` and `images.txt`.
  ///
  /// - Throws: `.limitExceeded`; an unreadable line is skipped.
  init(
    camerasText: [UInt8], imagesText: [UInt8], limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var lines = TextLines(camerasText[...])
    while let fields = lines.nextFields() {
      guard fields.count > 4, let id = UInt32(String(decoding: fields[0], as: UTF8.self)),
        case let name = String(decoding: fields[1], as: UTF8.self),
        let model = COLMAPCamera.Model.allCases.first(where: { $0.name == name }),
        let size = RecordedCalibration.size(TextLines.numbers(fields[2...3])),
        let parameters = TextLines.numbers(fields[4...]),
        parameters.count == model.parameterCount
      else {
        damagedLines += 1
        continue
      }
      cameras[id] = COLMAPCamera(model: model, size: size, parameters: parameters)
      try limits.require(cameras.count, atMost: limits.sequenceFrames, "cameras")
    }
    lines = TextLines(imagesText[...])
    // A name may contain blanks, so it is the rest of the line.
    while let fields = lines.nextFields(atMost: 10) {
      // A line of points follows each image, even if it is empty.
      defer { _ = lines.next() }
      guard fields.count == 10, let cameraID = UInt32(String(decoding: fields[8], as: UTF8.self)),
        let numbers = TextLines.numbers(fields[1...7])
      else {
        damagedLines += 1
        continue
      }
      images.append(
        Image(
          name: String(decoding: fields[9], as: UTF8.self), cameraID: cameraID,
          cameraFromWorld: Self.pose(numbers)))
      try limits.require(images.count, atMost: limits.sequenceFrames, "images")
    }
  }

  /// Reads `cameras.bin` and `images.bin`.
  ///
  /// - Throws: `.malformed` with the byte offset of the damage; `.unsupported` for a camera model
  ///   with an unknown number of parameters; `.limitExceeded`.
  init(
    camerasBinary: [UInt8], imagesBinary: [UInt8], limits: ReadingLimits
  ) throws(CaptureReadingError) {
    var reader = ByteReader(camerasBinary[...], endianness: .little, path: ["cameras.bin"])
    for _ in 0..<(try Self.count(&reader, "cameras", limits)) {
      let id = try reader.readUInt32("a camera's number")
      let number = Int32(bitPattern: try reader.readUInt32("a camera model"))
      guard let model = COLMAPCamera.Model(rawValue: number) else {
        throw CaptureReadingError(
          .unsupported, path: reader.path, offset: reader.offset,
          expected: "a camera model from 0 to 10", found: "\(number)")
      }
      let sides = [
        Double(try reader.readUInt64("a width")), Double(try reader.readUInt64("a height")),
      ]
      let parameters = try Self.numbers(&reader, model.parameterCount)
      guard let size = RecordedCalibration.size(sides) else {
        throw reader.malformed(expected: "the size of an image", found: "\(sides[0])×\(sides[1])")
      }
      cameras[id] = COLMAPCamera(model: model, size: size, parameters: parameters)
    }
    reader = ByteReader(imagesBinary[...], endianness: .little, path: ["images.bin"])
    for _ in 0..<(try Self.count(&reader, "images", limits)) {
      try reader.skip(4, as: "an image's number")
      let numbers = try Self.numbers(&reader, 7)
      let cameraID = try reader.readUInt32("a camera's number")
      let name = try reader.readNulTerminatedString(maximumLength: 4096, as: "an image's name")
      let points = try reader.readUInt64("the number of points")
      guard points <= UInt64(reader.remaining / 24) else {
        throw reader.malformed(
          expected: "\(points) points of 24 bytes", found: "\(reader.remaining) bytes left")
      }
      try reader.skip(Int(points) * 24)
      images.append(Image(name: name, cameraID: cameraID, cameraFromWorld: Self.pose(numbers)))
    }
  }

  private static func count(
    _ reader: inout ByteReader, _ what: String, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> Int {
    let count = try reader.readUInt64("the number of \(what)")
    guard let whole = Int(exactly: count) else {
      throw reader.malformed(expected: "a number of \(what)", found: "\(count)")
    }
    try limits.require(whole, atMost: limits.sequenceFrames, what, path: reader.path)
    return whole
  }

  private static func numbers(
    _ reader: inout ByteReader, _ count: Int
  ) throws(CaptureReadingError) -> [Double] {
    var numbers: [Double] = []
    for _ in 0..<count {
      numbers.append(Double(bitPattern: try reader.readUInt64("a number of 64 bits")))
    }
    return numbers
  }
}
