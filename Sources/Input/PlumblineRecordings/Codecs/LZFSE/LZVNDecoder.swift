#if !canImport(Compression)
  /// The decoder of LZVN blocks: opcodes with up to three literals and a match.
  enum LZVNDecoder {
    /// Decodes a block; returns an error text if it is damaged.
    static func decode(
      _ source: UnsafePointer<UInt8>, _ payload: Range<Int>, into target: inout LZFSEOutput,
      upTo blockEnd: Int
    ) -> String? {
      var place = payload.lowerBound
      let end = payload.upperBound
      var distance = 0
      while place < end {
        let opcode = Int(source[place])
        var headerSize = 1
        var literals = 0
        var match = 0
        switch opcode {
        case 0x06:
          // The end: seven zero bytes must follow.
          return end - place == 8 ? nil : "an end mark of \(end - place) bytes"
        case 0x0E, 0x16:
          place &+= 1
          continue
        case 0xE0, 0xF0:
          headerSize = 2
          guard end &- place >= 2 else { return "a cut opcode" }
          let size = Int(source[place &+ 1]) &+ 16
          if opcode == 0xE0 { literals = size } else { match = size }
        case 0xE1...0xEF: literals = opcode & 15
        case 0xF1...0xFF: match = opcode & 15
        case 0xA0...0xBF:
          headerSize = 3
          guard end &- place >= 3 else { return "a cut opcode" }
          let low = Int(source[place &+ 1])
          let word = Int(source[place &+ 2]) &<< 8 | low
          literals = (opcode &>> 3) & 3
          match = ((opcode & 7) &<< 2 | word & 3) &+ 3
          distance = word &>> 2
        case 0x1E, 0x26, 0x2E, 0x36, 0x3E, 0x70...0x7F, 0xD0...0xDF:
          return "the undefined opcode \(opcode)"
        default:
          literals = opcode &>> 6
          match = ((opcode &>> 3) & 7) &+ 3
          headerSize = readDistance(opcode, source + place, left: end &- place, &distance)
          guard headerSize > 0 else { return "a cut opcode" }
        }
        guard end &- place &- headerSize >= literals else { return "cut literals" }
        guard literals &+ match <= blockEnd &- target.written else { return "more" }
        if let fault = target.append(source + place + headerSize, literals) { return fault }
        guard target.repeatBytes(from: distance, count: match) else {
          return "a match from \(distance) bytes back"
        }
        place &+= headerSize &+ literals
      }
      return "no end mark"
    }

    /// Reads the match distance of a common opcode, unless it repeats the previous distance.
    ///
    /// Returns the opcode's length in bytes, or 0 if it is truncated.
    @inline(__always)
    private static func readDistance(
      _ opcode: Int, _ source: UnsafePointer<UInt8>, left: Int, _ distance: inout Int
    ) -> Int {
      switch opcode & 7 {
      case 6: return 1
      case 7:
        guard left >= 3 else { return 0 }
        distance = Int(source[1]) | Int(source[2]) &<< 8
        return 3
      default:
        guard left >= 2 else { return 0 }
        distance = (opcode & 7) &<< 8 | Int(source[1])
        return 2
      }
    }
  }
#endif
