import PlumblineIO

/// One pass over the markers of a JPEG image, from its start to its end marker.
///
/// It also reads compressed data byte by byte and skips segments, so a thumbnail inside a segment
/// is never taken for a separate image, and the end marker is the real one.
struct JPEGWalk {
  private(set) var segments: [JPEGSegment] = []
  private(set) var frame: JPEGFrame?
  private(set) var scanCount = 0
  /// The position after the end marker, or the position where reading stopped.
  private(set) var end: Int
  /// Why the end marker was not reached; `nil` for a complete image.
  private(set) var damage: CaptureReadingError?

  /// Whether the first scan contains the whole image, so that a decoder reads no other scan.
  var hasAllComponentsInOneScan: Bool {
    guard let frame, !frame.isProgressive,
      let scan = segments.first(where: { $0.marker == .startOfScan })
    else { return false }
    // One count byte, two bytes for each component and three parameters (T.81 §B.2.3).
    return scan.payload.count == 2 * frame.components.count + 4
  }

  private let bytes: ArraySlice<UInt8>

  /// Iterates over the image whose start marker is at the slice's start; O(*n*).
  ///
  /// - Throws: `.limitExceeded` for too many segments. Damage is recorded, not thrown.
  init(_ bytes: ArraySlice<UInt8>, limits: ReadingLimits) throws(CaptureReadingError) {
    self.bytes = bytes
    end = bytes.startIndex
    do {
      try walk(limits)
    } catch {
      guard error.reason != .limitExceeded else { throw error }
      damage = error
    }
  }

  private mutating func walk(_ limits: ReadingLimits) throws(CaptureReadingError) {
    var reader = ByteReader(bytes)
    guard try reader.readUInt16("a start marker") == 0xFFD8 else {
      throw CaptureReadingError(
        .malformed, offset: end, expected: "a JPEG start marker (FFD8)",
        found: printable(bytes.prefix(2)))
    }
    end = reader.offset
    while true {
      let marker = try readMarker(&reader)
      if marker == .endOfImage {
        end = reader.offset
        return
      }
      if marker == .startOfImage || marker.rawValue == 0 {
        throw CaptureReadingError(
          .malformed, offset: end, expected: "a marker inside an image", found: "\(marker)")
      }
      if !marker.standsAlone {
        try readSegment(marker, &reader, limits)
      }
      end = reader.offset
      if marker == .startOfScan {
        end = indexAfterCompressedData(from: end)
        try reader.seek(to: end)
      }
    }
  }

  private func readMarker(_ reader: inout ByteReader) throws(CaptureReadingError) -> JPEGMarker {
    let first = try reader.readUInt8("a marker")
    guard first == 0xFF else {
      throw CaptureReadingError(
        .malformed, offset: end, expected: "a marker (0xFF)", found: printable([first]))
    }
    // Any number of fill bytes 0xFF may precede the marker code (T.81 §B.1.1.2).
    var code = first
    while code == 0xFF { code = try reader.readUInt8("a marker") }
    return JPEGMarker(rawValue: code)
  }

  private mutating func readSegment(
    _ marker: JPEGMarker, _ reader: inout ByteReader, _ limits: ReadingLimits
  ) throws(CaptureReadingError) {
    let length = Int(try reader.readUInt16("the length of segment \(marker)"))
    guard length >= 2 else {
      throw reader.malformed(expected: "a segment length of 2 or more", found: "\(length)")
    }
    let payload = try reader.readBytes(length - 2, as: "segment \(marker)")
    try limits.require(
      segments.count + 1, atMost: limits.jpegSegments, "JPEG segments", offset: reader.offset)
    segments.append(JPEGSegment(marker: marker, payload: payload.startIndex..<payload.endIndex))
    if marker == .startOfScan { scanCount += 1 }
    guard marker.startsFrame else { return }
    guard frame == nil else {
      throw CaptureReadingError(
        .malformed, offset: payload.startIndex, expected: "one frame", found: "a second frame")
    }
    frame = try JPEGFrame(marker: marker, payload: payload)
  }

  /// The index of the first marker that is neither a stuffed zero nor a restart, or the end.
  private func indexAfterCompressedData(from start: Int) -> Int {
    var index = start
    while index < bytes.endIndex {
      guard let marker = bytes[index...].firstIndex(of: 0xFF) else { return bytes.endIndex }
      guard marker + 1 < bytes.endIndex else { return bytes.endIndex }
      let code = bytes[marker + 1]
      if code == 0xFF {
        index = marker + 1
      } else if code == 0 || JPEGMarker(rawValue: code).isRestart {
        index = marker + 2
      } else {
        return marker
      }
    }
    return bytes.endIndex
  }
}
