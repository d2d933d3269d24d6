import ArgumentParser
import Plumbline

/// Two vertices as they are written on the command line: `1200:4310`.
struct VertexPairArgument {
  let pair: VertexPair

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let words = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard words.count == 2, let first = UInt32(words[0]), let second = UInt32(words[1]) else {
      throw ValidationError("write two vertices as in 1200:4310, counted from 0 as in the PLY file")
    }
    pair = VertexPair(Int(first), Int(second))
  }

  /// Says where a model has no such vertex.
  func check(_ model: MorphableModel) throws {
    guard max(pair.first, pair.second) < model.vertexCount else {
      throw VertexPairError(
        expected: "vertices below \(model.vertexCount), which \(model.name) has",
        found: "\(pair.first):\(pair.second)")
    }
  }
}

/// A pair of vertices that the model does not have.
struct VertexPairError: Error, CustomStringConvertible {
  let expected: String
  let found: String

  var description: String { "--between: expected \(expected), found \(found)" }
}
