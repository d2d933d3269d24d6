import PlumblineTestSupport
@testable import PlumblineVision
import Testing

@Suite struct MarkerDictionaryTests {
  @Test(
    "Markers, sides and corrections are those of OpenCV",
    .enabled(if: PythonPeer.has("cv2"), "\(PythonPeer.absence("cv2"))"))
  func equalsOpenCV() throws {
    let names = MarkerDictionary.Name.allCases
    let arguments = ["sets"] + names.map(\.rawValue)
    let answer = try PythonPeer.run("marker_dictionary.py", arguments: arguments)
    let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == names.count)
    for (name, line) in zip(names, lines) {
      let dictionary = MarkerDictionary(name)
      let words = (0..<dictionary.count).map { dictionary.bits(of: $0) }
      let head = [UInt64(dictionary.side), UInt64(dictionary.maxCorrectionBits)]
      #expect(head + words == line.split(separator: " ").compactMap { UInt64($0) }, "\(name)")
    }
  }

  @Test("Every marker differs from every other, however turned")
  func markersDiffer() {
    for name in [MarkerDictionary.Name.aruco4x4x50, .aruco6x6x250, .aprilTag36h11] {
      let dictionary = MarkerDictionary(name)
      var seen: Set<UInt64> = []
      for id in 0..<dictionary.count {
        var word = dictionary.bits(of: id)
        for _ in 0..<4 {
          #expect(seen.insert(word).inserted, "\(name) \(id)")
          word = MarkerCode.turned(word, side: dictionary.side)
        }
      }
    }
  }

  @Test("Cells are read row after row from the top left")
  func cells() {
    // The original marker 1 is four rows 10000 and one row 10111.
    let dictionary = MarkerDictionary(.arucoOriginal)
    let rows = (0..<5).map { row in
      (0..<5).map { dictionary.isWhite(column: $0, row: row, of: 1) ? 1 : 0 }
    }
    #expect(rows[0] == [1, 0, 0, 0, 0])
    #expect(rows[4] == [1, 0, 1, 1, 1])
  }
}
