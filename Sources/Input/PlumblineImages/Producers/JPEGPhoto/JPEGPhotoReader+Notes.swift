extension JPEGPhotoReader {
  /// The container's notes, but for bytes that a directory in the photo's XMP accounts for.
  ///
  /// The container knows no XMP: to it, what Google's formats append is a stranger's, or an image that no
  /// index names. What a directory leaves over, such as a maker's trailer behind its items, is still noted.
  func notes() -> [ContainerNote] {
    guard file.notes.contains(where: { [.trailer, .imageFoundByScanning].contains($0.code) }),
      // Damage is reported where the packet is read for what it says.
      let packet = try? file.primary.xmpPacket(limits: request.limits)
    else { return file.notes }
    let named = AppendedImageDirectory.all(in: packet).flatMap { directory in
      directory.ranges(primaryEnd: file.primary.range.upperBound, fileEnd: file.bytes.endIndex)
        .dropFirst().compactMap { $0 }
    }
    guard !named.isEmpty else { return file.notes }
    return file.notes.flatMap { note in
      switch note.code {
      case .imageFoundByScanning:
        let isNamed = note.offset.map { place in named.contains { $0.contains(place) } } ?? false
        return isNamed ? [] : [note]
      case .trailer:
        return file.trailer.map { rest(of: $0.range, beside: named).map(\.note) } ?? [note]
      default: return [note]
      }
    }
  }

  /// What of a range no other range covers, named where its maker is known.
  private func rest(of whole: Range<Int>, beside named: [Range<Int>]) -> [JPEGTrailer] {
    var rest: [JPEGTrailer] = []
    var position = whole.lowerBound
    for range in named.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let start = range.lowerBound
      if start > position, let gap = JPEGTrailer(file.bytes[position..<start]) {
        rest.append(gap)
      }
      position = min(max(position, range.upperBound), whole.upperBound)
    }
    if let gap = JPEGTrailer(file.bytes[position..<whole.upperBound]) { rest.append(gap) }
    return rest
  }
}
