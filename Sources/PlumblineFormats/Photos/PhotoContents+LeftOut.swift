import PlumblineModel

extension PhotoContents {
  /// Names what a HEIC file shows or keeps beside what is read here.
  static func leftOut(_ file: HEIFFile) throws(CaptureReadingError) -> [String] {
    var names: [String] = []
    if let pair = file.stereoPair,
      [pair.left.itemID, pair.right.itemID].contains(file.primaryItemID)
    {
      names.append("the picture for the other eye")
    }
    for auxiliary in try file.auxiliaries() {
      switch auxiliary.kind {
      case .alpha, .appleRendition, .unknown:
        names.append(
          "the auxiliary image \(auxiliary.type.isEmpty ? "without type" : auxiliary.type)")
      case .depth, .portraitEffectsMatte, .semanticMatte, .hdrGainMap: continue
      }
    }
    return names
  }

  /// Names what stands behind a JPEG's picture beside what is read here.
  ///
  /// - Throws: `.limitExceeded`.
  func leftOut(_ file: JPEGFile, _ limits: ReadingLimits) throws(CaptureReadingError) -> [String] {
    // A packet that cannot be read names nothing.
    var xmp = try? JPEGPhotoXMP(file.primary, limits: limits)
    let directories = xmp?.directories ?? []
    let ranges = directories.map {
      $0.ranges(primaryEnd: file.primary.range.upperBound, fileEnd: file.bytes.endIndex)
    }
    let depthNames = xmp?.removeDepth() ?? []
    let chunks = try JPEGPhotoChunks(file, directories: ranges, limits: limits).all
    let others = chunks.filter { chunk in
      switch chunk.role {
      case .depth, .matte: return false
      case .gainMap: return gainMap == nil
      case .gap: return !file.bytes[chunk.range].allSatisfy { $0 == 0 }
      case .other:
        return !chunk.items.contains { place in
          let item = directories[place.directory].items[place.item]
          return item.dataURI.map(depthNames.contains) == true
        }
      }
    }
    guard !others.isEmpty else { return [] }
    let count = others.reduce(0) { $0 + $1.range.count }
    return ["what stands behind the picture beside depth and mattes (\(count) bytes)"]
  }
}
