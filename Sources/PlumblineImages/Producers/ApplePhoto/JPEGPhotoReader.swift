package import PlumblineIO
package import PlumblineModel

/// Reads a JPEG photo: Apple's multi-picture layout, GDepth and Dynamic Depth.
struct JPEGPhotoReader {
  let file: JPEGFile
  let request: CaptureReader

  /// Finds the images of a file; throws as ``JPEGFile`` does.
  init(_ bytes: [UInt8], _ request: CaptureReader) throws(CaptureReadingError) {
    self.request = request
    file = try JPEGFile(bytes[...], limits: request.limits)
  }

  /// The capture that the images make together.
  func capture() throws(CaptureReadingError) -> Capture {
    let primary = file.primary
    guard let frame = primary.frame else {
      throw CaptureReadingError(
        .malformed, path: ["primary image"], offset: primary.range.lowerBound,
        expected: "an image", found: "no frame header" + madeBy())
    }
    var findings = notes().filter { $0.code != .trailingZeros }.map { Finding($0) }
    let exif = exif(&findings)
    let orientation = exif?.orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .up
    var capture = Capture(source: CaptureSource())
    capture.colorSize = frame.size
    capture.colorOrientation = orientation
    try readAuxiliaries(into: &capture, &findings)
    if capture.depth == nil {
      let packet = try packet(of: primary, &findings)
      capture.depth = try GoogleDepthReader(file: file, limits: request.limits)
        .record(packet, findings: &findings)
      if capture.depth != nil, let packet {
        capture.provenance += ApplePhotoXMP.provenance(in: packet)
      }
    }
    // An auxiliary image of a JPEG has no orientation of its own: it lies as the photo lies.
    capture.depth?.orientation = orientation
    for index in capture.mattes.indices { capture.mattes[index].orientation = orientation }
    capture.source = CaptureSource(exif, accuracy: capture.depth?.accuracy, isStereo: false)
    do throws(CaptureReadingError) {
      capture.color = try color(&findings)
    } catch {
      // Without depth, the image is all that the file is.
      if capture.depth == nil || error.reason == .limitExceeded { throw error }
      findings.append(
        Finding(
          .fileDamagedImage, .caution, "the color image cannot be decoded: \(error)",
          evidence: "primary image"))
    }
    capture.findings = findings
    return capture
  }

  /// The maker that Exif names, for the message about a file without pixels.
  private func madeBy() -> String {
    var ignored: [Finding] = []
    let source = CaptureSource(exif(&ignored), accuracy: nil, isStereo: false)
    let names = [source.make, source.model].compactMap(\.self).joined(separator: " ")
    return names.isEmpty ? "" : " (metadata of “\(names)”)"
  }

  private func exif(_ findings: inout [Finding]) -> ExifMetadata? {
    guard let block = file.primary.exif else { return nil }
    do throws(CaptureReadingError) {
      let exif = try ExifMetadata(tiff: block, limits: request.limits)
      findings += exif.notes.map { Finding($0) }
      return exif
    } catch {
      findings.append(.damagedMetadata("Exif", error))
      return nil
    }
  }

  private func packet(
    of image: JPEGImage, _ findings: inout [Finding]
  ) throws(CaptureReadingError) -> XMPPacket? {
    do throws(CaptureReadingError) {
      var limits = request.limits
      // Thirty-two packets as large as that of a photo may be would cost half a minute.
      if image.range != file.primary.range { limits.xmlNodes = limits.auxiliaryXMLNodes }
      return try image.xmpPacket(limits: limits)
    } catch {
      if error.refusesFile { throw error }
      findings.append(.damagedMetadata("XMP", error))
      return nil
    }
  }

  private func readAuxiliaries(
    into capture: inout Capture, _ findings: inout [Finding]
  ) throws(CaptureReadingError) {
    let images = file.images.dropFirst()
    try request.limits.require(
      images.count, atMost: request.limits.auxiliaryImages, "auxiliary images")
    for image in images {
      guard let packet = try packet(of: image, &findings) else {
        readGainMapInISOForm(of: image, into: &capture, &findings)
        continue
      }
      let metadata = AppleDepthMetadata(packet)
      switch AuxiliaryMeaning(metadata) {
      case .depth:
        guard capture.depth == nil else {
          findings.append(
            Finding(
              .fileSeveralDepthMaps, .note, "a second depth map was left aside",
              evidence: "byte \(image.range.lowerBound)"))
          continue
        }
        let samples = try image.storedSamples(limits: request.limits)
        capture.provenance += metadata.provenance
        capture.depth = AppleDepthRecord(samples: samples, metadata: metadata, representation: nil)
          .record(findings: &findings)
      case .matte(let kind):
        guard !capture.mattes.contains(where: { $0.kind == kind }) else {
          findings.append(.secondAuxiliary("matte", "byte \(image.range.lowerBound)"))
          continue
        }
        if let coverage = samples8(of: image, "matte", &findings) {
          capture.mattes.append(Matte(kind: kind, coverage: coverage))
        }
      case .gainMap:
        guard capture.gainMap == nil else {
          findings.append(.secondAuxiliary("gain map", "byte \(image.range.lowerBound)"))
          continue
        }
        if let codes = samples8(of: image, "gain map", &findings) {
          capture.gainMap = GainMap(
            samples: .uint8(codes), version: metadata.hdrGainMapVersion,
            headroom: metadata.hdrGainMapHeadroom)
        }
      case .unknown(let name):
        if !name.isEmpty { findings.append(.unknownAuxiliary(name)) }
        readGainMapInISOForm(of: image, into: &capture, &findings)
      }
    }
  }

  /// Takes an image for the gain map that only its numbers of ISO 21496-1 show to be one; one of three
  /// channels is more than the gain map that is read here.
  private func readGainMapInISOForm(
    of image: JPEGImage, into capture: inout Capture, _ findings: inout [Finding]
  ) {
    guard capture.gainMap == nil, let numbers = image.toneMapping,
      image.frame?.components.count == 1, let codes = samples8(of: image, "gain map", &findings)
    else { return }
    capture.gainMap = GainMap(samples: .uint8(codes))
    capture.gainMap?.toneMapping = numbers
  }

  /// An image beside the depth map: damage costs the image, not the file.
  private func samples8(
    of image: JPEGImage, _ what: String, _ findings: inout [Finding]
  ) -> Raster<UInt8>? {
    guard request.readsCompanions else { return nil }
    do throws(CaptureReadingError) {
      if case .uint8(let raster) = try image.storedSamples(limits: request.limits) { return raster }
      return nil
    } catch {
      findings.append(
        Finding(
          .fileDamagedImage, .note, "the \(what) cannot be decoded: \(error)",
          evidence: "byte \(image.range.lowerBound)"))
      return nil
    }
  }

  /// The color image; when it is not requested, its limits are checked all the same.
  private func color(_ findings: inout [Finding]) throws(CaptureReadingError) -> Raster<RGB8>? {
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
    findings += decoded.notes.map { Finding($0) }
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
