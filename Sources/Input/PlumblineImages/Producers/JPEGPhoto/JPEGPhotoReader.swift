package import PlumblineIO
package import PlumblineModel

/// Reads a JPEG photo: Apple's multi-picture layout, GDepth and Dynamic Depth.
struct JPEGPhotoReader {
  let file: JPEGFile
  let request: CaptureReader
  /// What was read so far; its findings are those of every step, in order.
  private var photo = Capture(source: CaptureSource())

  /// Finds the images of a file; throws as ``JPEGFile`` does.
  init(_ bytes: [UInt8], _ request: CaptureReader) throws(CaptureReadingError) {
    self.request = request
    file = try JPEGFile(bytes[...], limits: request.limits)
  }

  /// The capture that the images make together.
  func capture() throws(CaptureReadingError) -> Capture {
    var reader = self
    try reader.read()
    return reader.photo
  }

  private mutating func read() throws(CaptureReadingError) {
    let primary = file.primary
    guard let frame = primary.frame else {
      throw CaptureReadingError(
        .malformed, path: ["primary image"], offset: primary.range.lowerBound,
        expected: "an image", found: "no frame header" + madeBy())
    }
    photo.findings += notes().filter { $0.code != .trailingZeros }.map { Finding($0) }
    let (exif, exifFindings) = exif()
    photo.findings += exifFindings
    let orientation = exif?.orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .up
    photo.colorSize = frame.size
    photo.colorOrientation = orientation
    try readAuxiliaries()
    if photo.depth == nil, let packet = try packet(of: primary),
      let depth = try GoogleDepthReader(file: file, limits: request.limits).record(packet)
    {
      photo.depth = depth.record
      photo.findings += depth.findings
      photo.provenance += ApplePhotoXMP.provenance(in: packet)
    }
    // An auxiliary image of a JPEG has no orientation of its own: it lies as the photo lies.
    photo.depth?.orientation = orientation
    for index in photo.mattes.indices { photo.mattes[index].orientation = orientation }
    photo.source = CaptureSource(exif, accuracy: photo.depth?.accuracy, isStereo: false)
    do throws(CaptureReadingError) {
      photo.color = try color()
    } catch {
      // Without depth, the image is all that the file is.
      if photo.depth == nil || error.reason == .limitExceeded { throw error }
      photo.findings.append(
        Finding(
          .fileDamagedImage, .caution, "the color image cannot be decoded: \(error)",
          evidence: "primary image"))
    }
  }

  /// The maker that Exif names, for the message about a file without pixels.
  private func madeBy() -> String {
    let source = CaptureSource(exif().metadata, accuracy: nil, isStereo: false)
    let names = [source.make, source.model].compactMap(\.self).joined(separator: " ")
    return names.isEmpty ? "" : " (metadata of “\(names)”)"
  }

  private func exif() -> (metadata: ExifMetadata?, findings: [Finding]) {
    guard let block = file.primary.exif else { return (nil, []) }
    do throws(CaptureReadingError) {
      let exif = try ExifMetadata(tiff: block, limits: request.limits)
      return (exif, exif.notes.map { Finding($0) })
    } catch {
      return (nil, [.damagedMetadata("Exif", error)])
    }
  }

  private mutating func packet(
    of image: JPEGImage
  ) throws(CaptureReadingError) -> XMPPacket? {
    do throws(CaptureReadingError) {
      var limits = request.limits
      // Thirty-two packets as large as that of a photo may be would cost half a minute.
      if image.range != file.primary.range { limits.xmlNodes = limits.auxiliaryXMLNodes }
      return try image.xmpPacket(limits: limits)
    } catch {
      if error.refusesFile { throw error }
      photo.findings.append(.damagedMetadata("XMP", error))
      return nil
    }
  }

  private mutating func readAuxiliaries() throws(CaptureReadingError) {
    let images = file.images.dropFirst()
    try request.limits.require(
      images.count, atMost: request.limits.auxiliaryImages, "auxiliary images")
    for image in images {
      guard let packet = try packet(of: image) else {
        readGainMapInISOForm(of: image)
        continue
      }
      let metadata = AppleDepthMetadata(packet)
      switch AuxiliaryMeaning(metadata) {
      case .depth:
        guard photo.depth == nil else {
          photo.findings.append(
            Finding(
              .fileSeveralDepthMaps, .note, "a second depth map was left aside",
              evidence: "byte \(image.range.lowerBound)"))
          continue
        }
        let samples = try image.storedSamples(limits: request.limits)
        photo.provenance += metadata.provenance
        let depth = AppleDepthRecord(samples: samples, metadata: metadata, representation: nil)
          .record()
        photo.depth = depth.record
        photo.findings += depth.findings
      case .matte(let kind):
        guard !photo.mattes.contains(where: { $0.kind == kind }) else {
          photo.findings.append(.secondAuxiliary("matte", "byte \(image.range.lowerBound)"))
          continue
        }
        if let coverage = samples8(of: image, "matte") {
          photo.mattes.append(Matte(kind: kind, coverage: coverage))
        }
      case .gainMap:
        guard photo.gainMap == nil else {
          photo.findings.append(.secondAuxiliary("gain map", "byte \(image.range.lowerBound)"))
          continue
        }
        if let codes = samples8(of: image, "gain map") {
          photo.gainMap = GainMap(
            samples: .uint8(codes), version: metadata.hdrGainMapVersion,
            headroom: metadata.hdrGainMapHeadroom)
        }
      case .unknown(let name):
        if !name.isEmpty { photo.findings.append(.unknownAuxiliary(name)) }
        readGainMapInISOForm(of: image)
      }
    }
  }

  /// Takes an image for the gain map that only its numbers of ISO 21496-1 show to be one; one of three
  /// channels is more than the gain map that is read here.
  private mutating func readGainMapInISOForm(of image: JPEGImage) {
    guard photo.gainMap == nil, let numbers = image.toneMapping,
      image.frame?.components.count == 1, let codes = samples8(of: image, "gain map")
    else { return }
    photo.gainMap = GainMap(samples: .uint8(codes))
    photo.gainMap?.toneMapping = numbers
  }

  /// An image beside the depth map: damage costs the image, not the file.
  private mutating func samples8(of image: JPEGImage, _ what: String) -> Raster<UInt8>? {
    guard request.readsCompanions else { return nil }
    do throws(CaptureReadingError) {
      if case .uint8(let raster) = try image.storedSamples(limits: request.limits) { return raster }
      return nil
    } catch {
      photo.findings.append(
        Finding(
          .fileDamagedImage, .note, "the \(what) cannot be decoded: \(error)",
          evidence: "byte \(image.range.lowerBound)"))
      return nil
    }
  }

  /// The color image; when it is not requested, its limits are checked all the same.
  private mutating func color() throws(CaptureReadingError) -> Raster<RGB8>? {
    let frame = try file.primary.checkedFrame(
      maximumPixels: request.limits.colorPixels, limits: request.limits)
    let scale: JPEGScale
    switch request.color {
    case .none: return nil
    case .full, .stored: scale = .full
    case .preview(let side):
      scale =
        JPEGScale.allCases.first { scale in
          let reduced = scale.applied(to: frame.size)
          return max(reduced.width, reduced.height) <= side
        } ?? .eighth
    }
    let decoded = try file.primary.color(scale: scale, limits: request.limits)
    photo.findings += decoded.notes.map { Finding($0) }
    var pixels = decoded.raster
    if case .preview(let side) = request.color { pixels = pixels.reduced(toMaximumSide: side) }
    guard !request.keepsOwnColors else { return pixels }
    return ColorRemapping.toSRGB(profile: file.primary.iccProfile, nil)?.applied(to: pixels)
      ?? pixels
  }
}

extension CaptureReadingError {
  /// Whether metadata with this fault ends the reading instead of being ignored: limits and
  /// document types guard against attacks, which damage does not look like.
  package var refusesFile: Bool { reason == .limitExceeded || reason == .unsupported }
}

extension Finding {
  /// A block of metadata that could not be read.
  package static func damagedMetadata(_ what: String, _ error: CaptureReadingError) -> Finding {
    Finding(
      .fileDamagedMetadata, .caution, "the \(what) cannot be read: \(error)", evidence: what)
  }

  /// An image that repeats another: decoding each would multiply time and name one output twice.
  static func secondAuxiliary(_ what: String, _ evidence: String) -> Finding {
    Finding(
      .fileUnknownAuxiliary, .note, "a second \(what) of the same kind was left aside",
      evidence: evidence)
  }

  /// An auxiliary image of a kind that is not known here.
  package static func unknownAuxiliary(_ name: String) -> Finding {
    Finding(
      .fileUnknownAuxiliary, .note, "an auxiliary image of an unknown kind was left aside",
      evidence: name)
  }
}
