package import PlumblineIO

/// What a worker is asked to do with one capture: one line of its standard input.
package struct WorkerRequest: Sendable, Hashable {
  /// The number that the answer carries.
  package var id: Int
  /// The verb, its options, and the path of the capture as the last one.
  package var arguments: [String]
  /// The folder that receives what the verb writes, in place of one that exists; `nil` for none.
  package var output: String?
  /// The path of a small JPEG of the capture; `nil` for none.
  package var thumbnail: String?
  /// Whether the answer has a compressed line of results in place of the document.
  package var isPacked = false
  /// The SHA-256 of a capture that need not be done again; `nil` to do it in any case.
  package var unless: String?

  /// The most bytes of a line; paths and options have a few hundred.
  package static let maximumBytes = 1 << 20

  /// Describes a request.
  package init(
    id: Int, arguments: [String], output: String? = nil, thumbnail: String? = nil,
    isPacked: Bool = false, unless: String? = nil
  ) {
    self.id = id
    self.arguments = arguments
    self.output = output
    self.thumbnail = thumbnail
    self.isPacked = isPacked
    self.unless = unless
  }

  /// The path of the capture; empty without arguments.
  package var path: String { arguments.last ?? "" }

  /// Reads a line without its line feed.
  ///
  /// - Throws: ``JSONReadingError`` for what is no request.
  package init(parsing line: ArraySlice<UInt8>) throws(JSONReadingError) {
    var limits = JSONLimits()
    limits.bytes = Self.maximumBytes
    let fields = try JSONFields(JSONValue(parsing: line, limits: limits))
    id = try fields.required("id", fields.integer)
    arguments = try fields.required("arguments", fields.texts)
    output = try fields.text("output")
    thumbnail = try fields.text("thumbnail")
    isPacked = try fields.flag("packed") ?? false
    unless = try fields.text("unless")
  }

  /// The line with its line feed; a part that is not given is left out.
  package var line: [UInt8] {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .integer(id)), ("arguments", .array(arguments.map { .string($0) })),
    ]
    if let output { members.append(("output", .string(output))) }
    if let thumbnail { members.append(("thumbnail", .string(thumbnail))) }
    if isPacked { members.append(("packed", true)) }
    if let unless { members.append(("unless", .string(unless))) }
    return JSONWriter(layout: .compact).bytes(.object(members)) + [UInt8(ascii: "\n")]
  }
}
