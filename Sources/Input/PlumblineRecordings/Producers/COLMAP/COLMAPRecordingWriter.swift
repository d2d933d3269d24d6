import PlumblineImages
import PlumblineIO
package import PlumblineModel
package import PlumblineStreams

/// Writes a COLMAP project: `images/`, `depth/` and the model in `sparse/0/`; see
/// `Documentation/formats/colmap.md`.
///
/// Frames with equal intrinsics share a camera. Color is PNG. COLMAP defines no place for depth
/// before dense reconstruction, so depth lies in its own folder as PNG of 16 bits in millimeters.
/// There are no points. The model is written last and needs about 300 bytes of memory per frame.
package struct COLMAPRecordingWriter: RecordingWriter {
  /// The two encodings of a model; programs read both.
  package enum Encoding: String, Sendable, CaseIterable {
    /// `.txt`; numbers have enough digits to be read back exactly.
    case text
    /// `.bin`.
    case binary
  }

  /// The aspects that the format preserves; depth is rounded to millimeters.
  package static let aspects: Set<RecordingAspect> = [
    .color, .intrinsics, .intrinsicsPerFrame, .distortion, .poses,
  ]
  private static let format = "COLMAP"

  private let output: any RecordingOutput
  private let header: RecordingHeader
  private let encoding: Encoding
  private var cameraIDs: [COLMAPCamera: UInt32] = [:]
  private var cameras: [COLMAPCamera] = []
  private var imageCount: UInt32 = 0
  private var images: [UInt8] = []

  /// Creates a writer for a new folder.
  package init(
    output: any RecordingOutput, header: RecordingHeader, encoding: Encoding = .text
  ) {
    self.output = output
    self.header = header
    self.encoding = encoding
  }

  /// Writes a frame's images.
  ///
  /// - Throws: `.unrepresentable` for a frame without pose or camera. A frame without color image
  ///   is still added to the model, with the name of a file that does not exist.
  package mutating func append(_ capture: Capture, name: String) throws(RecordingWritingError) {
    let image = try PosedImage(capture, format: Self.format, frame: name)
    imageCount += 1
    let file = "frame_\(Int(imageCount).digits(atLeast: 5)).png"
    let encoder = PNGEncoder(level: 3)
    if let color = image.color { try output.write(encoder.encoded(color), to: "images/\(file)") }
    if let depth = image.depth { try output.write(encoder.encoded(depth), to: "depth/\(file)") }
    let camera = COLMAPCamera(image.intrinsics, radial: image.radial)
    let cameraID = cameraIDs[camera] ?? UInt32(cameras.count + 1)
    if cameraIDs[camera] == nil {
      cameraIDs[camera] = cameraID
      cameras.append(camera)
    }
    let cameraFromWorld = image.worldFromCamera.inverse
    let q = cameraFromWorld.rotation.quaternion
    let t = cameraFromWorld.translation
    let pose = [q.w, q.x, q.y, q.z, t.x, t.y, t.z]
    switch encoding {
    case .text:
      let numbers = pose.map(\.description).joined(separator: " ")
      images += Array("\(imageCount) \(numbers) \(cameraID) \(file)\n\n".utf8)
    case .binary:
      images.appendLittleEndian(imageCount)
      for number in pose { images.appendLittleEndian(number.bitPattern) }
      images.appendLittleEndian(cameraID)
      images += Array(file.utf8) + [0]
      images.appendLittleEndian(UInt64(0))
    }
  }

  /// The format has no place for motion samples.
  package mutating func append(motion samples: [MotionSample]) {}

  /// Writes the model.
  ///
  /// - Throws: `.unrepresentable` without frames; `.output`.
  package mutating func finish() throws(RecordingWritingError) {
    guard imageCount > 0 else {
      throw .noFrames(Self.format)
    }
    switch encoding {
    case .text: try finishText()
    case .binary: try finishBinary()
    }
  }

  private func finishText() throws(RecordingWritingError) {
    // The origin must be one line, whatever a recording's name contains.
    let origin = printableLine(header.origin)
    let cameraLines = cameras.enumerated().map { index, camera in
      let numbers = camera.parameters.map(\.description).joined(separator: " ")
      return
        "\(index + 1) \(camera.model.name) \(camera.size.width) \(camera.size.height) \(numbers)\n"
    }
    try output.write(
      Array(
        ("# plumbline; \(origin)\n# CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n"
          + cameraLines.joined()).utf8), to: "sparse/0/cameras.txt")
    let legend =
      "# plumbline; \(origin)\n# IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME\n"
      + "# POINTS2D[] as (X, Y, POINT3D_ID)\n"
    try output.write(Array(legend.utf8) + images, to: "sparse/0/images.txt")
    try output.write(
      Array("# POINT3D_ID, X, Y, Z, R, G, B, ERROR, TRACK[] as (IMAGE_ID, POINT2D_IDX)\n".utf8),
      to: "sparse/0/points3D.txt")
  }

  private func printableLine(_ text: String) -> String { printable(text: text.prefix(200)) }

  private func finishBinary() throws(RecordingWritingError) {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(UInt64(cameras.count))
    for (index, camera) in cameras.enumerated() {
      bytes.appendLittleEndian(UInt32(index + 1))
      bytes.appendLittleEndian(camera.model.rawValue)
      bytes.appendLittleEndian(UInt64(camera.size.width))
      bytes.appendLittleEndian(UInt64(camera.size.height))
      for number in camera.parameters { bytes.appendLittleEndian(number.bitPattern) }
    }
    try output.write(bytes, to: "sparse/0/cameras.bin")
    var count: [UInt8] = []
    count.appendLittleEndian(UInt64(imageCount))
    try output.write(count + images, to: "sparse/0/images.bin")
    try output.write([UInt8](repeating: 0, count: 8), to: "sparse/0/points3D.bin")
  }
}
