import PlumblineModel
import PlumblineVerification

/// The rooms of a mesh, to write as a drawing: what ``CloudMeasurer/floorPlan(heightMeters:)`` returns.
public struct MeasuredFloorPlan: Sendable {
  /// The numbers: lengths of walls, areas, lengths of outlines, the height of the ceiling.
  public var measurements: [CloudMeasurement]
  /// The plan; `nil` where it was refused, with the reason in ``measurements``.
  let plan: FloorPlan?
  /// The name of the file that was measured.
  let fileName: String

  /// Whether there is a plan to draw.
  public var isDrawable: Bool { plan != nil }

  /// The drawing as SVG, in millimeters of paper; `nil` without a plan.
  public var svg: [UInt8]? { plan.map { FloorPlanSVG($0, title: fileName).bytes } }

  /// The drawing as DXF of AutoCAD's release 12, in meters; `nil` without a plan.
  public var dxf: [UInt8]? { plan.map { FloorPlanDXF($0, title: fileName).bytes } }
}

extension CloudMeasurer {
  /// Measures the rooms of a mesh and draws their plan.
  ///
  /// - Parameter height: How far above the floor walls are cut, in meters, above 0.
  /// - Returns: Numbers and plan; one number without a value, with the reason, for a cloud or a mesh without
  ///   rooms. Cost: several passes over the mesh, and one for each wall.
  public func floorPlan(heightMeters height: Double) -> MeasuredFloorPlan {
    let request = CloudMeasurementRequest.floorPlan(heightMeters: height)
    do throws(MeasurementFinder.Refusal) {
      guard let surface = cloud.surface, !cloud.isRelative else {
        // Refused with the words of every other request.
        return MeasuredFloorPlan(
          measurements: measure([request]).measurements, plan: nil, fileName: cloud.fileName)
      }
      let (plan, values) = try SurfaceFinder(surface, up: cloud.statements.upAxis)
        .plan(height: height)
      var reasons = reasons
      if surface.sigmas != nil, surface.errors == nil { reasons.append(Self.nearUnknown) }
      let measurements = values.map { name, value in
        CloudMeasurement(
          request: request, name: name, value: value, places: [],
          reasons: reasons + Self.reasons(name, plan)
            + (value.sigma.map { MeasurementFinder.reasons(ofSize: value.value, $0) } ?? []))
      }
      return MeasuredFloorPlan(measurements: measurements, plan: plan, fileName: cloud.fileName)
    } catch {
      return MeasuredFloorPlan(
        measurements: [
          CloudMeasurement(
            request: request, name: nil, value: nil, places: [], reasons: [error.reason])
        ], plan: nil, fileName: cloud.fileName)
    }
  }

  /// Why a mesh with σ may have no ±.
  static let nearUnknown =
    "The file does not state what near vertices share (near-m), and so the ± is not known."

  /// What speaks against one number of a plan.
  private static func reasons(_ name: String?, _ plan: FloorPlan) -> [String] {
    guard let name else { return [] }
    if name == "ceiling height" {
      guard plan.levelScatterMeters > SurfaceFinder.largestScatterMeters else { return [] }
      return [
        "Floor or ceiling scatter by \(plan.levelScatterMeters.lengthWords), and so are not level."
      ]
    }
    for (index, room) in plan.rooms.enumerated() {
      let prefix = plan.rooms.count > 1 ? "room \(index + 1) " : ""
      guard name.hasPrefix(prefix) else { continue }
      let rest = name.dropFirst(prefix.count)
      if rest == "area" || rest == "perimeter" { return reasons(room) }
      if rest.hasPrefix("wall "), let place = Int(rest.dropFirst(5)) {
        return reasons(room.sides[place - 1])
      }
    }
    return []
  }

  private static func reasons(_ room: FloorPlan.Room) -> [String] {
    var reasons: [String] = []
    if room.crossesItself { reasons.append("The outline crosses itself, and so is no room's.") }
    // Walls that were not seen lie on lines that were, but for sides that only join ends.
    let joined = room.sides.filter { $0.seen.isEmpty }.reduce(0) { $0 + $1.length.value }
    if joined > SurfaceFinder.largestInventedShare * room.perimeter.value {
      reasons.append("\(joined.lengthWords) of the outline was invented to close it.")
    }
    return reasons
  }

  private static func reasons(_ side: FloorPlan.Side) -> [String] {
    if side.seen.isEmpty { return ["The wall was not seen: it only joins two others."] }
    var reasons: [String] = []
    if !side.isMeasured { reasons.append("An end of the wall was not seen.") }
    if let scatter = side.scatterMeters, scatter > SurfaceFinder.largestScatterMeters {
      reasons.append("The wall scatters by \(scatter.lengthWords), and so is not flat.")
    }
    return reasons
  }
}
