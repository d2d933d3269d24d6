import PlumblineIO

#if canImport(CExpat)
  import CExpat

  extension XMLTree {
    /// Parses the document with expat in one call, so that no token is scanned twice.
    func filled(from bytes: ArraySlice<UInt8>) throws(CaptureReadingError) -> XMLTree {
      let session = ExpatSession(tree: self)
      guard let parser = XML_ParserCreateNS(nil, ExpatSession.separator) else {
        throw CaptureReadingError(
          .limitExceeded, path: ["XMP"], expected: "memory for an XML parser", found: "none")
      }
      defer { XML_ParserFree(parser) }
      session.parser = parser
      XML_SetUserData(parser, Unmanaged.passUnretained(session).toOpaque())
      XML_SetElementHandler(parser, startElement, endElement)
      XML_SetCharacterDataHandler(parser, characterData)
      XML_SetStartDoctypeDeclHandler(parser, startDocumentType)

      let status = withExtendedLifetime(session) {
        bytes.withUnsafeBytes { buffer in
          // The size is at most `metadataBytes`, far below the maximum of Int32; this check is for
          // safety.
          guard let count = Int32(exactly: buffer.count) else { return XML_STATUS_ERROR }
          return XML_Parse(parser, buffer.bindMemory(to: CChar.self).baseAddress, count, 1)
        }
      }
      if let error = session.error { throw error }
      // Data after a complete root element, such as padding, are not XMP and are ignored.
      if status == XML_STATUS_ERROR, !session.tree.isComplete {
        let message = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
        throw CaptureReadingError(
          .malformed, path: ["XMP"],
          offset: bytes.startIndex + Int(XML_GetCurrentByteIndex(parser)),
          expected: "well-formed XML", found: message ?? "an error")
      }
      return session.tree
    }
  }

  /// The state shared by expat's callbacks during one parse.
  private final class ExpatSession {
    /// The separator between namespace and name; expat accepts no white space in a namespace.
    static let separator = XML_Char(0x0A)

    var tree: XMLTree
    var parser: XML_Parser?
    var error: CaptureReadingError?

    init(tree: XMLTree) {
      self.tree = tree
    }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> ExpatSession? {
      pointer.map { Unmanaged<ExpatSession>.fromOpaque($0).takeUnretainedValue() }
    }

    func stop(_ error: CaptureReadingError) {
      self.error = self.error ?? error
      XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    static func name(_ text: UnsafePointer<XML_Char>) -> XMPName {
      let parts = String(cString: text).split(separator: "\n", omittingEmptySubsequences: false)
      return parts.count < 2
        ? XMPName("", String(parts.first ?? "")) : XMPName(String(parts[0]), String(parts[1]))
    }
  }

  private func startElement(
    _ user: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    // After a stop expat may still deliver pending events; they are ignored.
    guard let session = ExpatSession.of(user), session.error == nil, let name else { return }
    var list: [XMLElement.Attribute] = []
    var index = 0
    while let key = attributes?[index], let value = attributes?[index + 1] {
      list.append(
        XMLElement.Attribute(name: ExpatSession.name(key), value: String(cString: value)))
      index += 2
    }
    do {
      try session.tree.start(ExpatSession.name(name), attributes: list)
    } catch {
      session.stop(error)
    }
  }

  private func endElement(_ user: UnsafeMutableRawPointer?, _: UnsafePointer<XML_Char>?) {
    guard let session = ExpatSession.of(user), session.error == nil else { return }
    session.tree.end()
  }

  private func characterData(
    _ user: UnsafeMutableRawPointer?, _ text: UnsafePointer<XML_Char>?, _ count: Int32
  ) {
    guard let session = ExpatSession.of(user), session.error == nil, let text else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
    session.tree.text(String(decoding: bytes, as: UTF8.self))
  }

  private func startDocumentType(
    _ user: UnsafeMutableRawPointer?, _: UnsafePointer<XML_Char>?, _: UnsafePointer<XML_Char>?,
    _: UnsafePointer<XML_Char>?, _: Int32
  ) {
    guard let session = ExpatSession.of(user) else { return }
    session.stop(session.tree.documentType())
  }
#endif
