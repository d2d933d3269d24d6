import PlumblineCapture
import PlumblineModel
import PlumblineScreens
import Testing

@Suite("The screen with photos")
struct PhotosScreenTests {
  /// A TrueDepth camera that makes all mattes, and nothing else beside depth.
  static let plain = PhotoCapabilities(
    supportsDepth: true, supportedMattes: [.portraitEffects, .hair, .skin, .teeth, .glasses])

  static let verdict = PhotoChecker().verdict(on: [], fileName: "a.heic")

  @Test("A shot pauses the preview, goes forward only, and gives the camera back")
  func shot() throws {
    var screen = PhotosScreen(.trueDepth)
    #expect(screen.previewRequest.isWanted && screen.canShoot)
    let settings = screen.shoot()
    #expect(settings == .metrology && !screen.previewRequest.isWanted && !screen.canShoot)
    #expect(!screen.canLeave)
    let second = screen.shoot()
    #expect(second == nil)
    for phase in [ShotPhase.preparing, .taking, .storing, .checking] {
      screen.advance(to: phase)
      #expect(screen.phase == phase && phase.text != nil)
      screen.advance(to: .pausingPreview)
      screen.advance(to: .idle)
      #expect(screen.phase == phase)
    }
    screen.finish([Self.verdict], remarks: ["the flash did not fire"])
    #expect(screen.phase == .idle && screen.verdicts == [Self.verdict] && screen.canLeave)
    #expect(screen.remarks == ["the flash did not fire"] && screen.previewRequest.isWanted)
    _ = screen.shoot()
    #expect(screen.verdicts.isEmpty && screen.remarks.isEmpty)
  }

  @Test("A shot that fails says why, and the next can be taken")
  func failure() {
    var screen = PhotosScreen(.trueDepth)
    screen.fail(.failed("nothing was asked for"))
    #expect(screen.phase == .idle)
    _ = screen.shoot()
    screen.advance(to: .taking)
    screen.fail(.interrupted(.background))
    #expect(screen.phase.text?.contains("background") == true && screen.canShoot)
    screen.finish([Self.verdict], remarks: [])
    #expect(screen.verdicts.isEmpty)
  }

  @Test("While a shot is under way nothing of it changes")
  func locked() {
    var screen = PhotosScreen(.dual)
    _ = screen.shoot()
    let before = screen.choices.settings
    screen.device = .trueDepth
    screen.set(.matte(.hair), true)
    screen.set(DepthPhotoSettings.Container.jpeg)
    #expect(screen.device == .dual && screen.choices.settings == before)
  }

  @Test("A photo that is kept nowhere is not taken")
  func kept() {
    var screen = PhotosScreen(.trueDepth)
    screen.storage.usesFiles = false
    let none = screen.shoot()
    #expect(none == nil && screen.phase == .idle)
    screen.storage.usesPhotos = true
    let some = screen.shoot()
    #expect(some != nil)
  }

  @Test("What the camera refuses is said at its switch, and left out of the shot with a note")
  func refusals() throws {
    var screen = PhotosScreen(.trueDepth)
    #expect(screen.optionRows.allSatisfy { $0.isEnabled && $0.refusals.isEmpty })
    #expect(screen.notes.first == "What this camera can do is known after its first photo.")
    screen.take(Self.plain)
    #expect(screen.notes == [DepthPhotoSettings.deferredDeliveryText])
    for option in [PhotoChoices.Option.livePhoto, .constantColor, .bracket, .dualPhotos] {
      let row = try #require(screen.optionRows.first { $0.option == option })
      #expect(!row.isEnabled && !row.isOn && !row.refusals.isEmpty)
    }
    let matte = try #require(screen.optionRows.first { $0.option == .matte(.hair) })
    #expect(matte.isEnabled && matte.name == "Matte: hair")
    screen.set(.livePhoto, true)
    screen.set(.matte(.hair), true)
    let row = try #require(screen.optionRows.first { $0.option == .livePhoto })
    #expect(row.isOn && row.isEnabled)
    #expect(screen.notes.contains { $0.hasPrefix("Left out: ") && $0.contains("Live Photo") })
    let taken = screen.shoot()
    let settings = try #require(taken)
    #expect(!settings.takesLivePhoto && settings.mattes == [.hair] && settings.deliversDepth)
    #expect(screen.notes.last == DepthPhotoSettings.deferredDeliveryText)
  }

  @Test("One mode of the flash is on; those that the device lacks cannot be chosen")
  func flash() {
    var screen = PhotosScreen(.lidar)
    screen.take(Self.plain)
    #expect(screen.flashRows.filter(\.isOn).map(\.name) == ["Flash off"])
    #expect(screen.flashRows.filter { !$0.isEnabled }.count == 2)
    screen.set(.flash(.on), true)
    #expect(screen.flashRows.filter(\.isOn).map(\.name) == ["Flash on"])
  }

  @Test(
    "Another camera keeps the choices and is asked anew; the triple camera has no preview",
    arguments: DepthDevice.allCases)
  func devices(device: DepthDevice) {
    var screen = PhotosScreen(.trueDepth)
    screen.take(Self.plain)
    screen.set(.filteredDepth, true)
    screen.set(DepthPhotoSettings.Container.jpeg)
    #expect(screen.choices.capabilities != nil)
    screen.device = device
    #expect(screen.choices.settings.isFiltered && screen.choices.settings.container == .jpeg)
    #expect((screen.choices.capabilities == nil) == (device != .trueDepth))
    #expect((screen.missingPreviewText != nil) == (device == .triple))
    #expect(screen.previewRequest.isWanted == (device != .triple))
  }

  @Test("A drawn preview counts only for the effect that is still chosen, and keeps new numbers")
  func preview() {
    var screen = PhotosScreen(.trueDepth)
    screen.effect.effect = .portrait
    let capture = PreviewEffectTests.capture()
    let first = screen.effect.drawing(of: capture, isMirror: false, at: 1)
    #expect(first.image != nil && first.message == nil)
    screen.take(first)
    screen.take(screen.effect.drawing(of: capture, isMirror: false, at: 1.5))
    #expect(screen.effect.rateText == "2.0 images/s of 96×72, stored size")
    let late = screen.effect.drawing(of: capture, isMirror: false, at: 2)
    screen.effect.fNumber = 8
    screen.take(late)
    #expect(screen.effect.fNumber == 8)
    screen.effect.effect = .background
    screen.take(late)
    #expect(screen.effect.effect == .background && screen.effect.rateText == nil)
    var flat = capture
    flat.depth = nil
    screen.take(screen.effect.drawing(of: flat, isMirror: false, at: 3))
    #expect(screen.effectMessage == "This frame has no depth.")
  }

  @Test("Every option has words of its own")
  func names() {
    let screen = PhotosScreen(.trueDepth)
    let names = (screen.optionRows + screen.flashRows).map(\.name)
    #expect(Set(names).count == PhotoChoices.Option.all.count)
  }
}
