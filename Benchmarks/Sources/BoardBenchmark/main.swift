import Foundation
import PlumblineModel
import PlumblineVision
// scratch: list columns rows dict share layout
let a = CommandLine.arguments
let board = Board(columns: Int(a[2])!, rows: Int(a[3])!, squareMeters: 1, pattern: .charuco(CharucoPattern(dictionary: MarkerDictionary.Name(rawValue: a[4])!, markerShare: Double(a[5])!, layout: .init(rawValue: a[6])!)))
let d = BoardDetector(board: board)
var total = 0
var out = "{"
var times: [Double] = []
for (i, line) in try String(contentsOfFile: a[1], encoding: .utf8).split(separator: "\n").enumerated() {
  let w = line.split(separator: " ")
  let bytes = [UInt8](try Data(contentsOf: URL(filePath: String(w[0]))))
  let r = Raster(size: RasterSize(width: Int(w[1])!, height: Int(w[2])!), samples: bytes)
  var v: BoardView?
  let t = ContinuousClock().measure { v = d.view(in: r) }
  times.append(Double(t.components.attoseconds) / 1e15 + 1000 * Double(t.components.seconds))
  total += v?.corners.count ?? 0
  if i > 0 { out += ",\n" }
  out += "\"\(i)\": [" + (v?.corners ?? []).map { "[\($0.id), \($0.pixel.x), \($0.pixel.y)]" }.joined(separator: ",") + "]"
  if let v, case .charuco(let p) = v.board.pattern { FileHandle.standardError.write("\(i) \(v.corners.count) \(p.layout) \(v.isMirrored)\n".data(using: .utf8)!) } else { FileHandle.standardError.write("\(i) none\n".data(using: .utf8)!) }
}
out += "}"
try out.write(toFile: a[7], atomically: true, encoding: .utf8)
times.sort()
print(total, "median ms", times[times.count / 2], "max", times.last!)
var images: [Raster<UInt8>] = []
for line in try String(contentsOfFile: a[1], encoding: .utf8).split(separator: "\n") {
  let w = line.split(separator: " ")
  images.append(Raster(size: RasterSize(width: Int(w[1])!, height: Int(w[2])!), samples: [UInt8](try Data(contentsOf: URL(filePath: String(w[0]))))))
}
let t = ContinuousClock().measure { print(BoardSearch().board(in: images, squareMeters: 1) as Any) }
print(t, images.count)
if a.count > 8 { for i in images { print(BoardSearch().board(in: [i], squareMeters: 1).map { "\($0)" } ?? "nil") } }
