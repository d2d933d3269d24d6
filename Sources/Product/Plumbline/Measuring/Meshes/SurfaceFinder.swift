import PlumblineModel
import PlumblineVerification

/// Finds the numbers of one request in a mesh, and what speaks against them.
struct SurfaceFinder {
  /// The share of the area or of an outline that may be invented.
  static let largestInventedShare = 0.02
  /// The share of a section that may be nearly level with its plane.
  static let largestGrazingShare = 0.1
  /// How far a face may scatter about its plane, in meters, to be one.
  static let largestScatterMeters = 0.03

  private let surface: MeasurableMesh
  private let up: SIMD3<Double>?

  init(_ surface: MeasurableMesh, up: SIMD3<Double>?) {
    self.surface = surface
    self.up = up
  }

  /// Adds the numbers of a request and their reasons.
  func find(
    _ request: CloudMeasurementRequest, _ found: inout MeasurementFinder.Found
  ) throws(MeasurementFinder.Refusal) {
    found.reasons += reasons
    switch request {
    case .volume(let region):
      let part = try part(region)
      guard let volume = SurfaceContent.volume(of: part) else {
        let count = part.openEdgeCount
        throw MeasurementFinder.Refusal(
          reason: "The mesh encloses no volume in \(region): \(count.counting("edge")) "
            + "\(count == 1 ? "has" : "have") a triangle on one side only.")
      }
      addInvented(part, to: &found)
      found.values = [(nil, volume)]
    case .area(let region):
      let part = try part(region)
      addInvented(part, to: &found)
      found.values = [(nil, SurfaceContent.area(of: part))]
    case .section(let plane): try find(plane, &found)
    case .box(let region): try findBox(try part(region), region, &found)
    case .point, .distance, .angle, .plane, .height, .floorPlan: break
    }
  }

  /// What speaks against every number of the surface.
  private var reasons: [String] {
    guard surface.sigmas != nil, surface.errors == nil else { return [] }
    return [CloudMeasurer.nearUnknown]
  }

  private func part(
    _ region: CloudRegion
  ) throws(MeasurementFinder.Refusal) -> MeasurableMesh {
    let part =
      region == .all
      ? surface : surface.part(from: region.corner, through: region.corner + region.size)
    guard !part.triangles.isEmpty else {
      throw MeasurementFinder.Refusal(reason: "No triangle of the mesh is in \(region).")
    }
    return part
  }

  private func addInvented(_ part: MeasurableMesh, to found: inout MeasurementFinder.Found) {
    let share = part.inventedShare
    guard share > Self.largestInventedShare else { return }
    found.reasons.append(
      "\((100 * share).fixed(0)) % of the area closes holes and was invented, not measured.")
  }

  private func find(
    _ plane: SectionPlane, _ found: inout MeasurementFinder.Found
  ) throws(MeasurementFinder.Refusal) {
    let section = SurfaceSection.cut(
      surface, by: SurfaceSection.Plane(point: plane.point, normal: plane.normal))
    guard !section.positions.isEmpty else {
      throw MeasurementFinder.Refusal(reason: "The plane \(plane) does not cut the mesh.")
    }
    if section.grazingShare > Self.largestGrazingShare {
      found.reasons.append(
        "\((100 * section.grazingShare).fixed(0)) % of the line lie where the surface is nearly "
          + "level with the plane.")
    }
    found.values = [("length", section.length)]
    if let area = section.area {
      found.values.append(("area", area))
    } else {
      found.reasons.append("The line is open, and so encloses no area.")
    }
  }

  private func findBox(
    _ part: MeasurableMesh, _ region: CloudRegion, _ found: inout MeasurementFinder.Found
  ) throws(MeasurementFinder.Refusal) {
    guard let up = up ?? SurfaceUp.axis(of: part) else {
      throw MeasurementFinder.Refusal(
        reason: "Which axis points up is not known, and no axis has most of the level area in "
          + "\(region).")
    }
    guard let box = SurfaceBox.measure(part, up: up) else {
      throw MeasurementFinder.Refusal(reason: "Nothing stands on a level face in \(region).")
    }
    addInvented(part, to: &found)
    if box.scatterMeters > Self.largestScatterMeters {
      found.reasons.append(
        "Its faces scatter by \(box.scatterMeters.lengthWords), and so are not flat.")
    }
    if box.width == nil || box.height == nil {
      found.reasons.append("Not all of its sides were seen.")
    }
    found.values = [("width", box.width), ("height", box.height), ("depth", box.depth)]
      .compactMap { name, value in value.map { (name, $0) } }
  }

  /// The plan of rooms, and its numbers by their names.
  func plan(
    height: Double
  ) throws(MeasurementFinder.Refusal) -> (
    plan: FloorPlan, values: [(name: String?, value: MeasuredValue)]
  ) {
    guard let up = up ?? SurfaceUp.axis(of: surface) else {
      throw MeasurementFinder.Refusal(
        reason: "Which axis points up is neither stated nor clear: no axis has most of the level "
          + "area.")
    }
    let plan: FloorPlan
    do throws(FloorPlanError) {
      plan = try FloorPlan.draw(surface, up: up, sectionMeters: height)
    } catch {
      throw MeasurementFinder.Refusal(reason: Self.words(error))
    }
    var values: [(name: String?, value: MeasuredValue)] = []
    for (index, room) in plan.rooms.enumerated() {
      let prefix = plan.rooms.count > 1 ? "room \(index + 1) " : ""
      for (place, side) in room.sides.enumerated() {
        values.append(("\(prefix)wall \(place + 1)", side.length))
      }
      values.append(("\(prefix)area", room.area))
      values.append(("\(prefix)perimeter", room.perimeter))
    }
    if let ceiling = plan.ceilingHeight { values.append(("ceiling height", ceiling)) }
    return (plan, values)
  }

  private static func words(_ error: FloorPlanError) -> String {
    switch error {
    case .noFloor: "The mesh has no level face, and so no floor."
    case .noWalls(let height):
      "No wall was found \(height.lengthWords) above the lowest level face."
    case .notClosed(let count):
      "\(count.counting("piece")) of wall close to no room."
    case .tooMany(let count):
      "\(count) pieces of wall are more than can be joined to rooms."
    }
  }
}
