import Dispatch

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
