import PlumblineModel

/// The motion samples of a topic.
enum MotionMessages {
  /// Samples by ascending time; messages that are damaged are left out.
  static func samples(
    of file: MCAPFile, at places: [MCAPMessagePlace]
  ) throws(CaptureReadingError) -> [MotionSample] {
    var samples: [MotionSample] = []
    for place in places {
      let topic = file.channels[place.channelID]?.topic ?? ""
      guard let message = try? ImuMessage(file.message(at: place).data, topic: topic) else {
        continue
      }
      samples.append(message.sample)
    }
    // The order of equal times is that of the file.
    return samples.enumerated().sorted {
      ($0.element.timestampSeconds, $0.offset) < ($1.element.timestampSeconds, $1.offset)
    }.map(\.element)
  }
}

/// Names of frames that came out of a file.
enum FrameNames {
  /// Names under which outputs can lie: one that is empty, another's too, or would leave its folder
  /// gives way to the frame's number.
  static func unique(_ names: [String]) -> [String] {
    let counts = Dictionary(names.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    let isUsable = { (name: String) in
      counts[name.lowercased()] == 1 && !["", ".", ".."].contains(name) && name.utf8.count <= 200
        && !name.contains("/") && !name.contains("\\") && printable(text: name) == name
    }
    if names.allSatisfy(isUsable) { return names }
    // One number among names could be another frame's name, so that all get one.
    return names.indices.map { index in
      let digits = String(index)
      return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
  }
}
