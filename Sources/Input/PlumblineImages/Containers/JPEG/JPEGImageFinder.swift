import PlumblineIO

/// The search for all images of a JPEG file, in one pass over its bytes.
struct JPEGImageFinder {
  let bytes: ArraySlice<UInt8>
  let limits: ReadingLimits
  private(set) var images: [JPEGImage] = []
  private(set) var notes: [ContainerNote] = []
  /// The number of start markers that did not begin an image.
  private var falseStarts = 0

  init(bytes: ArraySlice<UInt8>, limits: ReadingLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func find() throws(CaptureReadingError) {
    let primary = try JPEGImage(bytes, origin: .primary, limits: limits)
    let entries = self.entries(of: primary)
    let starts = imageStarts(in: entries)
    if primary.damage != nil, let next = starts.first {
      images = [try JPEGImage(bytes, origin: .primary, endingBefore: next, limits: limits)]
    } else {
      images = [primary]
    }
    if let claimed = entries.first { compare(primary, with: claimed) }

    // In ascending order, every byte is read once, whatever the index says.
    for (position, start) in starts.enumerated() {
      try scan(upTo: start)
      guard start >= endOfLast else {
        notes.append(
          ContainerNote(
            .multiPictureEntryRejected, "an entry starts at byte \(start), inside another image",
            offset: start))
        continue
      }
      let next = position + 1 < starts.count ? starts[position + 1] : nil
      let image = try JPEGImage(
        bytes[start...], origin: .multiPictureIndex, endingBefore: next, limits: limits)
      try append(image)
      if let claimed = entries.first(where: { $0.fileOffset == start }) {
        compare(image, with: claimed)
      }
    }
    try scan(upTo: bytes.endIndex)
  }

  private var endOfLast: Int { images.last?.range.upperBound ?? bytes.startIndex }

  private mutating func append(_ image: JPEGImage) throws(CaptureReadingError) {
    try limits.require(
      images.count + 1, atMost: limits.jpegImages, "images in one file",
      offset: image.range.lowerBound)
    images.append(image)
  }

  private mutating func entries(of primary: JPEGImage) -> [MultiPictureIndex.Entry] {
    guard let block = primary.multiPictureIndex else { return [] }
    do {
      return try MultiPictureIndex(block, limits: limits).entries
    } catch {
      notes.append(
        ContainerNote(.multiPictureIndexRejected, "\(error)", offset: block.startIndex))
      return []
    }
  }

  /// The positions at which entries point to a JPEG image, ascending, each once.
  private mutating func imageStarts(in entries: [MultiPictureIndex.Entry]) -> [Int] {
    var starts: Set<Int> = []
    for (number, entry) in entries.enumerated().dropFirst() {
      let start = entry.fileOffset
      let reason: String
      if start < bytes.startIndex || start >= bytes.endIndex {
        reason = "outside the file of \(bytes.count) bytes"
      } else if start == bytes.startIndex {
        reason = "which is the primary image"
      } else if !JPEGFile.recognizes(bytes[start...].prefix(3)) {
        reason = "where no JPEG starts"
      } else if !starts.insert(start).inserted {
        reason = "which an earlier entry named"
      } else {
        continue
      }
      notes.append(
        ContainerNote(
          .multiPictureEntryRejected,
          "entry \(number + 1) of the index names byte \(start), \(reason)",
          offset: start))
    }
    return starts.sorted()
  }

  /// Adds a note if a declared length is too short, or if the surplus contains more than zero
  /// bytes.
  private mutating func compare(_ image: JPEGImage, with claimed: MultiPictureIndex.Entry) {
    let actual = image.range.count
    guard image.isComplete, actual != claimed.length else { return }
    let claimedEnd = min(bytes.endIndex, image.range.lowerBound + claimed.length)
    // Padding is short; a longer check would let 64 entries cost 64 passes over the file.
    if claimedEnd > image.range.upperBound, claimedEnd - image.range.upperBound <= 1 << 16,
      bytes[image.range.upperBound..<claimedEnd].allSatisfy({ $0 == 0 })
    {
      return
    }
    notes.append(
      ContainerNote(
        .multiPictureLengthDiffers,
        "the index says that the image at byte \(image.range.lowerBound) is \(claimed.length) bytes "
          + "long; it is \(actual)", offset: image.range.lowerBound))
  }

  /// Adds every image with a frame header that starts between the last image and `end`.
  private mutating func scan(upTo end: Int) throws(CaptureReadingError) {
    var index = endOfLast
    while index < end, let start = bytes[index..<end].firstIndex(of: 0xFF) {
      index = start + 1
      guard JPEGFile.recognizes(bytes[start...].prefix(3)) else { continue }
      let image = try JPEGImage(bytes[start..<end], origin: .scan, limits: limits)
      // It continues after the bytes of a false start, so that many of them cost no quadratic time.
      index = max(index, image.range.upperBound)
      guard image.frame != nil else {
        falseStarts += 1
        try limits.require(
          falseStarts, atMost: limits.jpegFalseStarts, "starts of images that are none",
          offset: start)
        continue
      }
      try append(image)
      notes.append(
        ContainerNote(
          .imageFoundByScanning, "an image of \(image.range.count) bytes that no index names",
          offset: start))
    }
  }
}
