#if canImport(COpenVINO)
  internal import COpenVINO
  import PlumblineIO
  extension plumbline_openvino_shape {
    /// The shape of a tensor.
    ///
    /// - Precondition: There are at most 8 dimensions, which every caller has compared with a port.
    init(_ shape: [Int]) {
      precondition(shape.count <= Int(PLUMBLINE_MAXIMUM_RANK), "at most 8 dimensions")
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

  extension plumbline_openvino_port {
    /// The name as it may be shown.
    var nameText: String {
      withUnsafeBytes(of: name) { printable($0.prefix { $0 != 0 }) }
    }
  }
#endif
