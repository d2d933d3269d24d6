package import PlumblineIO

extension HEIFFile {
  /// The bytes of an item: its extents put together.
  ///
  /// An item of one extent costs O(1) and shares the file's bytes and indices; others are copied.
  ///
  /// - Throws: `.malformed` when extents leave their source or items lie in each other,
  ///   `.missing` without a location, `.unsupported` for other files, `.limitExceeded` when an
  ///   item would be larger than the file.
  package func data(of item: HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    var assembly = HEIFItemAssembly(file: self)
    return try assembly.data(of: item)
  }
}

/// Puts items together from extents, each item once and never more bytes than the file has.
private struct HEIFItemAssembly {
  let file: HEIFFile
  private var finished: [HEIFItemID: ArraySlice<UInt8>] = [:]
  private var enclosing: [HEIFItemID] = []
  private var copiedBytes = 0

  init(file: HEIFFile) { self.file = file }

  mutating func data(of item: HEIFItemID) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    if let data = finished[item] { return data }
    let path = ["meta", "iloc", "item \(item)"]
    guard let location = file.locations[item] else {
      throw CaptureReadingError(.missing, path: path, expected: "a location", found: "none")
    }
    guard !enclosing.contains(item) else {
      throw CaptureReadingError(
        .malformed, path: path, expected: "bytes outside the item itself",
        found: "items that lie in each other")
    }
    enclosing.append(item)
    try file.limits.require(
      enclosing.count, atMost: file.limits.derivationDepth, "items inside items", path: path)
    let data = try assemble(location, of: item, path)
    enclosing.removeLast()
    finished[item] = data
    return data
  }

  private mutating func assemble(
    _ location: HEIFItemLocation, of item: HEIFItemID, _ path: [String]
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    if location.extents.count == 1 { return try extent(location.extents[0], location, item, path) }
    var bytes: [UInt8] = []
    for run in location.extents {
      let slice = try extent(run, location, item, path)
      copiedBytes += slice.count
      try file.limits.require(
        copiedBytes, atMost: file.bytes.count, "bytes, those of the file", path: path)
      bytes += slice
    }
    return bytes[...]
  }

  private mutating func extent(
    _ extent: HEIFItemLocation.Extent, _ location: HEIFItemLocation, _ item: HEIFItemID,
    _ path: [String]
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let source: ArraySlice<UInt8>
    switch location.origin {
    case .file: source = file.bytes
    case .itemData: source = file.itemData
    case .item:
      let sources = file.items(referredToBy: item, as: "iloc")
      guard extent.index >= 1, extent.index <= sources.count else {
        throw CaptureReadingError(
          .malformed, path: path, expected: "one of \(sources.count) referenced items",
          found: "number \(extent.index)")
      }
      source = try data(of: sources[extent.index - 1])
    case .unknown(let what):
      throw CaptureReadingError(
        .unsupported, path: path, expected: "bytes of this file", found: what)
    }
    // Neither sum overflows: the table was read with checked additions.
    let end = extent.length == 0 ? source.count : extent.offset + extent.length
    guard extent.offset <= end, end <= source.count else {
      throw CaptureReadingError(
        .malformed, path: path, offset: extent.offset,
        expected: "an extent within \(source.count) bytes",
        found: "\(extent.length) bytes at \(extent.offset)")
    }
    return source[source.startIndex + extent.offset..<source.startIndex + end]
  }
}
