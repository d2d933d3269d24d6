import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Memory that a matcher keeps between pairs, for recordings and cameras.
///
/// Pairs of one size then cost no fresh pages: without it a sixth of the time of eight paths at
/// 640×480 went into clearing them. It grows to what the largest pair needed and is freed with the
/// value; it holds no result.
package struct MatchingWorkspace: ~Copyable {
  var costs = MatchingMemory<UInt8>(unwritten: 0)
  var sums = MatchingMemory<UInt16>(unwritten: 0)
  /// Rows of paths that are kept, see ``RowBlocks``.
  var kept = MatchingMemory<UInt8>(unwritten: 0)
  /// Whether it holds its memory once disparities are chosen; smoothing needs other memory.
  var isKept = true

  /// Holds nothing yet.
  package init() {}

  /// Frees its memory unless it is kept for a next pair.
  mutating func release() {
    guard !isKept else { return }
    costs = MatchingMemory(unwritten: 0)
    sums = MatchingMemory(unwritten: 0)
    kept = MatchingMemory(unwritten: 0)
  }

  /// How many bytes it holds.
  package var bytes: Int { costs.count + 2 * sums.count + kept.count }

  /// Makes room for `count` costs, as many sums and bytes that are kept, of which each is written before
  /// it is read.
  mutating func reserve(_ count: Int, kept keptCount: Int) {
    // What is there goes first, so that both never exist at once.
    if costs.count < count {
      costs = MatchingMemory(unwritten: 0)
      costs = MatchingMemory(unwritten: count)
    }
    if sums.count < count {
      sums = MatchingMemory(unwritten: 0)
      sums = MatchingMemory(unwritten: count)
    }
    if kept.count < keptCount {
      kept = MatchingMemory(unwritten: 0)
      kept = MatchingMemory(unwritten: keptCount)
    }
  }
}

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
    // Large pages are cleared and mapped at a fraction of the cost of small ones; of less than 32 MB they
    // would waste too much.
    let unit = bytes >= 32 << 20 ? 2 << 20 : 64
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

/// Calls a closure with parts of a range of rows on some threads; the parts depend on `threads`,
/// so each row's result must not depend on the part it is in.
func forEachPart(of rows: Range<Int>, threads: Int, _ body: @Sendable (Range<Int>) -> Void) {
  let parts = min(max(threads, 1), max(rows.count / 4, 1))
  if parts <= 1 {
    if !rows.isEmpty { body(rows) }
    return
  }
  DispatchQueue.concurrentPerform(iterations: parts) { part in
    let first = rows.lowerBound + rows.count * part / parts
    let end = rows.lowerBound + rows.count * (part + 1) / parts
    body(first..<end)
  }
}
