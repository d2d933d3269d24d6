package import PlumblineIO
import Synchronization

/// The chunks that were read last, shared by all threads.
package final class MCAPChunkCache: Sendable {
  private struct Entry {
    let chunk: Int
    let records: ArraySlice<UInt8>
  }

  /// The one used last stands at the end.
  private let entries = Mutex<[Entry]>([])
  private let limitBytes: Int

  /// An empty cache.
  ///
  /// - Parameter limitBytes: What the chunks may take together; the last one stays in any case.
  package init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// The records of a chunk, read unless they are here.
  ///
  /// The reading blocks no other thread; two that miss the same chunk both read it.
  package func records(
    of chunk: Int, read: () throws(CaptureReadingError) -> ArraySlice<UInt8>
  ) throws(CaptureReadingError) -> ArraySlice<UInt8> {
    let kept = entries.withLock { entries -> ArraySlice<UInt8>? in
      guard let index = entries.lastIndex(where: { $0.chunk == chunk }) else { return nil }
      if index < entries.count - 1 { entries.append(entries.remove(at: index)) }
      return entries[entries.count - 1].records
    }
    if let kept { return kept }
    let records = try read()
    entries.withLock { entries in
      entries.append(Entry(chunk: chunk, records: records))
      var bytes = entries.reduce(0) { $0 + $1.records.count }
      while bytes > limitBytes, entries.count > 1 { bytes -= entries.removeFirst().records.count }
    }
    return records
  }
}
