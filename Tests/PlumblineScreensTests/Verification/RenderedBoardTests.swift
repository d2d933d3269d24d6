import Plumbline
import PlumblineModel
import PlumblineSimulation
import PlumblineVision
import Testing

@testable import PlumblineScreens

@Suite struct RenderedBoardTests {
  /// Frames of a simulated camera, images and all: the board is found, frames are kept, the outcome has files.
  @Test func simulatedFramesAreFoundAndMeasured() throws {
    var preset = CameraPreset.iPad4
    preset.colorSize = RasterSize(width: 640, height: 480)
    preset.depthSize = RasterSize(width: 320, height: 240)
    let board = Board.zeiss
    let recording = SimulationScene.board.recording(
      by: preset, frames: 14, board: board, views: .handheld, seed: 11)
    let finder = BoardFinder(board)
    var capture = BoardCapture(board)
    for index in 0..<recording.frameCount {
      var frame = recording.capture(of: recording.frame(index))
      // Held still for two frames.
      for step in 0..<2 {
        frame.timestampSeconds = Double(index) + Double(step) / 30
        capture.take(finder.observation(of: frame, number: 2 * index + step))
      }
    }
    #expect(capture.frameCount == 28 && capture.imagelessCount == 0)
    #expect(capture.keptCount >= 10, "\(capture.progress)")
    #expect(capture.canFinish, "\(capture.progress)")
    let outcome = try VerificationOutcome(capture.material)
    let measured = try #require(outcome.verification.measured, "\(outcome.reason)")
    let truth = preset.trueColor.scaled(to: preset.colorSize).intrinsics.focalLength.x
    // Fourteen views of a rendered board: 1 %.
    #expect(abs(measured.focal / truth - 1) < 0.01, "\(measured.focal) of \(truth)")
    let files = try outcome.files(named: "a test")
    #expect(files.map(\.name) == ["verify.json", "verify.html"])
    #expect(files.allSatisfy { $0.bytes.count > 500 })
  }
}
