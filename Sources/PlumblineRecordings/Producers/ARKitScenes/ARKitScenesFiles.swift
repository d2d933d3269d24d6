import PlumblineIO
import PlumblineStreams

/// The files of one video, by stream and time.
struct ARKitScenesFiles: Sendable {
  private var byStream: [String: [String]] = [:]

  init(_ names: [String]) {
    for name in names {
      guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { continue }
      byStream[String(name[..<slash]), default: []].append(name)
    }
  }

  /// The files of one folder with the time in their names.
  func stream(_ stream: String, _ ending: String) -> [(seconds: Double, name: String)] {
    byStream[stream, default: []].compactMap { name in
      ARKitScenesLayout.seconds(in: name, ending).map { ($0, name) }
    }
  }

  /// Finds the file nearest to a time in the first of several streams that has one.
  func lookup(_ streams: [(name: String, ending: String)]) -> ARKitScenesLookup {
    ARKitScenesLookup(
      streams.map { self.stream($0.name, $0.ending) }.filter { !$0.isEmpty })
  }
}

/// Files by time, the better streams first.
struct ARKitScenesLookup: Sendable {
  private let streams: [(times: NearestTime, names: [String])]

  init(_ streams: [[(seconds: Double, name: String)]]) {
    self.streams = streams.map { (NearestTime($0.map(\.seconds)), $0.map(\.name)) }
  }

  /// The file of the first stream that has one within the tolerance.
  func callAsFunction(names seconds: Double) -> String? {
    for (times, names) in streams {
      if let index = times.index(near: seconds, within: ARKitScenesLayout.tolerance) {
        return names[index]
      }
    }
    return nil
  }
}
