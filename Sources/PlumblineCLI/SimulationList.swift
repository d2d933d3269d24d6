import Plumbline

/// The text that `simulate --list` prints.
enum SimulationList {
  /// Scenes, cameras, layouts and faults, a line each.
  static var text: String {
    let sections: [(String, [(String, String)])] = [
      ("scenes", SimulationScene.allCases.map { ($0.rawValue, $0.summary) }),
      ("cameras (--camera)", CameraPreset.all.map { ($0.name, $0.summary) }),
      ("pairs (--dual)", DualCameraPreset.all.map { ($0.name, $0.summary) }),
      ("layouts (--layout)", SimulationLayout.allCases.map { ($0.rawValue, $0.summary) }),
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
        + rows.flatMap { name, summary in
          // Words that do not fit 80 columns go on below the first.
          CalibrationText.wrapped(summary, width: 62).enumerated().map { index, row in
            "  " + (index == 0 ? name : "").padded(16) + row
          }
        }).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
