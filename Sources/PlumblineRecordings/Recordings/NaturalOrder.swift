/// The order of names in which numbers count as numbers: `frame-9` before `frame-10`.
enum NaturalOrder {
  /// Whether one name comes before another.
  ///
  /// Names that differ in leading zeros alone follow their bytes. O(length).
  static func precedes(_ a: String, _ b: String) -> Bool {
    let a = Array(a.utf8)
    let b = Array(b.utf8)
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      guard isDigit(a[i]), isDigit(b[j]) else {
        if a[i] != b[j] { return a[i] < b[j] }
        i += 1
        j += 1
        continue
      }
      let first = number(in: a, &i)
      let second = number(in: b, &j)
      // Without leading zeros, the longer of two numbers is the larger one.
      if first.count != second.count { return first.count < second.count }
      if !first.elementsEqual(second) { return first.lexicographicallyPrecedes(second) }
    }
    if a.count - i != b.count - j { return a.count - i < b.count - j }
    return a.lexicographicallyPrecedes(b)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }

  private static func number(in name: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    let start = index
    while index < name.count, isDigit(name[index]) { index += 1 }
    return name[start..<index].drop { $0 == 48 }
  }
}
