import Foundation
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineStreams
/// One file of the format's own suite: what it holds, and how it is laid out.
///
/// The copy beside this checkout has the expectations as JSON and, in place of most files, the
/// pointers of Git's large-file storage: their SHA-256 and size. A file that our writer makes with
/// that digest is that file, byte for byte, and is then read.
struct MCAPConformanceCase {
  let name: String
  let features: Set<String>
  let records: [[String: Any]]
  let digest: String

  static func all() throws -> [MCAPConformanceCase] {
    try RealData.files(under: "bad/mcap").filter { $0.pathExtension == "json" }.map(Self.init)
  }

  init(_ url: URL) throws {
    name = url.deletingPathExtension().lastPathComponent
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
    records = try #require(json?["records"] as? [[String: Any]])
    let meta = json?["meta"] as? [String: Any]
    let variant = meta?["variant"] as? [String: Any]
    features = Set(try #require(variant?["features"] as? [String]))
    let file = [UInt8](
      try Data(contentsOf: url.deletingPathExtension().appendingPathExtension("mcap")))
    let text = String(decoding: file.prefix(200), as: UTF8.self)
    if text.hasPrefix("version https://git-lfs"), let range = text.range(of: "sha256:") {
      digest = String(text[range.upperBound...].prefix(64))
    } else {
      digest = SHA256Digest.hexadecimal(of: file)
    }
  }

  /// The layout that the features require.
  var options: MCAPWritingOptions {
    var options = MCAPWritingOptions()
    options.definitions = .once
    options.isChunked = features.contains("ch")
    options.hasMessageIndex = features.contains("mx")
    options.hasStatistics = features.contains("st")
    options.repeatsSchemas = features.contains("rsh")
    options.repeatsChannels = features.contains("rch")
    options.hasAttachmentIndex = features.contains("ax")
    options.hasMetadataIndex = features.contains("mdx")
    options.hasChunkIndex = features.contains("chx")
    options.hasSummaryOffsets = features.contains("sum")
    options.chunkNanoseconds = .max
    options.hasChunkChecksum = true
    options.padding = features.contains("pad") ? [1, 255, 255] : []
    return options
  }

  /// Writes what the data section holds.
  func written() throws -> [UInt8] {
    let output = MemoryOutput()
    var writer = try MCAPWriter(file: output.makeFile("a.mcap"), library: "", options: options)
    for record in records {
      let fields = Fields(record)
      switch fields.type {
      case "Schema":
        try writer.add(
          MCAPSchema(
            id: fields.number("id"), name: fields.text("name"), encoding: fields.text("encoding"),
            data: fields.bytes("data")))
      case "Channel":
        try writer.add(
          MCAPChannel(
            id: fields.number("id"), schemaID: fields.number("schema_id"),
            topic: fields.text("topic"), messageEncoding: fields.text("message_encoding"),
            metadata: fields.texts("metadata")))
      case "Message": try writer.write(fields.message)
      case "Attachment": try writer.addAttachment(fields.attachment)
      case "Metadata": try writer.addMetadata(fields.text("name"), fields.texts("metadata"))
      case "DataEnd":
        try writer.finish()
        return try output.folder.bytes(of: "a.mcap")
      default: continue
      }
    }
    return []
  }

  /// The fields of one record as the suite writes them: numbers as texts.
  struct Fields {
    let type: String
    private var values: [String: Any] = [:]

    init(_ record: [String: Any]) {
      type = record["type"] as? String ?? ""
      for pair in record["fields"] as? [[Any]] ?? [] { values[pair[0] as? String ?? ""] = pair[1] }
    }

    func text(_ name: String) -> String { values[name] as? String ?? "" }
    func texts(_ name: String) -> [String: String] { values[name] as? [String: String] ?? [:] }
    func number<Number: FixedWidthInteger>(_ name: String) -> Number { Number(text(name)) ?? 0 }
    func bytes(_ name: String) -> [UInt8] {
      (values[name] as? [String] ?? []).compactMap { UInt8($0) }
    }

    var message: MCAPMessage {
      MCAPMessage(
        channelID: number("channel_id"), sequence: number("sequence"),
        logTime: number("log_time"), publishTime: number("publish_time"),
        data: bytes("data")[...])
    }
    var attachment: MCAPAttachment {
      MCAPAttachment(
        name: text("name"), mediaType: text("media_type"), logTime: number("log_time"),
        createTime: number("create_time"), data: bytes("data"))
    }
  }
}
