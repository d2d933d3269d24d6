package import PlumblineIO
import PlumblineModel

extension PhotoContents {
  /// Reads a JPEG photo whole; of several packets of extended XMP only the one that the main one names.
  ///
  /// - Throws: As ``CaptureReader`` does; `.malformed` too when the image or a depth map that is there
  ///   cannot be read.
  package init(jpeg bytes: [UInt8], _ request: CaptureReader) throws(CaptureReadingError) {
    var request = request
    request.color = .full
    request.keepsOwnColors = true
    request.readsCompanions = true
    let file = try JPEGFile(bytes[...], limits: request.limits)
    let capture = try JPEGPhotoReader(bytes, request).capture()
    let damage = capture.findings.first { $0.code == .fileDamagedImage }
    guard let color = capture.color else {
      throw CaptureReadingError(
        .malformed, path: ["primary image"], expected: "an image that can be decoded",
        found: damage?.message ?? "none")
    }
    self.init(
      color: color,
      metadata: PhotoMetadata(
        exif: file.primary.exif.map { [UInt8]($0) }, xmp: file.primary.xmp.map { [UInt8]($0) },
        iccProfile: file.primary.iccProfile, orientation: capture.colorOrientation))
    metadata.extendedXMP = try file.primary.namedExtendedXMP(limits: request.limits)
    mattes = capture.mattes
    gainMap = capture.gainMap
    leftOut = capture.findings.filter { $0.code == .fileDamagedImage }
    leftOut += try leftOut(file, request.limits)
    readCompanions(of: file, request.limits)
    defer { addLostProperties() }
    guard let record = capture.depth else { return }
    do throws(PhotoWritingError) { depth = try PhotoDepth(record) } catch {
      throw CaptureReadingError(
        .malformed, path: ["depth map"], expected: "a depth map that can be written",
        found: "\(error)")
    }
    // What the map's own packet says beside its numbers; the photo's where the map has none.
    let packets = file.images.dropFirst().lazy.compactMap {
      try? $0.xmpPacket(limits: request.limits)
    }
    let own = packets.first { AuxiliaryMeaning(AppleDepthMetadata($0)) == .depth }
    depth?.furtherProperties = own.map(CompanionProperties.init)
    if let packet = own ?? (try? file.primary.xmpPacket(limits: request.limits)) {
      depth?.provenance = ApplePhotoXMP.provenance(in: packet)
      depth?.blurRenderingParameters = AppleDepthMetadata(packet).blurRenderingParameters
    }
  }
}
