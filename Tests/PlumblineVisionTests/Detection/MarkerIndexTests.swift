import PlumblineTestSupport
import Testing

@testable import PlumblineVision

@Suite("Marker index")
struct MarkerIndexTests {
  @Test(
    "Recognizes codes turned, mirrored and with as many errors as the set corrects",
    arguments: [
      MarkerDictionary.Name.aruco4x4x50, .aruco5x5x100, .aruco6x6x250, .aruco7x7x50, .aprilTag36h11,
    ])
  func recognizes(name: MarkerDictionary.Name) {
    let dictionary = MarkerDictionary(name)
    let index = MarkerIndex(dictionary)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<12 {
      let id = Int.random(in: 0..<dictionary.count, using: &random)
      let turns = Int.random(in: 0..<4, using: &random)
      let isMirrored = Bool.random(using: &random)
      let errors = Int.random(in: 0...dictionary.maxCorrectionBits, using: &random)
      var word = dictionary.bits(of: id)
      if isMirrored { word = MarkerCode.mirrored(word, side: dictionary.side) }
      for _ in 0..<turns { word = MarkerCode.turned(word, side: dictionary.side) }
      let cells = (0..<dictionary.side * dictionary.side).shuffled(using: &random)
      for cell in cells.prefix(errors) { word ^= 1 << UInt64(cell) }
      let match = index.match(word, isMirrored: isMirrored)
      #expect(
        match
          == MarkerMatch(id: id, turns: turns, isMirrored: isMirrored, wrongCells: errors))
    }
  }

  @Test("Corners of a turned marker are named in the marker's order")
  func corners() {
    // A marker whose top-left corner shows at the quad's second corner was turned once.
    let corners: [SIMD2<Double>] = [[0, 0], [1, 0], [1, 1], [0, 1]]
    let turned = MarkerMatch(id: 0, turns: 1, isMirrored: false, wrongCells: 0)
    #expect(turned.cornersOfMarker(corners) == [[1, 0], [1, 1], [0, 1], [0, 0]])
    let mirrored = MarkerMatch(id: 0, turns: 0, isMirrored: true, wrongCells: 0)
    #expect(mirrored.cornersOfMarker(corners) == [[1, 0], [0, 0], [0, 1], [1, 1]])
  }

  @Test("Four quarter turns and two mirrors change nothing")
  func turns() {
    var random = SeededGenerator(seed: 8)
    for side in 4...7 {
      let word = UInt64.random(in: 0..<1 << UInt64(side * side), using: &random)
      let once = MarkerCode.turned(word, side: side)
      let half = MarkerCode.turned(once, side: side)
      #expect(MarkerCode.turned(MarkerCode.turned(half, side: side), side: side) == word)
      let mirrored = MarkerCode.mirrored(word, side: side)
      #expect(MarkerCode.mirrored(mirrored, side: side) == word)
      // A mirror turns the other way round.
      #expect(
        MarkerCode.turned(mirrored, side: side)
          == MarkerCode.mirrored(
            MarkerCode.turned(MarkerCode.turned(once, side: side), side: side), side: side))
    }
  }
}
