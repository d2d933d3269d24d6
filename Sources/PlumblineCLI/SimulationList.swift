import Plumbline

/// What `simulate --list` prints.
enum SimulationList {
  /// Scenes, cameras, layouts and faults, a line each.
  static var text: String {
    let sections: [(String, [(String, String)])] = [
      ("scenes", SimulationScene.allCases.map { ($0.rawValue, $0.summary) }),
      ("cameras (--camera)", CameraPreset.all.map { ($0.name, $0.summary) }),
      ("layouts (--layout)", RecordingLayout.allCases.map { ($0.rawValue, $0.summary) }),
      (
        "faults (--fault NAME[=V])",
        SimulationFault.allCases.map { fault in
          let takesNumber = fault.range.lowerBound < fault.range.upperBound
          return (
            fault.rawValue,
            fault.summary + (takesNumber ? "; V is \(fault.standardValue) unless given" : "")
          )
        }
      ),
    ]
    return sections.map { title, rows in
      ([title]
        + rows.map { name, summary in
          "  " + name + String(repeating: " ", count: max(1, 16 - name.count)) + summary
        }).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
