import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Creates a capture from a message whose header was read.
struct StreamFrameReader {
  let header: StreamFrameHeader
  let bytes: [UInt8]
  let limits: ReadingLimits
  /// The JSON members of each part.
  private let members: [JSONFields]

  init(
    header: StreamFrameHeader, bytes: [UInt8], limits: ReadingLimits
  ) throws(CaptureReadingError) {
    self.header = header
    self.bytes = bytes
    self.limits = limits
    members = try Self.reading { () throws(JSONReadingError) in
      try header.fields.list("parts") ?? []
    }
    precondition(
      header.parts.last.map { $0.place.upperBound == bytes.count } ?? true, "other bytes")
    try checkMemory()
  }

  /// Reads every known part.
  func capture() throws(CaptureReadingError) -> Capture {
    var capture = try Self.reading { () throws(JSONReadingError) in try surroundings() }
    try readDepth(into: &capture)
    if let (part, _) = part("color") { try readColor(part, into: &capture) }
    for (part, fields) in zip(header.parts, members) {
      guard part.name.hasPrefix("matte:"),
        let kind = Matte.Kind(rawValue: String(part.name.dropFirst(6)))
      else { continue }
      let orientation = try Self.reading { () throws(JSONReadingError) in
        try ImageOrientation.stream(fields)
      }
      capture.mattes.append(
        Matte(
          kind: kind, coverage: try map(part, .uint8),
          orientation: orientation ?? capture.colorOrientation))
    }
    return capture
  }

  private static func reading<Value>(
    _ body: () throws(JSONReadingError) -> Value
  ) throws(CaptureReadingError) -> Value {
    do throws(JSONReadingError) {
      return try body()
    } catch {
      throw CaptureReadingError(error, inside: ["header"])
    }
  }

  private func part(_ name: String) -> (StreamFrameHeader.Part, JSONFields)? {
    guard let index = header.parts.firstIndex(where: { $0.name == name }) else { return nil }
    return (header.parts[index], members[index])
  }

  /// Reads everything except the images.
  private func surroundings() throws(JSONReadingError) -> Capture {
    let fields = header.fields
    var capture = Capture(source: CaptureSource())
    if let source = try fields.fields("source") {
      capture.source = try CaptureSource(stream: source)
    }
    capture.timestampSeconds = header.timestampSeconds
    capture.colorOrientation = try ImageOrientation.stream(fields) ?? .up
    if let calibration = try fields.fields("colorCalibration") {
      capture.colorCalibration = try CameraCalibration(stream: calibration)
    }
    if let numbers = try fields.numbers("worldFromCamera", count: 16...16) {
      capture.worldFromCamera = RigidTransform(streamNumbers: numbers)
      guard capture.worldFromCamera != nil else {
        throw fields.failure(
          at: "worldFromCamera", expected: "4 × 4 numbers with a rotation, row by row",
          found: "\(numbers)")
      }
    }
    return capture
  }

  /// Rejects sizes over the limits before anything is decoded.
  private func checkMemory() throws(CaptureReadingError) {
    var total = 0
    for part in header.parts {
      let isColor = part.name == "color"
      let pixels = try limits.pixelCount(
        width: part.size.width, height: part.size.height,
        atMost: isColor ? limits.colorPixels : limits.auxiliaryPixels, path: [part.name])
      // Half precision becomes single precision; codes are stored together with their values.
      let perPixel = isColor ? (part.encoding == "raw" ? 3 : 0) : 8
      total += pixels * perPixel
      try limits.require(
        total, atMost: limits.decodedBytes, "bytes of decoded images", path: [part.name])
    }
  }

  private func readColor(
    _ part: StreamFrameHeader.Part, into capture: inout Capture
  ) throws(CaptureReadingError) {
    capture.colorSize = part.size
    if let kind = EncodedImage.Kind(rawValue: part.encoding) {
      guard !part.place.isEmpty else {
        throw CaptureReadingError(
          .malformed, path: ["color"], expected: "an image", found: "no bytes")
      }
      capture.colorFile = EncodedImage(kind, bytes: Array(bytes[part.place]))
      return
    }
    guard part.encoding == "raw", part.samples == "rgb8" else {
      throw CaptureReadingError(
        .unsupported, path: ["color"], expected: "jpeg, png, hevc or raw of rgb8",
        found: printable(text: "\(part.encoding) of \(part.samples ?? "nothing")".prefix(60)))
    }
    let count = part.size.pixelCount
    guard part.place.count == 3 * count else {
      throw CaptureReadingError(
        .malformed, path: ["color"], offset: part.place.lowerBound,
        expected: "\(3 * count) bytes", found: "\(part.place.count)")
    }
    let samples = bytes[part.place].withUnsafeBytes { source in
      [RGB8](unsafeUninitializedCapacity: count) { buffer, filled in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
        filled = count
      }
    }
    capture.color = Raster(size: part.size, samples: samples)
  }

  private func readDepth(into capture: inout Capture) throws(CaptureReadingError) {
    let meaning = try Self.reading { () throws(JSONReadingError) in
      try header.fields.fields("depth")
    }
    guard let (part, fields) = part("depth"), let meaning else {
      // Parts that belong to a depth map must not appear without one.
      let orphans = [
        "depth", "stored", "sigma", "confidence", "invented", "residual", "residualSigma",
      ].filter { self.part($0) != nil }
      guard meaning == nil, orphans.isEmpty else {
        throw CaptureReadingError(
          .missing, path: ["header"],
          expected: "both the part depth and the object depth, which says what its numbers mean",
          found: meaning == nil ? "no object depth" : "no part depth")
      }
      return
    }
    let kind = try Self.reading { () throws(JSONReadingError) in
      try meaning.required("kind", meaning.text)
    }
    let type = try samples(part, StreamSamples.allCases)
    var stored: StreamDepthCodes?
    let raster: Raster<Float>
    switch type {
    case .float32:
      raster = (try map(part, type) as Raster<UInt32>).map { Float(bitPattern: $0) }
    case .float16:
      raster = (try map(part, type) as Raster<UInt16>).map(HalfPrecision.value)
    case .uint8, .uint16:
      let (codes, law) = try codes(part, fields, type)
      raster = codes.values(law: law)
      stored = codes
    }
    guard let values = DepthRecord.Values(kind: kind, raster) else {
      throw CaptureReadingError(
        .unsupported, path: ["header", "depth", "kind"], expected: "depth, disparity or range",
        found: printable(text: kind.prefix(40)))
    }
    var record = DepthRecord(values: values, storedType: type.storedType(kind: kind))
    try Self.reading { () throws(JSONReadingError) in
      if let text = try meaning.text("storedType") { record.storedType = printable(text: text) }
      record.orientation =
        try ImageOrientation.stream(meaning) ?? capture.colorOrientation
      try record.apply(stream: meaning)
    }
    if stored == nil, let (part, fields) = self.part("stored"),
      // Floating-point numbers here are only for display; a capture has no place for them.
      ![StreamSamples.float16.rawValue, StreamSamples.float32.rawValue].contains(part.samples)
    {
      try requireSize(part, record.size)
      stored = try codes(part, fields, try samples(part, [.uint8, .uint16])).codes
    }
    record.storedSamples = stored?.samples
    record.quantization = stored?.quantization
    try readCompanions(of: &record)
    capture.depth = record
  }

  /// Reads the maps that accompany a depth map.
  private func readCompanions(of record: inout DepthRecord) throws(CaptureReadingError) {
    if let (part, _) = part("sigma") {
      try requireSize(part, record.size)
      record.sigmaMeters = try floats("sigma")
    }
    if let (part, fields) = part("confidence") {
      try requireSize(part, record.size)
      let levels = try Self.reading { () throws(JSONReadingError) in
        let levels = try fields.integer("levels") ?? 255
        guard let level = UInt8(exactly: levels) else {
          throw fields.failure(at: "levels", expected: "0 to 255", found: "\(levels)")
        }
        return level
      }
      record.confidence = ConfidenceMap(levels: try map(part, .uint8), maximumLevel: levels)
    }
    if let (part, _) = part("invented") {
      try requireSize(part, record.size)
      record.inventedPixels = try map(part, .uint8)
    }
    let (meters, sigma) = (try floats("residual"), try floats("residualSigma"))
    guard meters != nil || sigma != nil else { return }
    guard let meters, let sigma, meters.size == sigma.size else {
      throw CaptureReadingError(
        .malformed, path: ["residual"], expected: "residual and residualSigma of one size",
        found: "\(meters.map { "\($0.size)" } ?? "no residual"), "
          + "\(sigma.map { "\($0.size)" } ?? "no residualSigma")")
    }
    record.residual = DepthResidual(meters: meters, sigmaMeters: sigma)
  }

  /// A map of floating-point numbers of any size; `nil` if the part is absent.
  private func floats(_ name: String) throws(CaptureReadingError) -> Raster<Float>? {
    guard let (part, _) = part(name) else { return nil }
    if try samples(part, [.float16, .float32]) == .float16 {
      return (try map(part, .float16) as Raster<UInt16>).map(HalfPrecision.value)
    }
    return (try map(part, .float32) as Raster<UInt32>).map { Float(bitPattern: $0) }
  }

  private func requireSize(
    _ part: StreamFrameHeader.Part, _ size: RasterSize
  ) throws(CaptureReadingError) {
    guard part.size == size else {
      throw CaptureReadingError(
        .malformed, path: [part.name], expected: "the size of the depth map, \(size)",
        found: "\(part.size)")
    }
  }

  private func samples(
    _ part: StreamFrameHeader.Part, _ legal: [StreamSamples]
  ) throws(CaptureReadingError) -> StreamSamples {
    guard let samples = part.samples.flatMap({ StreamSamples(rawValue: $0) }),
      legal.contains(samples)
    else {
      throw CaptureReadingError(
        .unsupported, path: [part.name, "samples"],
        expected: legal.map(\.rawValue).joined(separator: ", "),
        found: printable(text: (part.samples ?? "nothing").prefix(40)))
    }
    return samples
  }

  private func codes(
    _ part: StreamFrameHeader.Part, _ fields: JSONFields, _ type: StreamSamples
  ) throws(CaptureReadingError) -> (codes: StreamDepthCodes, law: (Int) -> Double) {
    let samples: StoredSamples =
      type == .uint8
      ? .uint8(try map(part, type)) : .uint16(try map(part, type), bitDepth: 16)
    return try Self.reading { () throws(JSONReadingError) in
      try StreamDepthCodes.read(samples, fields)
    }
  }

  /// Decodes the bit patterns of a map's numbers.
  private func map<Code: StreamCode>(
    _ part: StreamFrameHeader.Part, _ type: StreamSamples
  ) throws(CaptureReadingError) -> Raster<Code> {
    _ = try samples(part, [type])
    guard let encoding = StreamMapEncoding(rawValue: part.encoding) else {
      throw CaptureReadingError(
        .unsupported, path: [part.name, "encoding"],
        expected: StreamMapEncoding.allCases.map(\.rawValue).joined(separator: ", "),
        found: printable(text: part.encoding.prefix(40)))
    }
    do throws(CaptureReadingError) {
      let codes: [Code] = try encoding.codes(
        bytes[part.place], width: part.size.width, height: part.size.height)
      return Raster(size: part.size, samples: codes)
    } catch {
      throw error.inside(part.name)
    }
  }
}
