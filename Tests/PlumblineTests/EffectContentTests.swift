import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// The effects of the viewer: what is offered, and the results.
@Suite struct EffectContentTests {
  @Test func everyOfferedSettingGivesAnImage() async throws {
    let content = try CaptureContent(paths: [ViewContentTests.demo])
    let offered = try ViewContentTests.json(await content.response(to: .effects(item: 0, frame: 0)))
    #expect(offered["schema"]?.string == "plumbline.effects/1")
    let effects = try #require(offered["effects"]?.elements)
    #expect(effects.count == PhotoEffect.allCases.count)
    var images: Set<String> = []
    for effect in effects {
      let name = try #require(effect["name"]?.string)
      let settings = (effect["parameters"]?.elements ?? []).compactMap { parameter -> String? in
        guard let key = parameter["key"]?.string, let value = parameter["value"]?.string,
          !value.isEmpty
        else { return nil }
        return "\(key)=\(value.replacing("#", with: ""))"
      }
      let path = "/api/items/0/frames/0/effect/\(name)/\(settings.joined(separator: ","))"
      let request = try #require(ViewRequest(path: path), "\(path)")
      let answer = try ViewContentTests.json(await content.response(to: request))
      #expect(answer["schema"]?.string == "plumbline.effectPictures/1", "\(name)")
      let effectImages = (answer["images"]?.elements ?? []).compactMap(\.string)
      #expect((effectImages.count > 1) == (name == "wiggle"), "\(name)")
      images.insert(try #require(effectImages.first))
    }
    #expect(images.count == effects.count)
  }

  @Test(arguments: [
    ("blur", "aperture=0", 400), ("blur", "aperture=nan", 400), ("blur", "stop=2", 400),
    ("blur", "aperture=2,aperture=3", 400), ("blur", "focus=2;0.5", 400), ("shine", "-", 404),
    ("fog", "color=12345", 400), ("background", "backdrop=beach", 400),
  ])
  func refusesSettingsWithASentence(_ name: String, _ settings: String, _ status: Int) async throws
  {
    let content = try CaptureContent(paths: [ViewContentTests.demo])
    let request = try #require(
      ViewRequest(path: "/api/items/0/frames/0/effect/\(name)/\(settings)"))
    let answer = await content.response(to: request)
    #expect(answer.status == status)
    #expect(try ViewContentTests.json(answer)["message"]?.string?.isEmpty == false)
  }

  @Test(arguments: [
    "/api/live/effect/", "/api/live/effect/fog", "/api/live/effect/fog/-/-", "/api/live/effects",
    "/api/items/0/frames/0/effect/", "/api/items/0/frames/0/effect/blur",
    "/api/items/0/frames/0/effect/blur/", "/api/items/0/frames/0/effect/bl%20ur/-",
    "/api/items/0/frames/0/effect/blur/-/more", "/api/items/0/frames/0/effects",
  ])
  func otherPathsAreNone(_ path: String) { #expect(ViewRequest(path: path) == nil) }
}
