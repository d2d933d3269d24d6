/// Edges that may be collapsed, the cheapest first: a heap of four children a node.
///
/// An entry is outdated once a vertex of it has changed; that is found out when it comes first.
struct CollapseQueue {
  struct Entry: BitwiseCopyable {
    /// The cost, in m⁴.
    var cost: Float
    /// The vertex that stays.
    var kept: UInt32
    /// The vertex that goes.
    var removed: UInt32
    /// The sum of both vertices' numbers of changes when the cost was computed; they only grow.
    var changes: UInt32
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private(set) var count: Int

  /// A queue of entries in any order; the memory is freed by ``deallocate()``.
  init(_ list: [Entry]) {
    count = list.count
    capacity = max(64, list.count + list.count / 2)
    entries = .allocate(capacity: capacity)
    for (index, entry) in list.enumerated() { (entries + index).initialize(to: entry) }
    guard count > 1 else { return }
    for place in stride(from: (count - 2) / 4, through: 0, by: -1) {
      sink(entries[place], at: place)
    }
  }

  func deallocate() { entries.deallocate() }

  mutating func push(_ entry: Entry) {
    if count == capacity { grow() }
    var place = count
    count += 1
    while place > 0 {
      let parent = (place - 1) / 4
      guard entry.cost < entries[parent].cost else { break }
      entries[place] = entries[parent]
      place = parent
    }
    entries[place] = entry
  }

  /// Takes the cheapest.
  mutating func pop() -> Entry? {
    guard count > 0 else { return nil }
    let first = entries[0]
    count -= 1
    if count > 0 { sink(entries[count], at: 0) }
    return first
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * capacity)
    larger.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = larger
    capacity *= 2
  }

  /// Puts an entry at a place or below, so that no child is cheaper than its parent.
  private func sink(_ entry: Entry, at start: Int) {
    var place = start
    while true {
      let firstChild = 4 * place + 1
      guard firstChild < count else { break }
      var least = firstChild
      for child in (firstChild + 1)..<max(firstChild + 1, min(firstChild + 4, count))
      where entries[child].cost < entries[least].cost {
        least = child
      }
      guard entries[least].cost < entry.cost else { break }
      entries[place] = entries[least]
      place = least
    }
    entries[place] = entry
  }
}
