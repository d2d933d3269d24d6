/// Writes an MCAP file so that all but the chunk in flight survives whatever ends the writing.
///
/// ```swift
/// var writer = try MCAPWriter(file: file, profile: "ros2", library: "plumbline")
/// let schema = try writer.addSchema(name: name, encoding: "ros2msg", data: definition)
/// let channel = try writer.addChannel(topic: "/depth", messageEncoding: "cdr", schemaID: schema)
/// try writer.write(MCAPMessage(channelID: channel, …))
/// try writer.finish()
/// ```
///
/// After an error of ``write(_:)`` or ``flush()`` nothing was taken and nothing is half-written:
/// both can be tried again, and ``finish()`` still writes what waits and the index, for which a
/// full disk may have kept room.
public struct MCAPWriter {
  /// The number of messages taken so far.
  public private(set) var messageCount = 0
  /// The number of messages that would survive a power cut, counted from the first.
  public private(set) var storedMessageCount = 0

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - file: A new file.
  ///   - profile: What the channels obey, such as `ros2`; empty for nothing in particular.
  ///   - library: The program that writes.
  ///   - options: The layout.
  /// - Throws: `.output`.
  public init(
    file: any RecordingFile, profile: String = "", library: String,
    options: MCAPWritingOptions = MCAPWritingOptions()
  ) throws(RecordingWritingError) {
    fatalError("skeleton")
  }

  /// Declares a layout of messages.
  ///
  /// - Returns: Its identifier, from 1 on.
  /// - Throws: `.unrepresentable` after 65,535 schemas.
  public mutating func addSchema(
    name: String, encoding: String, data: [UInt8]
  ) throws(RecordingWritingError) -> UInt16 {
    fatalError("skeleton")
  }

  /// Declares a channel.
  ///
  /// - Parameter schemaID: What ``addSchema(name:encoding:data:)`` gave; 0 for none.
  /// - Returns: Its identifier, from 1 on.
  /// - Throws: `.unrepresentable` after 65,535 channels.
  public mutating func addChannel(
    topic: String, messageEncoding: String, schemaID: UInt16, metadata: [String: String] = [:]
  ) throws(RecordingWritingError) -> UInt16 {
    fatalError("skeleton")
  }

  /// Takes a message into the chunk in flight, which is written first when it is full or old.
  ///
  /// - Precondition: The channel was added.
  /// - Throws: `.output`; then the message was not taken.
  public mutating func write(_ message: MCAPMessage) throws(RecordingWritingError) {
    fatalError("skeleton")
  }

  /// Writes metadata at once.
  ///
  /// - Throws: `.output`.
  public mutating func addMetadata(
    _ name: String, _ values: [String: String]
  ) throws(RecordingWritingError) {
    fatalError("skeleton")
  }

  /// Writes an attachment at once.
  ///
  /// - Throws: `.output`.
  public mutating func addAttachment(
    _ attachment: MCAPAttachment
  ) throws(RecordingWritingError) {
    fatalError("skeleton")
  }

  /// Ends the chunk in flight and waits until everything taken would survive a power cut.
  ///
  /// - Throws: `.output`; then ``storedMessageCount`` is unchanged.
  public mutating func flush() throws(RecordingWritingError) {
    fatalError("skeleton")
  }

  /// Writes what waits, the index and the footer, and closes the file.
  ///
  /// - Throws: `.output`.
  public mutating func finish() throws(RecordingWritingError) {
    fatalError("skeleton")
  }
}
