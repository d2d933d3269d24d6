/// The plan of rooms at a height: outlines by walls, lengths, areas and the height of the ceiling, with ±.
///
/// Unit: meters. Places are those of ``PlanFrame``, whose first axis is along the longest wall.
package struct FloorPlan: Sendable {
  /// A side of a room's outline.
  package struct Side: Sendable {
    /// Its first corner; the second is that of the next side.
    package var start: SIMD2<Double>
    /// Its last corner.
    package var end: SIMD2<Double>
    /// Its length.
    package var length: MeasuredValue
    /// The parts of it that were seen, as shares of its length from the start; none for a side that only
    /// joins ends.
    package var seen: [ClosedRange<Double>]
    /// Whether both corners are where seen walls meet, so that the length was measured.
    package var isMeasured: Bool
    /// The root of the mean square of the distances of the wall from its line, in meters; `nil` for a side
    /// that joins ends.
    package var scatterMeters: Double?

    /// The share of the length that was not seen, and is drawn as invented.
    package var inventedShare: Double {
      max(0, 1 - seen.reduce(0) { $0 + $1.upperBound - $1.lowerBound })
    }
  }

  /// One room.
  package struct Room: Sendable {
    /// The sides, counter-clockwise seen from above.
    package var sides: [Side]
    /// The area of the outline.
    package var area: MeasuredValue
    /// The length of the outline.
    package var perimeter: MeasuredValue
    /// The share of the outline that was not seen.
    package var inventedShare: Double
    /// Whether sides of the outline cross, so that it is no room's.
    package var crossesItself: Bool
  }

  /// The axes.
  package var frame: PlanFrame
  /// The height of the floor along `up`, in meters.
  package var floorMeters: Double
  /// The height of the section above the floor, in meters.
  package var sectionMeters: Double
  /// The distance of floor and ceiling; `nil` where no ceiling was seen.
  package var ceilingHeight: MeasuredValue?
  /// How far floor and ceiling scatter about level planes at most, in meters.
  package var levelScatterMeters: Double
  /// The rooms, by falling area.
  package var rooms: [Room]
  /// Where the surface is cut at the height of the section.
  package var section: [(points: [SIMD2<Double>], isClosed: Bool)]
}

extension FloorPlan {
  /// The angle of a direction of the plan against its first axis, in degrees, −180 to 180.
  package static func degrees(of direction: SIMD2<Double>) -> Double {
    arctangent(direction.y, direction.x) * 180 / .pi
  }
}
