package import PlumblineIO
package import PlumblineModel

extension PhotoContents {
  /// Says what a HEIC file shows or keeps beside what is read here.
  package static func leftOut(_ file: HEIFFile) throws(CaptureReadingError) -> [Finding] {
    var findings: [Finding] = []
    func add(_ what: String, _ item: HEIFItemID) {
      findings.append(
        Finding(
          .photoPartLeftOut, .note, "\(what) was left out", evidence: "item \(item)"))
    }
    var pair: [HEIFItemID] = []
    if let stereo = file.stereoPair {
      let eyes = [stereo.left.itemID, stereo.right.itemID]
      if eyes.contains(file.primaryItemID) { pair = eyes }
    }
    for item in pair where item != file.primaryItemID {
      add("the image for the other eye", item)
    }
    var seen: Set<HEIFAuxiliary.Kind> = []
    for auxiliary in try file.auxiliaries() {
      switch auxiliary.kind {
      case .alpha, .appleRendition, .unknown:
        add(
          "the auxiliary image \(auxiliary.type.isEmpty ? "without type" : auxiliary.type)",
          auxiliary.itemID)
      case .semanticMatte(let name) where Matte.Kind(rawValue: name) == nil:
        add("the auxiliary image \(auxiliary.type)", auxiliary.itemID)
      case .depth, .portraitEffectsMatte, .semanticMatte, .hdrGainMap:
        if !seen.insert(auxiliary.kind).inserted {
          add("a second image of the type \(auxiliary.type)", auxiliary.itemID)
        }
      }
    }
    // What is part of another image, belongs to it or is a smaller one of it is none of its own.
    let parts = Set(
      file.references.flatMap { reference -> [HEIFItemID] in
        switch reference.type {
        case "dimg": reference.to
        case "auxl", "thmb": [reference.from]
        default: []
        }
      })
    for item in file.items
    where ["hvc1", "hev1", "grid", "iden", "iovl"].contains(item.type) && !item.isHidden
      && item.id != file.primaryItemID && !pair.contains(item.id) && !parts.contains(item.id)
    {
      // A copy of the image under another number shows nothing else.
      if item.type == "iden", file.items(referredToBy: item.id, as: "dimg") == [file.primaryItemID]
      {
        continue
      }
      add("a further image", item.id)
    }
    return findings
  }

  /// Says what stands behind a JPEG's image beside what is read here.
  ///
  /// - Throws: `.limitExceeded`.
  package func leftOut(_ file: JPEGFile, _ limits: ReadingLimits) throws(CaptureReadingError)
    -> [Finding]
  {
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
    return [
      Finding(
        .photoPartLeftOut, .note,
        "what stands behind the image beside depth and mattes (\(count) bytes) was left out",
        evidence: "byte \(others[0].range.lowerBound)")
    ]
  }
}
