package import PlumblineIO

/// What a worker says about one capture: one line of its standard output, or a block where the request
/// wants the result packed.
package struct WorkerAnswer: Sendable, Hashable {
  /// The number of the request.
  package var id: Int
  /// The exit code that the verb alone would have had.
  package var code: Int
  /// The time that the capture took, in seconds of the wall clock.
  package var seconds: Double
  /// The processor time of the worker for it, in seconds, without that of the processes that decode for it.
  package var processorSeconds: Double
  /// The most memory that the worker held meanwhile, in bytes.
  package var peakBytes: Int
  /// The size of the file, of a folder that of all files in it; `nil` where it cannot be found out.
  package var bytes: Int?
  /// The SHA-256 of the file as 64 hexadecimal digits; `nil` for a folder or a file that cannot be read.
  package var sha256: String?
  /// What was found out.
  package var result: Result

  /// What a worker found out about a capture.
  package enum Result: Sendable, Hashable {
    /// The verb's document or `plumbline.error/1`.
    case document(JSONValue)
    /// The same as a line of results, compressed.
    case packed(PackedResult)
    /// The file has the digest that the request names; nothing was done.
    case unchanged
  }

  /// Describes an answer.
  package init(
    id: Int, code: Int, seconds: Double, processorSeconds: Double, peakBytes: Int, bytes: Int?,
    sha256: String?, result: Result
  ) {
    self.id = id
    self.code = code
    self.seconds = seconds
    self.processorSeconds = processorSeconds
    self.peakBytes = peakBytes
    self.bytes = bytes
    self.sha256 = sha256
    self.result = result
  }

  /// Reads a message as ``WorkerMessages`` gives it.
  ///
  /// - Throws: `JSONReadingError` or `CaptureReadingError` for what is no answer.
  package init(message: ArraySlice<UInt8>) throws {
    if message.first == WorkerMessages.blockMark {
      try self.init(block: message.dropFirst(WorkerMessages.blockHeadBytes))
    } else {
      try self.init(parsing: message)
    }
  }

  /// Reads a line without its line feed, which the caller has bounded.
  ///
  /// - Throws: ``JSONReadingError`` for what is no answer.
  package init(parsing line: ArraySlice<UInt8>) throws(JSONReadingError) {
    var limits = JSONLimits()
    limits.bytes = line.count
    limits.stringBytes = line.count
    let value = try JSONValue(parsing: line, limits: limits)
    let fields = try JSONFields(value)
    id = try fields.required("id", fields.integer)
    code = try fields.required("code", fields.integer)
    seconds = try fields.required("seconds", fields.number)
    processorSeconds = try fields.required("cpuSeconds", fields.number)
    peakBytes = try fields.required("peakBytes", fields.integer)
    bytes = try fields.integer("bytes")
    sha256 = try fields.text("sha256")
    if try fields.flag("unchanged") == true {
      result = .unchanged
    } else {
      result = .document(try fields.required("document") { _ in value["document"] })
    }
  }

  /// The line with its line feed, or the block of a packed result.
  package var message: [UInt8] {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .integer(id)), ("code", .integer(code)), ("seconds", .number(seconds)),
      ("cpuSeconds", .number(processorSeconds)), ("peakBytes", .integer(peakBytes)),
      ("bytes", .integer(bytes)), ("sha256", .string(sha256)),
    ]
    switch result {
    case .document(let document): members.append(("document", document))
    case .packed(let packed): return block(packed)
    case .unchanged: members.append(("unchanged", true))
    }
    return JSONWriter(layout: .compact).bytes(.object(members)) + [UInt8(ascii: "\n")]
  }
}
