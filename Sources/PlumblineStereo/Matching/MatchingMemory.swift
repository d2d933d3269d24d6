#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Memory of one kind of number that several threads fill, each its own part.
///
/// Rows are shared out so that no two threads touch one; that is what makes sending it sound.
struct MatchingMemory<Element: BitwiseCopyable>: ~Copyable {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  /// Takes memory for `count` elements of which each is written before it is read.
  init(unwritten count: Int) {
    self.count = count
    let bytes = max(count, 1) * MemoryLayout<Element>.stride
    // Large pages are cleared and mapped at a fraction of the cost of small ones.
    let unit = bytes >= 4 << 20 ? 2 << 20 : 64
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: (bytes + unit - 1) / unit * unit, alignment: unit)
    #if os(Linux)
      if unit > 64 { _ = madvise(raw, (bytes + unit - 1) / unit * unit, 14 /* MADV_HUGEPAGE */) }
    #endif
    base = raw.bindMemory(to: Element.self, capacity: max(count, 1))
  }

  /// Takes memory for `count` elements that all begin as one value.
  init(count: Int, repeating value: Element) {
    self.init(unwritten: count)
    base.initialize(repeating: value, count: count)
  }

  deinit { UnsafeMutableRawPointer(base).deallocate() }
}
