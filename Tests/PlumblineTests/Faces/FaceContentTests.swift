import Foundation
import Plumbline
import PlumblineTestSupport
import Synchronization
import Testing

/// The heads of the viewer where there are no models; RealHeadTests fits some.
@Suite struct FaceContentTests {
  @Test func withoutALoaderNoHeadsAreOffered() async throws {
    let content = try CaptureContent(paths: [ViewContentTests.demo])
    let view = try ViewContentTests.json(await content.response(to: .overview))
    #expect(view["faces"]?.bool == false)
    for request in [
      ViewRequest.faces(item: 0, frame: 0), .facePage(item: 0, frame: 0, face: 1),
    ] {
      #expect(await content.response(to: request).status == 404)
    }
  }

  @Test func whatIsMissingIsSaidEachTime() async throws {
    let count = Atomic<Int>(0)
    let content = try CaptureContent(paths: [ViewContentTests.demo]) {
      count.add(1, ordering: .relaxed)
      throw InferenceError(
        .notInstalled, "ict-facekit", expected: "an installed model",
        found: "none: plumbline models import FOLDER")
    }
    let view = try ViewContentTests.json(await content.response(to: .overview))
    #expect(view["faces"]?.bool == true && count.load(ordering: .relaxed) == 0)
    for round in 1...2 {
      let answer = await content.response(to: .faces(item: 0, frame: 0))
      #expect(answer.status == 404)
      let message = try ViewContentTests.json(answer)["message"]?.string
      #expect(message?.contains("plumbline models import") == true, "\(message ?? "nothing")")
      #expect(count.load(ordering: .relaxed) == round)
    }
    #expect(await content.response(to: .faces(item: 99, frame: 0)).status == 404)
    #expect(await content.response(to: .facePage(item: 0, frame: 7, face: 1)).status == 404)
    #expect(count.load(ordering: .relaxed) == 2)
  }

  @Test func pathsOfHeads() {
    #expect(ViewRequest(path: "/api/items/2/frames/10/faces") == .faces(item: 2, frame: 10))
    #expect(
      ViewRequest(path: "/api/items/2/frames/10/faces/3")
        == .facePage(item: 2, frame: 10, face: 3))
    for path in [
      "/api/items/0/frames/0/faces/", "/api/items/0/frames/0/faces/-1",
      "/api/items/0/frames/0/faces/1/2", "/api/items/0/frames/0/face", "/api/live/faces",
    ] {
      #expect(ViewRequest(path: path) == nil, "\(path)")
    }
  }
}
