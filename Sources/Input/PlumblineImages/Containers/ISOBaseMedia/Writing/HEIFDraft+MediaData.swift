import PlumblineIO

extension HEIFDraft {
  /// The ranges of bytes to remove.
  struct Cuts {
    /// In ascending order and disjoint.
    private(set) var ranges: [Range<Int>] = []

    /// Finds the bytes that only removed items use, inside one range; O(*n* log *n*).
    init(
      of removed: [HEIFDraftLocation], keeping kept: [HEIFDraftLocation], within bounds: Range<Int>
    ) {
      let holes = Self.union(Self.ranges(removed, bounds))
      let needed = Self.union(Self.ranges(kept, bounds))
      var next = 0
      for hole in holes {
        var start = hole.lowerBound
        while next < needed.count, needed[next].upperBound <= start { next += 1 }
        var index = next
        while index < needed.count, needed[index].lowerBound < hole.upperBound {
          if start < needed[index].lowerBound { ranges.append(start..<needed[index].lowerBound) }
          start = max(start, needed[index].upperBound)
          index += 1
        }
        if start < hole.upperBound { ranges.append(start..<hole.upperBound) }
      }
    }

    private static func ranges(
      _ locations: [HEIFDraftLocation], _ bounds: Range<Int>
    ) -> [Range<Int>] {
      locations.flatMap { location in
        location.extents.compactMap { extent -> Range<Int>? in
          let end = extent.length == 0 ? bounds.upperBound : extent.offset + extent.length
          guard extent.offset < end else { return nil }
          let inside = (extent.offset..<end).clamped(to: bounds)
          return inside.isEmpty ? nil : inside
        }
      }
    }

    private static func union(_ ranges: [Range<Int>]) -> [Range<Int>] {
      var result: [Range<Int>] = []
      for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let last = result.last, range.lowerBound <= last.upperBound {
          result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
          result.append(range)
        }
      }
      return result
    }

    /// The number of bytes removed before a position.
    func removedCount(before place: Int) -> Int {
      var count = 0
      for range in ranges where range.lowerBound < place {
        count += min(range.upperBound, place) - range.lowerBound
      }
      return count
    }

    /// The position after the removal.
    func moved(_ place: Int) -> Int { place - removedCount(before: place) }

    /// The remaining bytes of a range.
    func applied(to bytes: [UInt8], within bounds: Range<Int>) -> [UInt8] {
      var result: [UInt8] = []
      var start = bounds.lowerBound
      for range in ranges {
        result += bytes[start..<range.lowerBound]
        start = range.upperBound
      }
      return result + bytes[start..<bounds.upperBound]
    }
  }

  /// The last index below `count` for which a condition holds that is true only for the first ones;
  /// O(log *n*).
  static func last(_ count: Int, _ holds: (Int) -> Bool) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// The copied boxes without the removed bytes, and their positions in the new file.
  struct MediaData {
    private let parts: [OuterPart]
    private let cuts: [Cuts]
    private let addedBytes: Int
    /// The media data box to which new bytes are appended; `nil` to add a new box.
    private let growing: Int?

    init(_ draft: HEIFDraft, _ source: [UInt8]) {
      parts = draft.outerParts
      let removed = draft.removedLocations.filter(\.isInFile)
      let kept = draft.locations.filter(\.isInFile)
      cuts = parts.map { part in
        guard case .mediaData(_, let payload) = part, !removed.isEmpty else {
          return Cuts(of: [], keeping: [], within: 0..<0)
        }
        return Cuts(of: removed, keeping: kept, within: payload)
      }
      addedBytes = draft.newData.reduce(0) { $0 + $1.bytes.count }
      growing = parts.lastIndex { if case .mediaData = $0 { true } else { false } }
    }

    /// The positions of all parts in the new file.
    struct Layout {
      fileprivate var moves: [(range: Range<Int>, start: Int, cuts: Cuts)] = []
      /// The position of the first new byte.
      fileprivate(set) var newDataOffset = 0

      /// Maps an offset of the source to the new file; offsets that are not copied stay unchanged.
      func place(_ offset: Int) -> Int {
        // The end of a range belongs to it unless another range starts there.
        guard let index = HEIFDraft.last(moves.count, { moves[$0].range.lowerBound <= offset }),
          offset <= moves[index].range.upperBound
        else { return offset }
        let move = moves[index]
        let cut = move.cuts.removedCount(before: offset)
        return move.start + offset - move.range.lowerBound - cut
      }
    }

    func layout(metaSize: Int, preamble: Int) -> Layout {
      var layout = Layout()
      var offset = preamble
      for (index, part) in parts.enumerated() {
        switch part {
        case .meta: offset += metaSize
        case .new(let box): offset += box.count
        case .kept(let range):
          layout.moves.append((range, offset, cuts[index]))
          offset += range.count
        case .mediaData(let header, let payload):
          let start = offset + header.count
          layout.moves.append((payload, start, cuts[index]))
          offset = start + payload.count - cuts[index].removedCount(before: payload.upperBound)
          if index == growing {
            layout.newDataOffset = offset
            offset += addedBytes
          }
        }
      }
      if growing == nil { layout.newDataOffset = offset + 8 }
      return layout
    }

    func file(
      meta: [UInt8], preamble: [UInt8], _ draft: HEIFDraft, _ source: [UInt8]
    ) -> [UInt8] {
      var file = preamble
      file.reserveCapacity(source.count + meta.count + addedBytes + 64)
      for (index, part) in parts.enumerated() {
        switch part {
        case .meta: file += meta
        case .new(let box): file += box
        case .kept(let range): file += HEIFDraft.sized([UInt8](source[range]))
        case .mediaData(let header, let payload):
          let kept = cuts[index].applied(to: source, within: payload)
          let size = header.count + kept.count + (index == growing ? addedBytes : 0)
          // The size has 64 bits if it had before, else 32, also where it meant "to the end".
          let isLong = header.count >= 16
          file += [UInt8](bigEndian: isLong ? 1 : size, bytes: 4)
          file += source[header.lowerBound + 4..<header.lowerBound + 8]
          if isLong { file += [UInt8](bigEndian: size, bytes: 8) }
          file += kept
          if index == growing { for item in draft.newData { file += item.bytes } }
        }
      }
      if growing == nil, addedBytes > 0 {
        file += HEIFDraft.box("mdat", draft.newData.flatMap(\.bytes))
      }
      return file
    }
  }
}
