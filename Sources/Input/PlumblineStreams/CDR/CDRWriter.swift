/// Writes one ROS 2 message: plain CDR, version 1, little-endian, as every ROS 2 writes it.
///
/// - Source: OMG DDSI-RTPS 2.5, §10 (the encapsulation `00 01 00 00`); OMG DDS-XTypes 1.3, §7.4.1
///   (numbers are aligned to their size, relative to the end of the encapsulation header).
package struct CDRWriter {
  private static let encapsulation: [UInt8] = [0, 1, 0, 0]

  /// The message so far.
  package private(set) var bytes = Self.encapsulation

  /// An empty message.
  ///
  /// - Parameter capacity: The approximate size of the message in bytes.
  package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  private mutating func align(to size: Int) {
    let past = (bytes.count - Self.encapsulation.count) % size
    if past > 0 { bytes.append(contentsOf: repeatElement(0, count: size - past)) }
  }

  /// Appends an integer.
  package mutating func write(_ number: some FixedWidthInteger & BitwiseCopyable) {
    align(to: MemoryLayout.size(ofValue: number))
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a Boolean.
  package mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Appends a number in double precision.
  package mutating func write(_ number: Double) { write(number.bitPattern) }

  /// Appends a NUL-terminated UTF-8 string.
  package mutating func write(_ text: String) {
    let utf8 = Array(text.utf8)
    write(UInt32(utf8.count + 1))
    bytes += utf8
    bytes.append(0)
  }

  /// Appends a fixed number of numbers in double precision.
  package mutating func write(array numbers: [Double]) {
    for number in numbers { write(number) }
  }

  /// Appends a sequence of numbers in double precision.
  package mutating func write(_ numbers: [Double]) {
    write(UInt32(numbers.count))
    write(array: numbers)
  }

  /// Appends a sequence of bytes; O(*n*).
  package mutating func write(_ data: ArraySlice<UInt8>) {
    write(UInt32(data.count))
    data.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Appends a sequence of bytes; O(*n*).
  package mutating func write(_ data: [UInt8]) { write(data[...]) }

  /// Appends a sequence of single-precision numbers with their exact bits; O(*n*).
  package mutating func write(_ numbers: [Float]) {
    write(UInt32(numbers.count))
    appendWords(numbers) { Float(bitPattern: $0.bitPattern.littleEndian) }
  }

  /// Appends a sequence of unsigned 16-bit numbers; O(*n*).
  package mutating func write(_ numbers: [UInt16]) {
    write(UInt32(numbers.count))
    appendWords(numbers) { $0.littleEndian }
  }

  private mutating func appendWords<Number: BitwiseCopyable>(
    _ numbers: [Number], _ littleEndian: (Number) -> Number
  ) {
    #if _endian(little)
      numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
    #else
      numbers.map(littleEndian).withUnsafeBytes { bytes.append(contentsOf: $0) }
    #endif
  }
}
