#if os(Linux)
  import CDecoderSandbox

  #if canImport(Glibc)
    private import Glibc
  #elseif canImport(Musl)
    private import Musl
  #endif

  /// A worker's end of the messages: its standard input.
  package enum WorkerChannel {
    /// Of the messages; both sides are one program, unless files were exchanged while it ran.
    package static let version = 1

    /// Sends a message as it is.
    @discardableResult
    package static func send(_ bytes: [UInt8]) -> Bool {
      plb_send_message(0, bytes, bytes.count, -1) == bytes.count
    }

    /// The next message, and the descriptor that came with it (-1 for none), which the caller closes;
    /// `nil` at the end.
    package static func receive() -> (fields: MessageFields, descriptor: CInt)? {
      var bytes = [UInt8](repeating: 0, count: MessageFields.mostBytes)
      var descriptor: CInt = -1
      let count = plb_receive_message(0, &bytes, bytes.count, -1, &descriptor)
      guard count > 0, let fields = MessageFields(bytes[..<Int(count)]) else {
        if descriptor >= 0 { close(descriptor) }
        return nil
      }
      return (fields, descriptor)
    }

    /// The next message, its memory mapped; `nil` at the end.
    package static func receive(_ region: inout SharedRegion?) -> MessageFields? {
      guard let (fields, descriptor) = receive() else { return nil }
      defer { if descriptor >= 0 { close(descriptor) } }
      if descriptor >= 0, let byteCount = fields.number(.regionBytes) {
        region = nil
        region = SharedRegion(descriptor: descriptor, byteCount: byteCount)
      }
      return fields
    }
  }
#endif
