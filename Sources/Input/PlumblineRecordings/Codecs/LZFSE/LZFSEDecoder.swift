import PlumblineIO

#if !canImport(Compression)
  /// The decoder for systems without LZFSE; every read and write is bounds-checked.
  enum LZFSEDecoder {
    /// The number of bytes that copies in steps of 16 bytes may write past the end.
    static let slack = 32

    /// Decompresses blocks; `count` is the sum of their sizes.
    static func decoded(
      _ bytes: ArraySlice<UInt8>, blocks: [LZFSEBlock], count: Int
    ) throws(CaptureReadingError) -> [UInt8] {
      var failure: CaptureReadingError?
      let first = bytes.startIndex
      let result = [UInt8](unsafeUninitializedCapacity: count + slack) { output, written in
        bytes.withUnsafeBufferPointer { input in
          // An end mark has four bytes, and the capacity is above 0, so neither pointer is `nil`.
          guard let source = input.baseAddress, let start = output.baseAddress else { return }
          var target = LZFSEOutput(start: start, count: count)
          var scratch: [UInt8] = []
          for block in blocks {
            let payload = (block.payload.lowerBound - first)..<(block.payload.upperBound - first)
            let end = target.written + block.rawCount
            let fault: String? =
              switch block.kind {
              case .stored:
                target.append(source + payload.lowerBound, payload.count)
              case .lzvn:
                LZVNDecoder.decode(source, payload, into: &target, upTo: end)
              case .entropyCoded(let header):
                decode(header, source, payload, into: &target, upTo: end, scratch: &scratch)
              }
            let found =
              fault ?? (target.written == end ? nil : "\(end - target.written) bytes less")
            if let found {
              failure = CaptureReadingError(
                .malformed, path: ["LZFSE"], offset: block.offset,
                expected: "a block of \(block.rawCount) bytes", found: found)
              return
            }
          }
          written = target.written
        }
      }
      if let failure { throw failure }
      return result
    }

    /// Decodes one entropy-coded block; returns an error text if it is damaged.
    private static func decode(
      _ header: LZFSEHeader, _ source: UnsafePointer<UInt8>, _ payload: Range<Int>,
      into target: inout LZFSEOutput, upTo end: Int, scratch: inout [UInt8]
    ) -> String? {
      if scratch.isEmpty {
        scratch = Array(repeating: 0, count: LZFSEHeader.maximumLiterals + slack)
      }
      return scratch.withUnsafeMutableBufferPointer { literals in
        guard let start = literals.baseAddress else { return "no memory" }
        let middle = source + payload.lowerBound + header.literalSize
        return decodeLiterals(header, end: middle, memoryStart: source, into: start)
          ?? decodeMatches(
            header, end: source + payload.upperBound, memoryStart: source,
            literals: UnsafePointer(start), into: &target, upTo: end)
      }
    }

    private static func decodeLiterals(
      _ header: LZFSEHeader, end: UnsafePointer<UInt8>, memoryStart: UnsafePointer<UInt8>,
      into literals: UnsafeMutablePointer<UInt8>
    ) -> String? {
      if header.literalCount == 0 { return nil }
      guard
        var reader = LZFSEBitReader(
          end: end, size: header.literalSize, memoryStart: memoryStart,
          missing: header.literalBits)
      else { return "bits behind the end of the literals" }
      let isSound = LZFSEStateTable.literals(header.frequencies[3]).withUnsafeBufferPointer {
        table -> Bool in
        guard let table = table.baseAddress else { return false }
        var state0 = header.literalStates[0]
        var state1 = header.literalStates[1]
        var state2 = header.literalStates[2]
        var state3 = header.literalStates[3]
        @inline(__always)
        func next(_ state: inout Int) -> UInt8 {
          // A delta plus its bits is always below the number of states.
          let entry = table[state]
          let bits = reader.take(Int(truncatingIfNeeded: entry & 0xFF))
          state = Int(truncatingIfNeeded: Int32(bitPattern: entry) &>> 16) &+ bits
          return UInt8(truncatingIfNeeded: entry &>> 8)
        }
        var index = 0
        while index < header.literalCount {
          // Four symbols need at most 40 of the 56 bits.
          guard reader.refill() else { return false }
          literals[index] = next(&state0)
          literals[index &+ 1] = next(&state1)
          literals[index &+ 2] = next(&state2)
          literals[index &+ 3] = next(&state3)
          index &+= 4
        }
        return reader.isWithinStream
      }
      return isSound ? nil : "fewer literals"
    }

    private static func decodeMatches(
      _ header: LZFSEHeader, end: UnsafePointer<UInt8>, memoryStart: UnsafePointer<UInt8>,
      literals: UnsafePointer<UInt8>, into target: inout LZFSEOutput, upTo blockEnd: Int
    ) -> String? {
      if header.matchCount == 0 { return nil }
      guard
        var reader = LZFSEBitReader(
          end: end, size: header.matchSize, memoryStart: memoryStart, missing: header.matchBits)
      else { return "bits behind the end of the matches" }
      let lengths = LZFSEStateTable.numbers(header.frequencies[0], .lengths)
      let matches = LZFSEStateTable.numbers(header.frequencies[1], .matches)
      let distances = LZFSEStateTable.numbers(header.frequencies[2], .distances)
      return lengths.withUnsafeBufferPointer { lengths -> String? in
        matches.withUnsafeBufferPointer { matches -> String? in
          distances.withUnsafeBufferPointer { distances -> String? in
            guard let lengths = lengths.baseAddress, let matches = matches.baseAddress,
              let distances = distances.baseAddress
            else { return "no tables" }
            var lengthState = header.lengthState
            var matchState = header.matchState
            var distanceState = header.distanceState
            @inline(__always)
            func next(_ state: inout Int, _ table: UnsafePointer<UInt64>) -> Int {
              let entry = table[state]
              let extra = (entry &>> 8) & 0xFF
              let bits = reader.take(Int(truncatingIfNeeded: entry & 0xFF))
              let delta = Int(Int16(truncatingIfNeeded: entry &>> 16))
              state = delta &+ (bits &>> Int(truncatingIfNeeded: extra))
              let mask = (1 &<< Int(truncatingIfNeeded: extra)) &- 1
              return Int(truncatingIfNeeded: entry &>> 32) &+ (bits & mask)
            }
            var literalsLeft = header.literalCount
            var literal = literals
            var distance = 0
            var matchesLeft = header.matchCount
            while matchesLeft > 0 {
              matchesLeft &-= 1
              // One symbol of each kind needs at most 14 + 17 + 23 of the 56 bits.
              guard reader.refill() else { return "fewer matches" }
              let length = next(&lengthState, lengths)
              let match = next(&matchState, matches)
              let newDistance = next(&distanceState, distances)
              if newDistance != 0 { distance = newDistance }
              guard length <= literalsLeft else { return "more literals than there are" }
              guard length &+ match <= blockEnd &- target.written else { return "more" }
              target.appendWithSlack(literal, length)
              literal += length
              literalsLeft &-= length
              guard target.repeatBytes(from: distance, count: match) else {
                return "a match from \(distance) bytes back"
              }
            }
            return reader.isWithinStream ? nil : "fewer matches"
          }
        }
      }
    }
  }
#endif
