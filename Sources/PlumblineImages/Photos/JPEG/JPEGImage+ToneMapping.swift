extension JPEGImage {
  /// What begins a segment with numbers of ISO 21496-1.
  static let toneMappingSignature = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  /// The numbers of ISO 21496-1 that a gain map carries, from their versions on; `nil` for other images.
  ///
  /// The image that the map belongs to has the versions alone, four bytes.
  package var toneMapping: [UInt8]? {
    for payload in payloads(of: .application(2))
    where payload.starts(with: Self.toneMappingSignature) {
      let numbers = payload.dropFirst(Self.toneMappingSignature.count)
      if numbers.count > 4 { return [UInt8](numbers) }
    }
    return nil
  }
}
