// Says whether a photo can be measured, how well, and writes its points.
//
//   swift run PhotoVerdict portrait.heic cloud.ply
import Plumbline

guard CommandLine.arguments.count == 3 else { fatalError("PhotoVerdict PHOTO CLOUD.ply") }

let analysis = try CaptureAnalyzer().analyze(path: CommandLine.arguments[1])
let assessment = analysis.assessment
print("\(assessment.verdict.rawValue): \(assessment.reason)")

// One standard deviation of a depth of one meter, and of lengths across the image.
if let uncertainty = assessment.uncertainty, analysis.corrected?.isMetric == true {
  let millimeters = uncertainty.total.sigmaMeters(atDepth: 1) * 1000
  print("at 1 m: ± \(millimeters) mm in depth, ± \(uncertainty.lengthPercent ?? .nan) % across")
}

// What is wrong with the file, and what can be done about it.
for finding in assessment.findings {
  print("\(finding.severity.rawValue) \(finding.code.rawValue): \(finding.message)")
  for remedy in finding.remedies { print("  you can \(remedy.sentence)") }
}

// Points with color and ± in the camera's frame: x right, y down, z forward, in meters where metric.
guard let cloud = analysis.pointCloud else { fatalError("no depth with a calibration") }
var output = OutputTransaction(existing: .replace)
try output.stage(PLYWriter(cloud, origin: analysis.origin).bytes, at: CommandLine.arguments[2])
for path in try output.publish() { print("\(cloud.count) points in \(path)") }
