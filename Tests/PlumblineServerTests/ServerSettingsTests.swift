import PlumblineServer
import PlumblineExport
import Testing

@Suite("What a server is asked for")
struct ServerSettingsTests {
  @Test("Nobody outside this machine is served unless somebody says so")
  func loopback() {
    #expect(ServerSettings().host == "127.0.0.1")
  }

  @Test("Paths are numbers and a few words; anything else is no request")
  func paths() {
    #expect(ViewRequest(path: "/api/view") == .overview)
    #expect(ViewRequest(path: "/api/items/3") == .item(3))
    #expect(ViewRequest(path: "/api/items/0/thumbnail") == .thumbnail(item: 0))
    #expect(ViewRequest(path: "/api/items/0/frames/12") == .frame(item: 0, frame: 12))
    #expect(ViewRequest(path: "/api/items/0/frames/12/check") == .check(item: 0, frame: 12))
    for path in [
      "", "/", "/api", "/api/view/", "/api/items/", "/api/items/-1", "/api/items/+1",
      "/api/items/1/frames", "/api/items/1/frames/", "/api/items/1/frames/x",
      "/api/items/1/frames/2/check/", "/api/items/1/../view", "/api/items/9999999999",
      "/api/items/\u{661}", "/api//items/1",
    ] {
      #expect(ViewRequest(path: path) == nil, "\(path)")
    }
  }

  @Test("Names of hosts are what stands in an address, and nothing else")
  func hostNames() {
    for name in ["desk.local", "a", "A-1_b.example", "192.0.2.7", "fd00::1", "::1"] {
      #expect(ServerSettings.isHostName(name), "\(name)")
    }
    for name in [
      "", "desk.local\n", "a\r\nb", "a b", "a:80", "[::1]", "bücher.example", "a\0", "\u{1b}[2J",
      "a/b", "a,b", String(repeating: "a", count: 254), "fe80::1%eth0",
    ] {
      #expect(!ServerSettings.isHostName(name), "\(name)")
    }
  }
}
