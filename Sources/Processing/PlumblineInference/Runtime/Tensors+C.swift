#if canImport(COpenVINO)
  internal import CTensors
  import PlumblineIO

  extension plb_tensor_shape {
    /// The shape of a tensor.
    ///
    /// - Precondition: There are at most 8 dimensions, which every caller has compared with a port.
    init(_ shape: [Int]) {
      precondition(shape.count <= Int(PLB_TENSOR_RANK), "at most 8 dimensions")
      self.init()
      rank = Int32(shape.count)
      withUnsafeMutableBytes(of: &lengths) { bytes in
        let lengths = bytes.assumingMemoryBound(to: Int64.self)
        for (index, length) in shape.enumerated() { lengths[index] = Int64(length) }
      }
    }

    /// The lengths; `nil` where one is open, empty where the rank is.
    var lengthsOfKnown: [Int?] {
      withUnsafeBytes(of: lengths) { bytes in
        bytes.assumingMemoryBound(to: Int64.self).prefix(Int(max(0, rank))).map {
          $0 < 0 ? nil : Int($0)
        }
      }
    }
  }

  extension plb_tensor_port {
    /// The name as it may be shown.
    var nameText: String {
      withUnsafeBytes(of: name) { printable($0.prefix { $0 != 0 }) }
    }
  }

  extension plb_runtime_problem {
    /// What a runtime says, without its source files: at most 300 characters in one line.
    var sentence: String {
      let bytes = withUnsafeBytes(of: text) { Array($0.prefix { $0 != 0 }) }
      let lines = bytes.split(separator: 0x0A).map { printable($0) }
        .filter { !$0.hasPrefix("Exception from ") }
        .map { $0.split(separator: " ").joined(separator: " ") }
      let sentence = lines.filter { !$0.isEmpty }.joined(separator: "; ")
      return sentence.isEmpty ? "no reason was given" : String(sentence.prefix(300))
    }
  }
#endif
