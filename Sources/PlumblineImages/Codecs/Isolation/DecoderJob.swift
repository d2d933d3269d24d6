#if os(Linux)
  import PlumblineIO
  package import PlumblineModel

  /// The task of a decoder worker: an image, and how much memory its pixels take.
  package struct DecoderJob: Sendable {
    /// The kinds of images.
    package enum Kind: Int, Sendable {
      case jpegLuma = 1
      case jpegColor = 2
      case hevc = 3
    }

    package let kind: Kind
    /// The coded bytes: of a JPEG image one part, of an HEVC image one for each unit.
    package let parts: [ArraySlice<UInt8>]
    /// The image's size as it is coded.
    package let size: RasterSize
    package var scale = JPEGScale.full
    /// The bytes that the pixels have, plane after plane and row after row without gaps.
    package let outputBytes: Int

    var inputBytes: Int { parts.reduce(0) { $0 + $1.count } }
    /// Where the pixels begin in the memory that both processes see; the coded bytes are before.
    var outputStart: Int { Self.outputStart(inputBytes) }
    /// The bytes of that memory.
    package var regionBytes: Int { outputStart + outputBytes }

    private static func outputStart(_ inputBytes: Int) -> Int { (inputBytes + 63) / 64 * 64 }

    /// The message; `region` is the size of shared memory that is sent along.
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

    /// The job of a message, its parts cut out of the shared memory; `nil` where they do not fit.
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
