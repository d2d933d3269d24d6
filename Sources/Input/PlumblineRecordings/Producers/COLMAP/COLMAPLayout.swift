import PlumblineIO
import PlumblineImages
import PlumblineModel

/// COLMAP projects: a model and its images; see `Documentation/formats/colmap.md`.
enum COLMAPLayout: RecordingLayout {
  static let name = "COLMAP"
  static let signs = "cameras.txt and images.txt, or cameras.bin and images.bin, in sparse/0"
  /// The usual locations of the model, the most common first.
  private static let places = ["sparse/0/", "sparse/", ""]

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    model(folder) != nil
  }

  /// The path to the project folder, the path of the model inside it, and the ending of its files.
  private static func model(
    _ folder: any CaptureFolder
  ) -> (root: String, place: String, ending: String)? {
    for place in places {
      // COLMAP itself prefers the binary form.
      for ending in [".bin", ".txt"] {
        guard
          let root = folder.pathOfFolder(
            withFileAtDepth: place.count { $0 == "/" }, where: { $0 == place + "cameras" + ending }),
          folder.fileNames.contains(root + place + "images" + ending)
        else { continue }
        return (root, place, ending)
      }
    }
    return nil
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard let found = model(folder) else {
      throw CaptureReadingError(.missing, path: [name], expected: signs, found: "none")
    }
    let project = Subfolder(folder, path: found.root)
    let cameraFile = found.place + "cameras" + found.ending
    let imageFile = found.place + "images" + found.ending
    let cameras = try project.bytes(of: cameraFile)
    let images = try project.bytes(of: imageFile)
    var model =
      found.ending == ".bin"
      ? try COLMAPModel(camerasBinary: cameras, imagesBinary: images, limits: limits)
      : try COLMAPModel(camerasText: cameras, imagesText: images, limits: limits)
    guard !model.images.isEmpty else {
      throw CaptureReadingError(
        .missing, path: [imageFile], expected: "one image or more", found: "none")
    }
    model.images.sort { NaturalOrder.precedes($0.name, $1.name) }
    var finder = COLMAPFiles(Set(project.fileNames), place: found.place)
    let frames = model.images.map { finder.frame($0, model.cameras) }
    let names = Recording.frameNames(ofPaths: model.images.map(\.name))
    var findings = finder.findings(names)
    if model.damagedLines > 0 {
      findings.append(
        Finding(
          .fileDamagedMetadata, .caution,
          "\(model.damagedLines) lines are no camera or image of a known form",
          evidence: "\(cameraFile), \(imageFile)"))
    }
    return Recording(layout: name, frames: Recording.frames(named: names), findings: findings) {
      index, color throws(CaptureReadingError) in
      try frames[index].capture(from: project, limits: limits, color: color)
    }
  }
}

/// Finds the image files that a model names.
struct COLMAPFiles {
  private let files: Set<String>
  private let place: String
  private var refused: [Int] = []
  private var absent: [Int] = []
  private var poseless: [Int] = []
  private var count = 0

  init(_ files: Set<String>, place: String) {
    self.files = files
    self.place = place
  }

  /// Creates the frame of one image.
  mutating func frame(
    _ image: COLMAPModel.Image, _ cameras: [UInt32: COLMAPCamera]
  ) -> PosedFrame {
    defer { count += 1 }
    var frame = PosedFrame(source: CaptureSource())
    let evidence = printable(text: image.name)
    frame.worldFromCamera = image.cameraFromWorld?.inverse
    if frame.worldFromCamera == nil { poseless.append(count) }
    if let camera = cameras[image.cameraID] {
      let (calibration, findings) = camera.calibration(evidence: evidence)
      frame.calibration = calibration
      frame.findings += findings
    } else {
      frame.findings.append(
        Finding(
          .calibrationMissing, .caution, "the model has no camera \(image.cameraID)",
          evidence: evidence))
    }
    guard let name = RelativePath.normalized(image.name) else {
      refused.append(count)
      return frame
    }
    frame.colorFile = ["images/" + name, name].first(where: files.contains)
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    let map = "stereo/depth_maps/\(name).geometric.bin"
    if files.contains("depth/\(stem).png") {
      frame.depthFile = PosedFrame.DepthFile(png: "depth/\(stem).png")
    } else if files.contains(map) {
      frame.depthFile = PosedFrame.DepthFile(
        map,
        steps: [
          ProvenanceStep(
            .read, "depth in the unit of the model, which is that of its poses; 0 is none")
        ]
      ) { bytes, limits throws(CaptureReadingError) in
        try COLMAPDepthMap.record(bytes, limits: limits)
      }
    }
    if frame.colorFile == nil, frame.depthFile == nil { absent.append(count) }
    return frame
  }

  /// The findings about data that frames lack, with the frames' names.
  func findings(_ names: [String]) -> [Finding] {
    [
      Recording.finding(
        .sequenceRefusedPaths, .caution, refused.map { names[$0] }, of: names.count,
        lack: "name images by absolute paths or outside of the folder; these are not read"),
      Recording.finding(
        .sequenceIncompleteFrames, .caution, absent.map { names[$0] }, of: names.count,
        lack: "have neither an image nor a depth map in this folder"),
      Recording.finding(
        .sequencePosesMissing, .caution, poseless.map { names[$0] }, of: names.count,
        lack: "have no pose of a unit quaternion and a translation"),
    ].compactMap(\.self)
  }
}

/// A dense depth map of COLMAP: `width&height&channels&`, then floats, row after row.
///
/// Depth has the unit of the model, whose scale is unknown unless it was set.
/// - Source: colmap/colmap, doc/format.rst, "Depth and Normal Maps".
enum COLMAPDepthMap {
  /// Reads a file.
  ///
  /// - Throws: `.malformed` for damage, `.limitExceeded` before anything is allocated.
  static func record(
    _ bytes: [UInt8], limits: ReadingLimits
  ) throws(CaptureReadingError) -> DepthRecord {
    let path = ["COLMAP depth map"]
    var numbers: [Int] = []
    var start = 0
    while numbers.count < 3 {
      // Ten digits are more than any image side has.
      guard let end = bytes[start...].prefix(11).firstIndex(of: UInt8(ascii: "&")),
        let number = Int(String(decoding: bytes[start..<end], as: UTF8.self)), number > 0
      else {
        throw CaptureReadingError(
          .malformed, path: path, offset: start, expected: "width&height&1&",
          found: printable(bytes[start...].prefix(11)))
      }
      numbers.append(number)
      start = end + 1
    }
    let count = try limits.pixelCount(
      width: numbers[0], height: numbers[1], atMost: limits.auxiliaryPixels, path: path)
    var reader = ByteReader(bytes[start...], endianness: .little, path: path)
    guard numbers[2] == 1, reader.remaining == 4 * count else {
      throw reader.malformed(
        expected: "\(count) numbers of 32 bits in one channel",
        found: "\(reader.remaining) bytes in \(numbers[2])")
    }
    var samples: [Float] = []
    samples.reserveCapacity(count)
    for _ in 0..<count { samples.append(Float(bitPattern: try reader.readUInt32())) }
    let map = DepthMap(
      meters: Raster(
        size: RasterSize(width: numbers[0], height: numbers[1]), samples: samples))
    var record = DepthRecord(values: .depth(map), storedType: "float32", accuracy: .unknown)
    record.hasUnit = false
    return record
  }
}
