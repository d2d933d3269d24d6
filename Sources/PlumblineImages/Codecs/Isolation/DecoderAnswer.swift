#if os(Linux)
  import PlumblineIO

  /// A decoder worker's facts about an image beside its pixels.
  enum DecoderAnswer: Sendable, Hashable {
    /// The pixels lie in the shared memory.
    case done(notes: [ContainerNote])
    /// Nothing was decoded.
    case failed(CaptureReadingError)

    /// Notes and structures of a path that are read from one message; a sound decoder has a few.
    private static let mostEntries = 64

    /// The message.
    ///
    /// Places in the file count from the start of the image.
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

    /// Reads a message of a worker that may say anything; `nil` for what is none.
    ///
    /// - Parameters:
    ///   - bytes: The message.
    ///   - start: The position of the image in its file, which positions are counted on from.
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
