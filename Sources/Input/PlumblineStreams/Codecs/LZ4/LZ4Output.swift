import PlumblineIO

/// The plain bytes of LZ4 blocks, in memory of known size.
struct LZ4Output {
  private let memory: UnsafeMutableBufferPointer<UInt8>
  /// The number of bytes so far.
  private(set) var written = 0

  /// Starts without bytes in memory that outlives this.
  init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    self.memory = memory
  }

  /// The number of bytes that still fit.
  var room: Int { memory.count - written }

  /// The bytes from a position on.
  func bytes(from start: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[start..<written])
  }

  /// Appends the bytes of a block that is stored without compression.
  ///
  /// - Throws: `.malformed` when they do not fit.
  mutating func append(
    stored block: ArraySlice<UInt8>, path: [String]
  ) throws(CaptureReadingError) {
    guard block.count <= room else {
      throw Self.malformed(block.startIndex, path, "at most \(room) bytes", "\(block.count)")
    }
    block.withUnsafeBytes { append($0.baseAddress, $0.count) }
  }

  /// Appends the bytes of a compressed block.
  ///
  /// Every length and distance is checked before it is used. O(result).
  ///
  /// - Parameters:
  ///   - block: The block; errors contain its indices as offsets.
  ///   - first: The position of the first plain byte that the block may refer to.
  ///   - count: The maximum number of bytes of a block.
  ///   - path: The enclosing structures, for errors.
  /// - Throws: `.malformed` when the block ends early, refers to bytes before `first` or has more
  ///   bytes than are allowed.
  /// - Source: github.com/lz4/lz4, doc/lz4_Block_format.md: sequences of literals and a match; the
  ///   last has literals only.
  mutating func append(
    compressed block: ArraySlice<UInt8>, referringTo first: Int, atMost count: Int, path: [String]
  ) throws(CaptureReadingError) {
    let limit = written + min(count, room)
    try block.withUnsafeBufferPointer { (input) throws(CaptureReadingError) in
      var sequence = Sequence(input, offset: block.startIndex, path: path)
      while true {
        let token = try sequence.byte("a sequence")
        let literals = try sequence.length(Int(token >> 4))
        guard literals <= input.count - sequence.place, literals <= limit - written else {
          throw sequence.malformed(
            "at most \(min(input.count - sequence.place, limit - written)) literals", "\(literals)")
        }
        append(input.baseAddress.map { UnsafeRawPointer($0 + sequence.place) }, literals)
        sequence.place += literals
        if sequence.place == input.count { return }
        let low = try sequence.byte("a distance")
        let distance = Int(low) | Int(try sequence.byte("a distance")) << 8
        let size = try sequence.length(Int(token & 15)) + 4
        guard distance > 0, distance <= written - first else {
          throw sequence.malformed("a distance from 1 to \(written - first)", "\(distance)")
        }
        guard size <= limit - written else {
          throw sequence.malformed("a match of at most \(limit - written) bytes", "\(size)")
        }
        repeatBytes(from: distance, count: size)
      }
    }
  }

  /// The caller has checked that the bytes fit.
  private mutating func append(_ bytes: UnsafeRawPointer?, _ count: Int) {
    guard let bytes, count > 0, let start = memory.baseAddress else { return }
    UnsafeMutableRawPointer(start + written).copyMemory(from: bytes, byteCount: count)
    written += count
  }

  /// Appends bytes, each equal to the one `distance` before it; the caller has checked both.
  private mutating func repeatBytes(from distance: Int, count: Int) {
    guard let start = memory.baseAddress else { return }
    let target = start + written
    var done = 0
    // What was copied can be copied again, so that each step doubles the bytes of a period.
    var period = distance
    while done < count {
      let size = min(period, count - done)
      (target + done).update(from: target + done - period, count: size)
      done += size
      period += size
    }
    written += count
  }

  static func malformed(
    _ offset: Int, _ path: [String], _ expected: String, _ found: String
  ) -> CaptureReadingError {
    CaptureReadingError(.malformed, path: path, offset: offset, expected: expected, found: found)
  }

  /// A place in a block.
  private struct Sequence {
    let input: UnsafeBufferPointer<UInt8>
    let offset: Int
    let path: [String]
    var place = 0

    init(_ input: UnsafeBufferPointer<UInt8>, offset: Int, path: [String]) {
      (self.input, self.offset, self.path) = (input, offset, path)
    }

    @inline(__always)
    mutating func byte(_ what: String) throws(CaptureReadingError) -> UInt8 {
      guard place < input.count else { throw malformed(what, "the end of the block") }
      defer { place += 1 }
      return input[place]
    }

    /// The length that four bits begin: after 15 each byte adds to it, up to one that is not 255.
    @inline(__always)
    mutating func length(_ first: Int) throws(CaptureReadingError) -> Int {
      guard first == 15 else { return first }
      var sum = first
      while true {
        let more = try byte("a length")
        sum += Int(more)
        if more != 255 { return sum }
      }
    }

    func malformed(_ expected: String, _ found: String) -> CaptureReadingError {
      LZ4Output.malformed(offset + place, path, expected, found)
    }
  }
}
