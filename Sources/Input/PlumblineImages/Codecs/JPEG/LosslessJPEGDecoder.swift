package import PlumblineIO
package import PlumblineModel

/// Lossless JPEG with Huffman coding (SOF3): one component of 2 to 16 bits.
///
/// It exists because common versions of libjpeg-turbo do not support this process. Source: ITU-T
/// T.81 annex H; each sample is predicted from its left, upper and upper-left neighbors, and the
/// difference modulo 2¹⁶ is coded with the length of its magnitude.
package struct LosslessJPEGDecoder {
  private let frame: JPEGFrame
  private let table: LosslessJPEGHuffmanTable
  private let predictor: Int
  private let pointTransform: Int
  /// Rows between two restart markers; the height when there are none.
  private let rowsPerRestart: Int
  private let compressed: ArraySlice<UInt8>

  /// Reads the headers of an image and checks its size against the limits and its data.
  ///
  /// - Throws: `.unsupported` for several components or scans, or an interval that is not an
  ///   integer number of rows; `.malformed` for missing or wrong tables; `.limitExceeded`.
  package init(_ image: JPEGImage, limits: ReadingLimits = ReadingLimits())
    throws(CaptureReadingError)
  {
    let path = ["JPEG", "SOF3"]
    let start = image.range.lowerBound
    func unsupported(_ expected: String, _ found: String) -> CaptureReadingError {
      CaptureReadingError(
        .unsupported, path: path, offset: start, expected: expected, found: found)
    }
    frame = try image.checkedFrame(maximumPixels: limits.auxiliaryPixels, limits: limits)
    guard frame.isLossless, frame.components.count == 1, image.scanCount == 1 else {
      throw unsupported(
        "a lossless frame of one component and one scan",
        "\(frame.marker), \(frame.components.count) components, \(image.scanCount) scans")
    }

    let headers = try Self.headers(of: image, path: path)
    let (scan, interval) = (headers.scan, headers.restartInterval)
    (predictor, pointTransform, table) = try Self.scanHeader(headers, of: frame, path: path)
    guard interval % frame.size.width == 0 else {
      throw unsupported(
        "restart intervals of whole rows of \(frame.size.width) samples", "\(interval) samples")
    }
    rowsPerRestart = interval == 0 ? frame.size.height : interval / frame.size.width
    compressed = image.bytes[scan.endIndex...]
    // Every sample takes at least one bit, so memory use is proportional to the file.
    guard frame.size.pixelCount <= compressed.count * 8 else {
      throw CaptureReadingError(
        .malformed, path: path, offset: scan.endIndex,
        expected: "at least \(frame.size.pixelCount / 8) bytes for \(frame.size) samples",
        found: "\(compressed.count)")
    }
  }

  /// The segments before the compressed data.
  private struct Headers {
    var tables: [UInt8: LosslessJPEGHuffmanTable] = [:]
    /// Samples between two restart markers; 0 when there are none.
    var restartInterval = 0
    var scan: ArraySlice<UInt8>
  }

  /// Reads the segments up to the start of the scan.
  private static func headers(
    of image: JPEGImage, path: [String]
  ) throws(CaptureReadingError) -> Headers {
    let start = image.range.lowerBound
    var headers = Headers(scan: image.bytes[start..<start])
    for segment in image.segments {
      let payload = image.bytes[segment.payload]
      if segment.marker == .defineHuffmanTables {
        try LosslessJPEGHuffmanTable.read(payload, into: &headers.tables)
      } else if segment.marker == .defineRestartInterval {
        var reader = ByteReader(payload, path: path + ["DRI"])
        headers.restartInterval = Int(try reader.readUInt16("the restart interval"))
      } else if segment.marker == .startOfScan {
        headers.scan = payload
        break
      }
    }
    return headers
  }

  /// Reads the parameters of the scan's only component.
  private static func scanHeader(
    _ headers: Headers, of frame: JPEGFrame, path: [String]
  ) throws(CaptureReadingError) -> (
    predictor: Int, pointTransform: Int, table: LosslessJPEGHuffmanTable
  ) {
    var reader = ByteReader(headers.scan, path: path + ["SOS"])
    guard try reader.readUInt8("the number of components") == 1 else {
      throw reader.malformed(expected: "one component in the scan", found: "another number")
    }
    let identifier = try reader.readUInt8("the component")
    let tableNumber = try reader.readUInt8("the table") >> 4
    let predictor = Int(try reader.readUInt8("the predictor"))
    try reader.skip(1)
    let pointTransform = Int(try reader.readUInt8("the point transform") & 15)
    guard identifier == frame.components[0].identifier, (1...7).contains(predictor),
      pointTransform < frame.precision
    else {
      throw reader.malformed(
        expected: "the frame's component, a predictor from 1 to 7 and a point transform below "
          + "\(frame.precision)",
        found: "component \(identifier), predictor \(predictor), transform \(pointTransform)")
    }
    guard let table = headers.tables[tableNumber] else {
      throw reader.malformed(expected: "Huffman table \(tableNumber)", found: "none")
    }
    return (predictor, pointTransform, table)
  }

  /// Decodes all samples; O(*n*).
  ///
  /// - Throws: `.malformed` when the data end early, contain an unknown code, lack a restart marker
  ///   or give a sample with more bits than the frame header states. No partial image is returned.
  package func decoded() throws(CaptureReadingError) -> StoredSamples {
    let samples = try decodedSamples()
    if frame.precision <= 8 {
      return .uint8(
        Raster(size: frame.size, samples: samples.map { UInt8(truncatingIfNeeded: $0) }))
    }
    return .uint16(Raster(size: frame.size, samples: samples), bitDepth: frame.precision)
  }

  private func decodedSamples() throws(CaptureReadingError) -> [UInt16] {
    let width = frame.size.width
    let depth = frame.precision - pointTransform
    let maximum = 1 << depth
    var bits = LosslessJPEGBitReader(compressed)
    // Samples without the point transform, which is applied at the end of each row.
    var above = [Int](repeating: 0, count: width)
    var row = above
    var samples: [UInt16] = []
    samples.reserveCapacity(frame.size.pixelCount)
    for y in 0..<frame.size.height {
      let isFirstRow = y % rowsPerRestart == 0
      if isFirstRow, y > 0 { try bits.readRestart(number: (y / rowsPerRestart - 1) % 8) }
      for x in 0..<width {
        let prediction: Int
        if x == 0 {
          prediction = isFirstRow ? 1 << (depth - 1) : above[0]
        } else if isFirstRow {
          prediction = row[x - 1]
        } else {
          prediction = predicted(left: row[x - 1], above: above[x], aboveLeft: above[x - 1])
        }
        let difference = try bits.readDifference(table)
        let value = (prediction + difference) & 0xFFFF
        guard value < maximum else {
          throw bits.malformed(expected: "a sample below \(maximum)", found: "\(value)")
        }
        row[x] = value
        samples.append(UInt16(truncatingIfNeeded: value << pointTransform))
      }
      swap(&row, &above)
    }
    return samples
  }

  /// T.81 table H.1.
  private func predicted(left a: Int, above b: Int, aboveLeft c: Int) -> Int {
    switch predictor {
    case 1: a
    case 2: b
    case 3: c
    case 4: a + b - c
    case 5: a + (b - c) >> 1
    case 6: b + (a - c) >> 1
    default: (a + b) >> 1
    }
  }
}
