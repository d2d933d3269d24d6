import PlumblineImages
import PlumblineIO
package import PlumblineModel
package import PlumblineStreams

/// Writes a data set for training with nerfstudio and Gaussian splatting programs:
/// `transforms.json`, `images/` and `depth/`; see `Documentation/formats/nerfstudio.md`.
///
/// Each frame has its own focal lengths and principal point, and its depth map in integer
/// millimeters. Worlds with +Y up are converted to +Z up, and `applied_transform` records it. Color
/// is stored losslessly as PNG. `transforms.json` is written last and needs about 700 bytes of
/// memory per frame.
package struct NerfstudioRecordingWriter: RecordingWriter {
  /// The aspects that the format preserves; depth is rounded to millimeters.
  package static let aspects: Set<RecordingAspect> = [
    .color, .timestamps, .intrinsics, .intrinsicsPerFrame, .distortion, .poses,
  ]
  package static let format = "nerfstudio"
  /// A key that only this program reads: it states that the directions of the world's axes are
  /// unknown.
  static let axesKey = "plumbline_world_axes"

  private let output: any RecordingOutput
  private let header: RecordingHeader
  private var number = 0
  private var hasDepth: Bool?
  private var frames: [UInt8] = []

  /// Creates a writer for a new folder.
  package init(output: any RecordingOutput, header: RecordingHeader) {
    self.output = output
    self.header = header
  }

  /// `fileFromWorld`: maps +Y to +Z if +Y is up.
  ///
  /// The file's axes are x, −z and y of the world, so numbers change only their positions and
  /// signs.
  private var fileFromWorld: RigidTransform {
    guard header.worldAxes == .yUp else { return .identity }
    return .zUpFromYUp
  }

  /// Writes a frame's images.
  ///
  /// - Throws: `.unrepresentable` for a frame without color image, pose or camera, and if only some
  ///   frames have a depth map: nerfstudio requires all or none.
  package mutating func append(_ capture: Capture, name: String) throws(RecordingWritingError) {
    let image = try PosedImage(capture, format: Self.format, frame: name)
    guard let color = image.color else {
      throw .unrepresentable(
        format: Self.format, frame: name, expected: "a color image", found: "none")
    }
    guard hasDepth == nil || hasDepth == (image.depth != nil) else {
      throw .unrepresentable(
        format: Self.format, frame: name, expected: "depth maps in all frames or in none",
        found: image.depth == nil ? "a frame without" : "one after frames without")
    }
    number += 1
    let file = "frame_\(number.digits(atLeast: 5)).png"
    let encoder = PNGEncoder(level: 3)
    try output.write(encoder.encoded(color), to: "images/\(file)")
    if let depth = image.depth { try output.write(encoder.encoded(depth), to: "depth/\(file)") }
    hasDepth = image.depth != nil
    let members = members(of: image, file: file, capture.timestampSeconds)
    if !frames.isEmpty { frames += Array(",\n".utf8) }
    frames += JSONWriter(layout: .compact).bytes(.object(members))
  }

  private func members(
    of image: PosedImage, file: String, _ timestamp: Double?
  ) -> [(key: String, value: JSONValue)] {
    // In this format the first pixel's center is (½, ½).
    let point = image.intrinsics.principalPoint + 0.5
    let rows = (fileFromWorld * image.worldFromCamera)
      .cameraAxes(.computerVision, to: .graphics).homogeneousRowMajor
    var members: [(key: String, value: JSONValue)] = [
      ("file_path", .string("images/\(file)")),
      ("fl_x", .number(image.intrinsics.focalLength.x)),
      ("fl_y", .number(image.intrinsics.focalLength.y)),
      ("cx", .number(point.x)), ("cy", .number(point.y)),
      ("w", .integer(image.intrinsics.size.width)), ("h", .integer(image.intrinsics.size.height)),
    ]
    if image.radial != .zero {
      members += [
        ("k1", .number(image.radial.x)), ("k2", .number(image.radial.y)),
        ("k3", .number(image.radial.z)),
      ]
    }
    members.append(("transform_matrix", Self.matrix(rows)))
    if image.depth != nil { members.append(("depth_file_path", .string("depth/\(file)"))) }
    if let timestamp { members.append(("timestamp", .number(timestamp))) }
    return members
  }

  private static func matrix(_ rows: [Double]) -> JSONValue {
    .array(
      stride(from: 0, to: rows.count, by: 4).map { start in
        .array(rows[start..<start + 4].map { .number($0) })
      })
  }

  /// The format has no place for motion samples.
  package mutating func append(motion samples: [MotionSample]) {}

  /// Writes `transforms.json`.
  ///
  /// - Throws: `.unrepresentable` without frames; `.output`.
  package mutating func finish() throws(RecordingWritingError) {
    guard !frames.isEmpty else {
      throw .noFrames(Self.format)
    }
    var members: [(key: String, value: JSONValue)] = [
      ("camera_model", "OPENCV"), ("generator", .string("plumbline; \(header.origin)")),
    ]
    if header.worldAxes == .yUp {
      members.append(("applied_transform", Self.matrix(fileFromWorld.rowMajor)))
    }
    if header.worldAxes == .unknown {
      members.append((Self.axesKey, .string(header.worldAxes.rawValue)))
    }
    // The frames are already text; they replace the last brace of the object.
    var text = JSONWriter(layout: .compact).bytes(.object(members))
    text.removeLast()
    try output.write(
      text + Array(",\"frames\":[\n".utf8) + frames + Array("\n]}\n".utf8), to: "transforms.json")
  }
}
