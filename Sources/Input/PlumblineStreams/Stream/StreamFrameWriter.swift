import PlumblineIO
import PlumblineModel

/// Encodes a frame as the bytes of a message.
struct StreamFrameWriter {
  private let frame: StreamFrame
  private let options: StreamEncodingOptions
  private var parts: [JSONValue] = []
  private var images: [UInt8] = []
  private var depth: JSONValue?

  init(_ frame: StreamFrame, _ options: StreamEncodingOptions) {
    self.frame = frame
    self.options = options
    if let record = frame.capture.depth, record.size.pixelCount > 0 { add(record) }
    if options.includesColor { addColor() }
    for matte in frame.capture.mattes where matte.coverage.size.pixelCount > 0 {
      guard !isListed(matte.kind) else { continue }
      listed.insert(matte.kind)
      var members: [(key: String, value: JSONValue)] = []
      if matte.orientation != frame.capture.colorOrientation {
        members.append(("orientation", .integer(matte.orientation.rawValue)))
      }
      add("matte:" + matte.kind.rawValue, .uint8, matte.coverage, members)
    }
  }

  private var listed: Set<Matte.Kind> = []
  private func isListed(_ kind: Matte.Kind) -> Bool { listed.contains(kind) }

  /// The whole message.
  var message: [UInt8] { StreamFrame.message(header: .object(header), images: images) }

  private var header: [(key: String, value: JSONValue)] {
    let capture = frame.capture
    var members: [(key: String, value: JSONValue)] = [
      ("type", "frame"), ("sequence", .integer(frame.sequence)),
    ]
    if let name = frame.name { members.append(("name", .string(name))) }
    if let time = capture.timestampSeconds, time.isFinite {
      members.append(("timestampSeconds", .number(time)))
    }
    members.append(("source", capture.source.streamJSON))
    if capture.colorOrientation != .up {
      members.append(("orientation", .integer(capture.colorOrientation.rawValue)))
    }
    if let depth { members.append(("depth", depth)) }
    if let calibration = capture.colorCalibration {
      members.append(("colorCalibration", calibration.streamJSON))
    }
    if let pose = capture.worldFromCamera?.homogeneousRowMajor, pose.allSatisfy(\.isFinite) {
      members.append(("worldFromCamera", .numbers(pose)))
    }
    if let scene = frame.scene { members.append(("scene", scene)) }
    members.append(("parts", .array(parts)))
    return members
  }

  private mutating func addColor() {
    let capture = frame.capture
    if let file = capture.colorFile, let size = capture.colorSize, size.pixelCount > 0 {
      add("color", file.kind.rawValue, samples: nil, size, [], file.bytes)
    } else if let color = capture.color?.packed, color.size.pixelCount > 0 {
      let start = images.count
      color.samples.withUnsafeBytes { images.append(contentsOf: $0) }
      list("color", "raw", samples: "rgb8", color.size, [], images.count - start)
    }
  }

  private mutating func add(_ record: DepthRecord) {
    depth = record.streamJSON(colorOrientation: frame.capture.colorOrientation)
    let values = record.values.raster.packed
    if let stored = record.storedSamples, let rule = record.quantization,
      let codes = StreamDepthCodes(stored, rule, exactly: values)
    {
      add("depth", codes)
    } else {
      add("depth", values)
      if let stored = record.storedSamples, stored.size == values.size {
        add("stored", StreamDepthCodes(samples: stored, quantization: record.quantization))
      } else if let stored = frame.storedValues?.packed, stored.size == values.size {
        add("stored", stored)
      }
    }
    if let sigma = record.sigmaMeters, sigma.size == values.size {
      add("sigma", .float32, sigma.map(\.bitPattern))
    }
    if let confidence = record.confidence, confidence.levels.size == values.size {
      let levels = Int(confidence.maximumLevel)
      add("confidence", .uint8, confidence.levels, [("levels", .integer(levels))])
    }
    if let invented = record.inventedPixels, invented.size == values.size {
      add("invented", .uint8, invented)
    }
    if let residual = record.residual, residual.size.pixelCount > 0 {
      add("residual", .float32, residual.meters.map(\.bitPattern))
      add("residualSigma", .float32, residual.sigmaMeters.map(\.bitPattern))
    }
  }

  /// Adds numbers in half precision if that is exact.
  private mutating func add(_ name: String, _ values: Raster<Float>) {
    if let halves = HalfPrecision.exactBits(values.samples) {
      add(name, .float16, Raster(size: values.size, samples: halves))
    } else {
      add(name, .float32, values.map(\.bitPattern))
    }
  }

  private mutating func add(_ name: String, _ codes: StreamDepthCodes) {
    switch codes.samples {
    case .uint8(let raster): add(name, .uint8, raster, codes.members)
    case .uint16(let raster, _): add(name, .uint16, raster, codes.members)
    }
  }

  private mutating func add<Code: StreamCode>(
    _ name: String, _ samples: StreamSamples, _ raster: Raster<Code>,
    _ members: [(key: String, value: JSONValue)] = []
  ) {
    // The bit pattern of missing pixels: NaN in floats, usually 0 in codes.
    let hole: Code =
      switch samples {
      case .float16: Code(truncatingIfNeeded: 0x7E00)
      case .float32: Code(truncatingIfNeeded: DepthMap.missing.bitPattern)
      case .uint8, .uint16: 0
      }
    let bytes = options.maps.bytes(
      raster.packed.samples, width: raster.width, height: raster.height, hole: hole)
    add(name, options.maps.rawValue, samples: samples.rawValue, raster.size, members, bytes)
  }

  private mutating func add(
    _ name: String, _ encoding: String, samples: String?, _ size: RasterSize,
    _ members: [(key: String, value: JSONValue)], _ bytes: [UInt8]
  ) {
    images.append(contentsOf: bytes)
    list(name, encoding, samples: samples, size, members, bytes.count)
  }

  private mutating func list(
    _ name: String, _ encoding: String, samples: String?, _ size: RasterSize,
    _ members: [(key: String, value: JSONValue)], _ count: Int
  ) {
    var part: [(key: String, value: JSONValue)] = [
      ("name", .string(name)), ("encoding", .string(encoding)),
    ]
    if let samples { part.append(("samples", .string(samples))) }
    part += [
      ("width", .integer(size.width)), ("height", .integer(size.height)),
      ("bytes", .integer(count)),
    ]
    parts.append(.object(part + members))
  }
}

extension RigidTransform {
  /// Reads 4 × 4 numbers, row after row, and keeps all their bits.
  ///
  /// - Returns: `nil` unless the last row is 0 0 0 1 and the rest is a rotation within 1e-3.
  package init?(streamNumbers rows: [Double]) {
    guard rows.count == 16, Array(rows[12...]) == [0, 0, 0, 1] else { return nil }
    let column = { (index: Int) in SIMD3(rows[index], rows[4 + index], rows[8 + index]) }
    let rotation = Rotation(x: column(0), y: column(1), z: column(2))
    guard rotation.orthogonalityError < 1e-3 else { return nil }
    self.init(rotation: rotation, translation: column(3))
  }
}

extension HalfPrecision {
  /// The half-precision bit patterns if they represent the numbers exactly, else `nil`; O(*n*).
  static func exactBits(_ values: [Float]) -> [UInt16]? {
    var isExact = true
    let halves = [UInt16](unsafeUninitializedCapacity: values.count) { result, count in
      values.withUnsafeBufferPointer { values in
        for index in 0..<values.count {
          let bits = values[index].bitPattern
          let magnitude = bits & 0x7FFF_FFFF
          let sign = UInt16(truncatingIfNeeded: bits >> 16) & 0x8000
          if magnitude >= 0x7F80_0000 {
            result[index] = sign | 0x7C00 | UInt16(truncatingIfNeeded: magnitude >> 13) & 0x3FF
          } else if magnitude == 0 {
            result[index] = sign
          } else {
            // No camera has depths that are halves below 2^-14; they are sent in single precision.
            isExact = isExact && magnitude >= 0x3880_0000 && magnitude < 0x4780_0000
            result[index] = sign | UInt16(truncatingIfNeeded: (magnitude &- 0x3800_0000) >> 13)
          }
          isExact = isExact && bits & 0x1FFF == 0
        }
      }
      count = values.count
    }
    return isExact ? halves : nil
  }
}
