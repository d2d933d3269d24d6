import PlumblineModel
import PlumblineTestSupport
import PlumblineVision
import Testing

@Suite struct ViewSelectionTests {
  private let camera = CameraModel(intrinsics: SimulatedViews.square)

  /// A camera that stands still fills one cell, whatever the number of frames; the fullest one stays.
  @Test func aStandingCameraIsOneView() {
    var generator = SeededGenerator(seed: 1)
    let simulated = SimulatedViews()
    // In the middle of a cell, so that rounding of the pose cannot leave it.
    let pose = simulated.pose(lean: [0.31, 0.24], turn: 0.07, middle: [0.003, 0.004, 0.353])
    var views = (0..<4).map { _ in simulated.view(camera, pose: pose, &generator) }
    views[0].corners.removeLast(2)
    views[3].corners.removeLast(12)
    let selection = ViewSelection(views, camera: camera)
    #expect(selection.selected == [1])
    #expect(selection.nearDuplicates == [0, 2])
    #expect(selection.tooFewCorners == [3])
    #expect(selection.poseless.isEmpty)
  }

  /// Every view is in exactly one list, no cell holds two, and the order of numbers is ascending.
  @Test(arguments: 0..<3) func everyViewIsAccountedFor(seed: UInt64) {
    let simulated = SimulatedViews()
    var views = simulated.views(30, camera, seed: seed)
    views += views
    views[4].isMirrored = true
    views[7].corners.removeLast(15)
    let selection = ViewSelection(views, camera: camera)
    let all = selection.selected + selection.nearDuplicates + selection.poseless
    #expect((all + selection.tooFewCorners).sorted() == Array(views.indices))
    #expect(selection.selected == selection.selected.sorted())
    #expect(selection.poseless == [4] && selection.tooFewCorners == [7])
    // The second half repeats the first.
    #expect(selection.selected.count <= 30)
    let again = ViewSelection(selection.selected.map { views[$0] }, camera: camera)
    #expect(again.nearDuplicates.isEmpty)
  }
}
