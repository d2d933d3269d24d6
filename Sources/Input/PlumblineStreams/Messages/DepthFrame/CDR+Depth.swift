package import PlumblineIO
package import PlumblineModel

extension CDRWriter {
  /// Appends an optional depth map, with the values that are not in an image message.
  package mutating func write(_ record: DepthRecord?, _ image: DepthImageReference?) {
    write(UInt32(record == nil ? 0 : 1))
    guard let record else { return }
    let (kind, values) = record.values.parts
    write(kind)
    write(record.size)
    write(image?.topic ?? "")
    write(image?.rule.rawValue ?? "")
    write(image?.residuals ?? [])
    write(image?.exceptions ?? values.packed.samples)
    write(record.storedType)
    write(optional: record.nativeType)
    write(record.accuracy.rawValue)
    write(record.hasUnit)
    write(optional: record.isFiltered)
    write(optional: record.quality)
    write(optional: record.calibration)
    write(optional: record.calibrationUncertainty)
    write(optional: record.isRectified)
    let clip = record.cleanAperture.map { [$0.x, $0.y, $0.size.width, $0.size.height] } ?? []
    write(UInt32(clip.count))
    for number in clip { write(Int32(clamping: number)) }
    write(UInt8(record.orientation.rawValue))
    write(optional: record.confidence?.levels)
    write(record.confidence?.maximumLevel ?? 0)
    write(UInt32(record.sigmaMeters == nil ? 0 : 1))
    if let sigma = record.sigmaMeters {
      write(sigma.size)
      write(sigma.packed.samples)
    }
    write(optional: record.inventedPixels)
    write(record.storedSamples)
    write(UInt32(record.quantization == nil ? 0 : 2))
    if let rule = record.quantization {
      write(Int64(rule.minimumCode))
      write(Int64(rule.maximumCode))
    }
    write(record.quantization.map { [$0.minimumValue, $0.maximumValue] } ?? [])
  }

  private mutating func write(optional raster: Raster<UInt8>?) {
    write(UInt32(raster == nil ? 0 : 1))
    guard let raster else { return }
    write(raster.size)
    write(raster.packed.samples)
  }

  private mutating func write(_ samples: StoredSamples?) {
    var bits = 0
    switch samples {
    case .uint8(let codes):
      write(optional: codes)
      write(UInt32(0))
      bits = 8
    case .uint16(let codes, let bitDepth):
      write(UInt32(0))
      write(UInt32(1))
      write(codes.size)
      write(codes.packed.samples)
      bits = bitDepth
    case nil:
      write(UInt32(0))
      write(UInt32(0))
    }
    write(UInt8(clamping: bits))
  }
}

extension DepthRecord.Values {
  /// The name of the kind, and the values.
  package var parts: (kind: String, raster: Raster<Float>) {
    switch self {
    case .depth(let map): ("depth", map.meters)
    case .disparity(let map): ("disparity", map.inverseMeters)
    case .range(let map): ("range", map.meters)
    }
  }

  /// Creates values of a named kind; `nil` for an unknown kind.
  package init?(kind: String, _ raster: Raster<Float>) {
    switch kind {
    case "depth": self = .depth(DepthMap(meters: raster))
    case "disparity": self = .disparity(DisparityMap(inverseMeters: raster))
    case "range": self = .range(RangeMap(meters: raster))
    default: return nil
    }
  }
}

extension CDRReader {
  /// Reads an optional depth map, its size, and the reference to the image with its values.
  package mutating func readDepth() throws(CaptureReadingError) -> (
    DepthRecord?, size: RasterSize?, image: DepthImageReference?
  ) {
    guard try readCount("depth maps", minimumBytes: 64, atMost: 1) == 1 else {
      return (nil, nil, nil)
    }
    let kind = try readString("the kind")
    let size = try readSize("the depth map")
    let image = try readImageReference(kind, size)
    let values = image == nil ? try readFloats("the values") : []
    guard values.count == (image == nil ? size.pixelCount : 0),
      let map = DepthRecord.Values(
        kind: kind,
        Raster(size: image == nil ? size : RasterSize(width: 0, height: 0), samples: values))
    else {
      throw malformed(
        expected: "\(size) values of depth, disparity or range, or the topic of an image",
        found: "\(values.count) of \(printable(text: kind.prefix(20)))")
    }
    var record = DepthRecord(values: map, storedType: try readText("the stored type"))
    record.nativeType = try readOptionalString("the native type")
    record.accuracy = DepthRecord.Accuracy(rawValue: try readString("the accuracy")) ?? .unknown
    record.hasUnit = try readBool("has_unit")
    record.isFiltered = try readOptionalBool("is_filtered")
    record.quality = try readOptionalString("the quality")
    record.calibration = try readCalibration()
    record.calibrationUncertainty = try readUncertainty()
    record.isRectified = try readOptionalBool("is_rectified")
    record.cleanAperture = try readCleanAperture(of: size)
    record.orientation = try readOrientation()
    let levels = try readRaster8("the confidence")
    let maximum = try readUInt8("the highest confidence")
    record.confidence = levels.map { ConfidenceMap(levels: $0, maximumLevel: maximum) }
    record.sigmaMeters = try readRaster("the sigma") { reader throws(CaptureReadingError) in
      try reader.readFloats("the sigma")
    }
    record.inventedPixels = try readRaster8("the invented pixels")
    record.storedSamples = try readStoredSamples()
    // All of these must have the size of the map, since their users rely on it.
    let sizes = [
      record.confidence?.levels.size, record.sigmaMeters?.size, record.inventedPixels?.size,
      record.storedSamples?.size,
    ]
    for other in sizes.compactMap(\.self) where other != size {
      throw malformed(expected: "rasters of \(size) like the map", found: "one of \(other)")
    }
    record.quantization = try readQuantization()
    return (record, size, image)
  }

  /// Reads the optional reference to the image with the values.
  private mutating func readImageReference(
    _ kind: String, _ size: RasterSize
  ) throws(CaptureReadingError) -> DepthImageReference? {
    let topic = try readString("the image's topic")
    let ruleName = try readString("the image's rule")
    let residuals = Array(try readBytes("the residuals"))
    if topic.isEmpty, ruleName.isEmpty, residuals.isEmpty { return nil }
    guard let rule = DepthImageReference.Rule(rawValue: ruleName), !topic.isEmpty,
      rule.kind == kind, residuals.isEmpty || residuals.count == size.pixelCount
    else {
      throw malformed(
        expected: "a rule of \(printable(text: kind.prefix(20))) and none or \(size) residuals",
        found: "\(printable(text: ruleName.prefix(20))) and \(residuals.count) residuals")
    }
    let exceptions = try readFloats("the values")
    let count = residuals.count { $0 == DepthImageReference.exceptionMark }
    guard exceptions.count == count else {
      throw malformed(expected: "\(count) values", found: "\(exceptions.count)")
    }
    return DepthImageReference(
      topic: topic, rule: rule, residuals: residuals, exceptions: exceptions)
  }

  private mutating func readCleanAperture(
    of size: RasterSize
  ) throws(CaptureReadingError) -> PixelRectangle? {
    let count = try readCount("numbers of the clean aperture", minimumBytes: 4, atMost: 4)
    guard count > 0 else { return nil }
    var numbers: [Int] = []
    for _ in 0..<count { numbers.append(Int(try readInt32("the clean aperture"))) }
    guard count == 4, numbers[2] > 0, numbers[3] > 0 else {
      throw malformed(expected: "a clean aperture of four numbers", found: "\(numbers)")
    }
    let rectangle = PixelRectangle(
      x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    guard rectangle.isInside(size) else {
      throw malformed(expected: "a clean aperture inside \(size)", found: "\(numbers)")
    }
    return rectangle
  }

  private mutating func readRaster<Sample>(
    _ what: String,
    _ samples: (inout CDRReader) throws(CaptureReadingError) -> [Sample]
  ) throws(CaptureReadingError) -> Raster<Sample>? {
    guard try readCount(what, minimumBytes: 12, atMost: 1) == 1 else { return nil }
    let size = try readSize(what)
    let data = try samples(&self)
    guard data.count == size.pixelCount else {
      throw malformed(expected: "\(size) pixels of \(what)", found: "\(data.count)")
    }
    return Raster(size: size, samples: data)
  }

  private mutating func readRaster8(_ what: String) throws(CaptureReadingError) -> Raster<UInt8>? {
    try readRaster(what) { reader throws(CaptureReadingError) in
      Array(try reader.readBytes(what))
    }
  }

  private mutating func readStoredSamples() throws(CaptureReadingError) -> StoredSamples? {
    let codes8 = try readRaster8("the codes")
    let codes16 = try readRaster("the codes") { reader throws(CaptureReadingError) in
      try reader.readUInt16s("the codes")
    }
    let bits = Int(try readUInt8("the bits of codes"))
    if let codes8 { return .uint8(codes8) }
    guard let codes16 else { return nil }
    guard (1...16).contains(bits) else {
      throw malformed(expected: "codes of 1 to 16 bits", found: "\(bits)")
    }
    return .uint16(codes16, bitDepth: bits)
  }

  private mutating func readQuantization() throws(CaptureReadingError) -> LinearQuantization? {
    let count = try readCount("codes of the quantization", minimumBytes: 8, atMost: 2)
    var codes: [Int] = []
    for _ in 0..<count { codes.append(Int(try readInt64("a code"))) }
    let values = try readDoubles("the quantization", atMost: 2)
    guard count > 0 || !values.isEmpty else { return nil }
    guard codes.count == 2, values.count == 2, codes[0] < codes[1],
      values.allSatisfy(\.isFinite)
    else {
      throw malformed(
        expected: "two ascending codes with their values", found: "\(codes), \(values)")
    }
    return LinearQuantization(
      minimumCode: codes[0], maximumCode: codes[1], minimumValue: values[0],
      maximumValue: values[1])
  }
}
