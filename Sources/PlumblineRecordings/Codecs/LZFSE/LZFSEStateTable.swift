/// The states of a finite-state entropy decoder: each gives a symbol and leads to the next.
///
/// A symbol of frequency *f* has *f* states side by side, in the order of the symbols. With
/// *k* = ⌊log₂ *n*⌋ − ⌊log₂ *f*⌋, the first 2*n*/2ᵏ − *f* of them take *k* bits and the others
/// *k* − 1, so that each of the *n* states is reached once.
enum LZFSEStateTable {
  /// Steps of one symbol's states: how many bits each takes and what is added to them.
  static func steps(
    frequency: Int, stateCount: Int, _ body: (_ bits: Int, _ delta: Int) -> Void
  ) {
    let k = frequency.leadingZeroBitCount - stateCount.leadingZeroBitCount
    let longCount = ((2 * stateCount) >> k) - frequency
    for j in 0..<frequency {
      if j < longCount {
        body(k, ((frequency + j) << k) - stateCount)
      } else {
        body(k - 1, (j - longCount) << (k - 1))
      }
    }
  }

  /// A table for literals: bits to take, symbol and delta in bytes 0, 1 and 2–3 of each entry.
  ///
  /// States that no symbol has lead to state 0, as harmless as any.
  static func literals(_ frequencies: [UInt16]) -> [UInt32] {
    let stateCount = LZFSEAlphabet.literals.stateCount
    var table: [UInt32] = []
    table.reserveCapacity(stateCount)
    for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
      steps(frequency: Int(frequency), stateCount: stateCount) { bits, delta in
        let packedDelta = UInt32(UInt16(bitPattern: Int16(truncatingIfNeeded: delta)))
        table.append(UInt32(bits) | UInt32(symbol) << 8 | packedDelta << 16)
      }
    }
    table += Array(repeating: 0, count: stateCount - table.count)
    return table
  }

  /// A table for numbers: all bits to take, extra bits, delta and base in bytes 0, 1, 2–3 and 4–7.
  static func numbers(_ frequencies: [UInt16], _ alphabet: LZFSEAlphabet) -> [UInt64] {
    var table: [UInt64] = []
    table.reserveCapacity(alphabet.stateCount)
    for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
      let extra = UInt64(alphabet.extraBits[symbol])
      let base = UInt64(UInt32(bitPattern: alphabet.bases[symbol]))
      steps(frequency: Int(frequency), stateCount: alphabet.stateCount) { bits, delta in
        let packedDelta = UInt64(UInt16(bitPattern: Int16(truncatingIfNeeded: delta)))
        table.append((UInt64(bits) + extra) | extra << 8 | packedDelta << 16 | base << 32)
      }
    }
    table += Array(repeating: 0, count: alphabet.stateCount - table.count)
    return table
  }
}
