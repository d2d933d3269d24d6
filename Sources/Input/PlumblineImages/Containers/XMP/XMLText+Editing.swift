extension XMLText {
  /// A range of the text and its replacement.
  struct Edit {
    var range: Range<Int>
    var replacement: [UInt8]

    init(_ range: Range<Int>, _ replacement: String = "") {
      self.range = range
      self.replacement = Array(replacement.utf8)
    }
  }

  /// Applies edits; an edit inside another replaced range is dropped.
  func applying(_ edits: [Edit]) -> [UInt8] {
    // At one position, insertions come first, then the longest range.
    func order(_ edit: (offset: Int, element: Edit)) -> (Int, Int, Int) {
      let range = edit.element.range
      return (range.lowerBound, range.isEmpty ? Int.min : -range.upperBound, edit.offset)
    }
    let ordered = edits.enumerated().sorted { order($0) < order($1) }
    var result: [UInt8] = []
    var position = 0
    for edit in ordered.map(\.element) where edit.range.lowerBound >= position {
      result += bytes[position..<edit.range.lowerBound]
      result += edit.replacement
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }

  /// An edit that removes an element and the white space before it.
  func removal(of element: Int) -> Edit {
    let range = elements[element].range
    var start = range.lowerBound
    while start > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start - 1]) { start -= 1 }
    return Edit(start..<range.upperBound)
  }

  /// An edit that inserts text before an element's end tag; a self-closing element gets one.
  func insertion(_ text: String, atEndOf element: Int) -> Edit {
    let place = elements[element]
    guard place.closesItself else {
      var start = place.end.lowerBound
      while start > place.start.upperBound, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start - 1]) {
        start -= 1
      }
      return Edit(start..<start, text)
    }
    let name = (place.prefix.isEmpty ? "" : place.prefix + ":") + place.name.local
    return Edit(place.start.upperBound - 2..<place.start.upperBound, ">\(text)\n</\(name)>")
  }

  /// All elements of a subtree, its root first.
  func subtree(of element: Int) -> ArraySlice<Int> {
    // Elements are in the order of their start tags, so a subtree is a contiguous range.
    let end = elements[element].range.upperBound
    var last = element
    while last + 1 < elements.count, elements[last + 1].start.lowerBound < end { last += 1 }
    return Array(element...last)[...]
  }
}
