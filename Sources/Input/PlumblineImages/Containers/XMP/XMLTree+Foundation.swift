import PlumblineIO

#if !canImport(CExpat)
  import Foundation
  // Elsewhere than on Apple platforms the parser is in a module of its own.
  #if canImport(FoundationXML)
    import FoundationXML
  #endif

  // Apple platforms have no expat module; this counterpart was not yet tested on a device.
  extension XMLTree {
    /// Parses the document with Foundation's parser, which resolves no external entity by default.
    func filled(from bytes: ArraySlice<UInt8>) throws(CaptureReadingError) -> XMLTree {
      // Foundation does not report a DOCTYPE, so the declaration is rejected before parsing.
      if bytes.contains(sequence: Array("<!DOCTYPE".utf8)) { throw documentType() }
      let session = FoundationSession(tree: self)
      let parser = XMLParser(data: Data(bytes))
      parser.shouldProcessNamespaces = true
      parser.shouldReportNamespacePrefixes = true
      parser.shouldResolveExternalEntities = false
      parser.delegate = session
      let succeeded = parser.parse()
      if let error = session.error { throw error }
      guard succeeded || session.tree.isComplete else {
        throw CaptureReadingError(
          .malformed, path: ["XMP"], expected: "well-formed XML",
          found: "an error in line \(parser.lineNumber)")
      }
      return session.tree
    }
  }

  private final class FoundationSession: NSObject, XMLParserDelegate {
    var tree: XMLTree
    var error: CaptureReadingError?
    private var namespaces: [String: [String]] = [:]

    init(tree: XMLTree) {
      self.tree = tree
    }

    func parser(_: XMLParser, didStartMappingPrefix prefix: String, toURI uri: String) {
      namespaces[prefix, default: []].append(uri)
    }

    func parser(_: XMLParser, didEndMappingPrefix prefix: String) {
      _ = namespaces[prefix]?.popLast()
    }

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      let list = attributes.sorted { $0.key < $1.key }.map { key, value in
        let parts = key.split(separator: ":", maxSplits: 1)
        let uri = parts.count == 2 ? namespaces[String(parts[0])]?.last : nil
        return XMLElement.Attribute(
          name: XMPName(uri ?? "", String(parts.last ?? "")), value: value)
      }
      do {
        try tree.start(XMPName(namespaceURI ?? "", element), attributes: list)
      } catch {
        self.error = error
        parser.abortParsing()
      }
    }

    func parser(
      _: XMLParser, didEndElement _: String, namespaceURI: String?, qualifiedName: String?
    ) {
      tree.end()
    }

    func parser(
      _ parser: XMLParser, foundInternalEntityDeclarationWithName _: String, value _: String?
    ) {
      error = tree.documentType()
      parser.abortParsing()
    }

    func parser(_: XMLParser, foundCharacters text: String) {
      tree.text(text)
    }
  }

  extension ArraySlice<UInt8> {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
      indices.contains { self[$0...].starts(with: sequence) }
    }
  }
#endif
