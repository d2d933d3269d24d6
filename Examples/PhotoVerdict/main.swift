// Says whether a photo can be measured, how well, and writes its points.
//
//   swift run PhotoVerdict portrait.heic cloud.ply
import Foundation
import Plumbline

func examine(_ photo: String, writingPointsTo path: String) throws {
  let analysis = try CaptureAnalyzer().analyze(path: photo)
  let assessment = analysis.assessment
  print("\(assessment.verdict.rawValue): \(assessment.reason)")

  // One standard deviation of a depth of one meter, and of lengths across the image.
  if let uncertainty = assessment.uncertainty, analysis.corrected?.isMetric == true {
    let depth = uncertainty.total.sigmaMeters(atDepth: 1) * 1000
    let across = uncertainty.lengthPercent.map { String(format: "± %.2f %%", $0) } ?? "unknown"
    print(String(format: "at 1 m: depth ± %.1f mm, lengths across the image ", depth) + across)
  }

  // What is wrong with the file, and what can be done about it.
  for finding in assessment.findings {
    print("\(finding.severity.rawValue) \(finding.code.rawValue): \(finding.message)")
    for remedy in finding.remedies { print("  you can \(remedy.sentence)") }
  }

  // Points with color and ± in the camera's frame: x right, y down, z forward; meters where metric.
  guard let cloud = analysis.pointCloud else { return print("no points: no depth with a camera") }
  var output = OutputTransaction(existing: .replace)
  let writer = PLYWriter(
    cloud, origin: analysis.origin, statements: analysis.cloudStatements())
  try output.stage(writer.bytes, at: path)
  for path in try output.publish() { print("\(cloud.count) points in \(path)") }
}

guard CommandLine.arguments.count == 3 else {
  print("usage: PhotoVerdict PHOTO CLOUD.ply")
  exit(64)
}
do {
  try examine(CommandLine.arguments[1], writingPointsTo: CommandLine.arguments[2])
} catch {
  // Every error is one sentence: where, what was expected and what was found.
  print("\(error)")
  exit(65)
}
