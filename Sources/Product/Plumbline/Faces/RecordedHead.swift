public import PlumblineFaces
import PlumblineGeometry
public import PlumblineIO
public import PlumblineModel

/// One head from the frames of a recording: what ``PhotoFaceFitter/fitHead(to:named:progress:)`` returns.
public struct RecordedHead: Sendable {
  /// The reference frame as a photo: its image, its camera, the head in it.
  public private(set) var reference: PhotoFaces
  /// The fitted head, and the result of each frame.
  public let scan: HeadScan
  /// The turn that makes the images upright.
  public let turn: ImageOrientation
  /// The names of all frames.
  public let frameNames: [String]

  /// Pairs of vertices whose distances the document and the text tell, as ``PhotoFaces/vertexPairs``.
  public var vertexPairs: [VertexPair] {
    get { reference.vertexPairs }
    set { reference.vertexPairs = newValue }
  }

  /// Whether the texture keeps the light of its frame, as ``PhotoFaces/keepsLight``.
  public var keepsLight: Bool {
    get { reference.keepsLight }
    set { reference.keepsLight = newValue }
  }
}

extension RecordedHead {
  /// The document `plumbline.face/1` of the head, with the result of each frame.
  ///
  /// - Parameter outputs: The paths that were written.
  /// - Returns: The document; what is unknown is `null`.
  public func document(outputs: [String] = []) -> JSONValue {
    let head = reference.document(outputs: outputs)
    return .object(
      head.members.map { ($0.key, $0.value) } + [
        (
          "recording",
          .object([
            ("frames", .integer(frameNames.count)),
            ("followed", .integer(scan.frames.count)),
            ("byDepthAlone", .integer(scan.frames.count { !$0.usesLandmarks })),
            ("reference", .string(frameNames[scan.reference])),
            (
              "lost",
              .array(
                scan.lost.map {
                  .object([
                    ("frame", .string(frameNames[$0.index])), ("reason", .string($0.reason)),
                  ])
                })
            ),
          ])
        )
      ])
  }

  /// The head as files in memory, as those of a photo, and `frames.csv`.
  ///
  /// - Throws: `MeshError` for a mesh that no format can hold.
  public var files: [Extraction.File] {
    get throws {
      var files = try reference.files.filter { $0.name != "face.json" }
      files.append(Extraction.File(name: "frames.csv", bytes: Array(table.utf8)))
      files.append(Extraction.File(name: "face.json", bytes: JSONWriter().bytes(document())))
      return files
    }
  }

  /// A line for each frame: the head's pose in the camera's frame, meters and unit quaternion, what is left
  /// to its depth in millimeters, and the expressions that are shown.
  private var table: String {
    let names = reference.models.fitter.model.expressionNames
    var text =
      "frame,landmarks,x_m,y_m,z_m,qx,qy,qz,qw,residual_median_mm,measured_share,"
      + names.joined(separator: ",") + "\n"
    for frame in scan.frames {
      let pose = frame.state.cameraFromHead
      let q = pose.rotation.quaternion
      let numbers = [
        pose.translation.x, pose.translation.y, pose.translation.z, q.x, q.y, q.z, q.w,
      ]
      let fields =
        [
          frameNames[frame.index].filter { $0 != "," && $0 != "\n" },
          frame.usesLandmarks ? "1" : "0",
        ]
        + numbers.map { "\($0)" }
        + ["\(1000 * frame.medianResidualMeters)", "\(frame.measuredShare)"]
        + frame.state.shape.expression.map { "\($0)" }
      text += fields.joined(separator: ",") + "\n"
    }
    return text
  }
}
