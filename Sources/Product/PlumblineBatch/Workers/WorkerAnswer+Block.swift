import PlumblineIO

extension WorkerAnswer {
  /// The answer with a packed result as a block: numbers of 64 bits and texts in a fixed order.
  func block(_ packed: PackedResult) -> [UInt8] {
    var content = BlockWriter()
    content.write(id)
    content.write(code)
    content.write(seconds)
    content.write(processorSeconds)
    content.write(peakBytes)
    content.write(bytes ?? -1)
    content.write(sha256)
    content.write(packed.byteCount)
    content.write(packed.isFailed ? 1 : 0)
    content.write(packed.verdict)
    content.write(packed.depthSigmaMillimeters ?? .nan)
    content.write(packed.findings)
    content.write(packed.error)
    content.write(packed.row)
    content.write(packed.deflated)
    return WorkerMessages.block(content.bytes)
  }

  /// Reads the content of a block.
  ///
  /// - Throws: `.malformed` for a block that is too short or too long, or for negative sizes.
  init(block: ArraySlice<UInt8>) throws(CaptureReadingError) {
    var content = BlockReader(block)
    id = try content.integer()
    code = try content.integer()
    seconds = try content.number()
    processorSeconds = try content.number()
    peakBytes = try content.integer()
    let size = try content.integer()
    bytes = size < 0 ? nil : size
    sha256 = try content.text()
    let byteCount = try content.integer()
    let isFailed = try content.integer() != 0
    let verdict = try content.text()
    let sigma = try content.number()
    let findings = try content.text() ?? ""
    let error = try content.text()
    let row = try content.text() ?? ""
    let deflated = try Array(content.data() ?? [])
    result = .packed(
      PackedResult(
        deflated: deflated, byteCount: byteCount, isFailed: isFailed, verdict: verdict,
        depthSigmaMillimeters: sigma.isNaN ? nil : sigma, findings: findings, error: error, row: row
      ))
    guard content.isAtEnd, byteCount >= 0 else { throw content.failure("an answer's block") }
  }
}

/// Puts numbers and texts one after another.
private struct BlockWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: Int) { bytes.appendLittleEndian(Int64(value)) }
  mutating func write(_ value: Double) { bytes.appendLittleEndian(value.bitPattern) }

  mutating func write(_ text: String?) {
    write(text?.utf8.count ?? -1)
    if let text { bytes.append(contentsOf: text.utf8) }
  }

  mutating func write(_ data: [UInt8]) {
    write(data.count)
    bytes += data
  }
}

/// Takes them again, in the same order.
private struct BlockReader {
  private var reader: ByteReader

  init(_ block: ArraySlice<UInt8>) {
    reader = ByteReader(block, endianness: .little, path: ["answer"])
  }

  var isAtEnd: Bool { reader.isAtEnd }

  mutating func integer() throws(CaptureReadingError) -> Int {
    Int(truncatingIfNeeded: try reader.readUInt64())
  }

  mutating func number() throws(CaptureReadingError) -> Double {
    Double(bitPattern: try reader.readUInt64())
  }

  mutating func text() throws(CaptureReadingError) -> String? {
    try data().map { String(decoding: $0, as: UTF8.self) }
  }

  /// The next bytes with their count before them; `nil` for a count of −1.
  mutating func data() throws(CaptureReadingError) -> ArraySlice<UInt8>? {
    let count = try integer()
    return count == -1 ? nil : try reader.readBytes(count)
  }

  func failure(_ expected: String) -> CaptureReadingError {
    reader.malformed(expected: expected, found: "\(reader.remaining) bytes left")
  }
}
