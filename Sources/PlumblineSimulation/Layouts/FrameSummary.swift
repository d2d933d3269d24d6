import PlumblineIO
/// What is kept of a frame after its files are written.
struct FrameSummary: Sendable {
  let truth: JSONValue
  let depthMetadata: JSONValue
  let cameraMetadata: JSONValue
}
