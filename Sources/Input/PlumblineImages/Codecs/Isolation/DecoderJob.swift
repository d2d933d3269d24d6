#if os(Linux)
  import PlumblineIO
  package import PlumblineModel

  /// The task of a decoder worker: an image, and the memory size of its pixels.
  package struct DecoderJob: Sendable {
    /// The kinds of images.
    package enum Kind: Int, Sendable {
      case jpegLuma = 1
      case jpegColor = 2
      case hevc = 3
    }

    package let kind: Kind
    /// The coded bytes: one part for a JPEG image, one part per unit for an HEVC image.
    package let parts: [ArraySlice<UInt8>]
    /// The coded size of the image.
    package let size: RasterSize
    package var scale = JPEGScale.full
    /// The size of the pixels in bytes, plane after plane and row after row without gaps.
    package let outputBytes: Int

    var inputBytes: Int { parts.reduce(0) { $0 + $1.count } }
    /// The offset of the pixels in the shared memory, after the coded bytes.
    var outputStart: Int { Self.outputStart(inputBytes) }
    /// The size of the shared memory.
    package var regionBytes: Int { outputStart + outputBytes }

    private static func outputStart(_ inputBytes: Int) -> Int { (inputBytes + 63) / 64 * 64 }

    /// The message; `region` is the size of shared memory sent with it.
    package func message(region: Int?) -> [UInt8] {
      var fields = MessageFields()
      fields.add(.job, kind.rawValue)
      if let region { fields.add(.regionBytes, region) }
      var lengths: [UInt8] = []
      for part in parts { lengths.appendLittleEndian(UInt32(clamping: part.count)) }
      fields.add(.partLengths, lengths)
      fields.add(.outputBytes, outputBytes)
      fields.add(.width, size.width)
      fields.add(.height, size.height)
      fields.add(.scale, scale.rawValue)
      return fields.bytes
    }

    /// Parses the job of a message, with its parts copied from the shared memory; `nil` if they do
    /// not fit.
    package init?(_ fields: MessageFields, in region: UnsafeRawBufferPointer) {
      guard let kind = fields.number(.job).flatMap({ Kind(rawValue: $0) }),
        let width = fields.number(.width), let height = fields.number(.height),
        let outputBytes = fields.number(.outputBytes),
        let scale = fields.number(.scale).flatMap({ JPEGScale(rawValue: $0) }),
        let lengths = fields.all(.partLengths).first, lengths.count % 4 == 0
      else { return nil }
      var parts: [ArraySlice<UInt8>] = []
      var start = 0
      for place in stride(from: lengths.startIndex, to: lengths.endIndex, by: 4) {
        let count = lengths[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= region.count - start else { return nil }
        parts.append(Array(region[start..<start + count])[...])
        start += count
      }
      guard outputBytes <= region.count, Self.outputStart(start) <= region.count - outputBytes
      else { return nil }
      self.init(
        kind: kind, parts: parts, size: RasterSize(width: width, height: height), scale: scale,
        outputBytes: outputBytes)
    }

    package init(
      kind: Kind, parts: [ArraySlice<UInt8>], size: RasterSize, scale: JPEGScale = .full,
      outputBytes: Int
    ) {
      self.kind = kind
      self.parts = parts
      self.size = size
      self.scale = scale
      self.outputBytes = outputBytes
    }
  }
#endif

#if os(Linux)
  import PlumblineIO

  /// A decoder worker's answer, without the pixels.
  enum DecoderAnswer: Sendable, Hashable {
    /// The pixels are in the shared memory.
    case done(notes: [ContainerNote])
    /// Nothing was decoded.
    case failed(CaptureReadingError)

    /// The maximum number of notes and of path elements read from one message; a regular decoder
    /// sends a few.
    private static let mostEntries = 64

    /// The message.
    ///
    /// File offsets are relative to the start of the image.
    var message: [UInt8] {
      var fields = MessageFields()
      switch self {
      case .done(let notes):
        fields.add(.done)
        for note in notes.prefix(Self.mostEntries) {
          var inner = MessageFields()
          inner.add(.code, note.code.rawValue)
          inner.add(.text, note.text)
          if let offset = note.offset { inner.add(.offset, offset) }
          fields.add(.note, inner.bytes)
        }
      case .failed(let error):
        var inner = MessageFields()
        inner.add(.code, error.reason.rawValue)
        for name in error.path.prefix(Self.mostEntries) { inner.add(.place, name) }
        if let offset = error.offset { inner.add(.offset, offset) }
        inner.add(.expected, error.expected)
        inner.add(.found, error.found)
        fields.add(.failure, inner.bytes)
      }
      let bytes = fields.bytes
      guard bytes.count <= MessageFields.mostBytes else {
        return Self.failed(
          CaptureReadingError(
            .malformed, expected: "less to say of one image", found: "\(bytes.count) bytes")
        ).message
      }
      return bytes
    }

    /// Parses a message of a worker, which is not trusted; `nil` if it is invalid.
    ///
    /// - Parameters:
    ///   - bytes: The message.
    ///   - start: The file offset of the image, which is added to the offsets.
    init?(_ bytes: [UInt8], imageAt start: Int) {
      guard let fields = MessageFields(bytes[...]) else { return nil }
      func place(_ fields: MessageFields) -> Int? {
        fields.number(.offset).flatMap {
          let (sum, isOver) = $0.addingReportingOverflow(start)
          return isOver ? nil : sum
        }
      }
      if let failure = fields.all(.failure).first {
        guard let inner = MessageFields(failure),
          let reason = inner.text(.code).flatMap({ CaptureReadingError.Reason(rawValue: $0) }),
          let expected = inner.text(.expected), let found = inner.text(.found)
        else { return nil }
        self = .failed(
          CaptureReadingError(
            reason, path: inner.all(.place).prefix(Self.mostEntries).map { MessageFields.text($0) },
            offset: place(inner), expected: expected, found: found))
        return
      }
      guard fields.has(.done) else { return nil }
      var notes: [ContainerNote] = []
      for note in fields.all(.note).prefix(Self.mostEntries) {
        guard let inner = MessageFields(note), let text = inner.text(.text),
          let code = inner.text(.code).flatMap({ ContainerNote.Code(rawValue: $0) })
        else { return nil }
        notes.append(ContainerNote(code, text, offset: place(inner)))
      }
      self = .done(notes: notes)
    }
  }
#endif
