package import PlumblineIO

/// The time and the frame of a message, `std_msgs/Header`.
package struct ROSHeader: Hashable, Sendable {
  package var stamp: ROSTime
  /// The frame that the message's numbers are in.
  package var frame: String

  package init(stamp: ROSTime, frame: String) {
    self.stamp = stamp
    self.frame = frame
  }

  package init(from reader: inout CDRReader) throws(CaptureReadingError) {
    let seconds = try reader.readInt32("the stamp's seconds")
    let nanoseconds = try reader.readUInt32("the stamp's nanoseconds")
    stamp = ROSTime(seconds: seconds, nanoseconds: nanoseconds)
    // REP 103 names frames without a leading slash; older bags still have it.
    let name = try reader.readString("the frame's name")
    frame = name.hasPrefix("/") ? String(name.dropFirst()) : name
  }

  package func write(to writer: inout CDRWriter) {
    writer.write(stamp.seconds)
    writer.write(stamp.nanoseconds)
    writer.write(frame)
  }
}

/// A moment as ROS writes it, `builtin_interfaces/Time`.
package struct ROSTime: Hashable, Sendable {
  package var seconds: Int32
  /// From 0 to 999,999,999 in sound files.
  package var nanoseconds: UInt32

  package init(seconds: Int32, nanoseconds: UInt32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The moment nearest to a time in seconds; `nil` for one that is no number, before the clock's
  /// start or after its 31 bits of seconds.
  package init?(_ seconds: Double) {
    guard seconds >= 0, seconds < Double(Int32.max) else { return nil }
    self.init(nanosecondCount: UInt64((seconds * 1e9).rounded()))
  }

  /// A moment by its nanoseconds since the clock's start.
  ///
  /// - Precondition: Its seconds fit 31 bits.
  package init(nanosecondCount count: UInt64) {
    self.init(seconds: Int32(count / 1_000_000_000), nanoseconds: UInt32(count % 1_000_000_000))
  }

  /// Seconds since the clock's start, rounded once.
  package var inSeconds: Double { Double(nanosecondCount) / 1e9 }

  /// Nanoseconds since the clock's start; a stamp before it counts below 0.
  package var nanosecondCount: Int64 { Int64(seconds) * 1_000_000_000 + Int64(nanoseconds) }
}
