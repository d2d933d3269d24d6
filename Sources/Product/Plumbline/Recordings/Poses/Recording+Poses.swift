import PlumblineModel
public import PlumblineRecordings

/// A recording with other poses: what ``Recording/posed(by:)`` makes.
public struct PosedRecording: Sendable {
  /// The recording; a frame that the poses do not know has none.
  public var recording: Recording
  /// The positions of the frames that have a pose, ascending.
  public var posedIndices: [Int]
}

extension Recording {
  /// The farthest that the time of a pose may be from that of its frame, in seconds.
  ///
  /// - Source: TUM RGB-D, `associate.py`: 20 ms.
  static let poseToleranceSeconds = 0.02

  /// The recording with other poses in place of its own.
  ///
  /// Poses with a name belong to the frame of that name; others to the frame nearest in time, within 20 ms, and
  /// the nearest one counts. Poses of other surfaces than the first are not used, since their worlds are others.
  ///
  /// - Parameter poses: The poses.
  /// - Returns: The recording in the world of the poses, and which frames have one.
  /// - Throws: ``PosesFileError`` for poses of another recording: a name that it does not have, another time of
  ///   a name, or no pose at all. Cost: O(*n* log *n*).
  public func posed(by poses: RecordingPoses) throws(PosesFileError) -> PosedRecording {
    let numbered =
      try poses.frames.allSatisfy { $0.name != nil }
      ? indicesByName(of: poses) : indicesByTime(of: poses)
    var worldFromCameras = [RigidTransform?](repeating: nil, count: frames.count)
    for (frame, index) in zip(poses.frames, numbered) {
      guard let index, frame.isUsable else { continue }
      worldFromCameras[index] = frame.worldFromCamera
    }
    let posed = worldFromCameras.indices.filter { worldFromCameras[$0] != nil }
    guard !posed.isEmpty else {
      throw PosesFileError(
        path: poses.basis,
        expected: "poses of frames of this recording",
        found: poses.usableCount == 0
          ? "no pose" : "\(poses.usableCount.counting("pose")) at other times")
    }
    return PosedRecording(
      recording: self.posed(
        by: worldFromCameras, worldAxes: poses.worldAxes, basis: poses.basis),
      posedIndices: posed)
  }

  /// The frame of each pose by its name.
  private func indicesByName(
    of poses: RecordingPoses
  ) throws(PosesFileError) -> [Int?] {
    let places = Dictionary(
      uniqueKeysWithValues: frames.enumerated().map { ($0.element.name, $0.offset) })
    var indices: [Int?] = []
    for pose in poses.frames {
      guard let name = pose.name, let index = places[name] else {
        throw PosesFileError(
          path: poses.basis,
          expected: "poses of frames of this recording",
          found: "one of a frame \(pose.name ?? ""), which it does not have")
      }
      if let told = pose.timestampSeconds, let own = frames[index].timestampSeconds,
        abs(told - own) > Self.poseToleranceSeconds
      {
        throw PosesFileError(
          path: poses.basis,
          expected: "frame \(name) at \(own.fixed(3)) s", found: "a pose at \(told.fixed(3)) s")
      }
      indices.append(index)
    }
    return indices
  }

  /// The frame of each pose by its time; `nil` where none is near, or where another pose is nearer to it.
  private func indicesByTime(of poses: RecordingPoses) throws(PosesFileError) -> [Int?] {
    let timed = frames.indices.compactMap { index in
      frames[index].timestampSeconds.map { (seconds: $0, index: index) }
    }
    guard !timed.isEmpty else {
      throw PosesFileError(
        path: poses.basis,
        expected: "a recording whose frames have times, by which these poses are named",
        found: "none with a time; poses in .json have names")
    }
    let times = NearestTime(timed.map(\.seconds))
    var nearest: [Int: (distance: Double, pose: Int)] = [:]
    for (number, pose) in poses.frames.enumerated() {
      guard let seconds = pose.timestampSeconds,
        let place = times.index(near: seconds, within: Self.poseToleranceSeconds)
      else { continue }
      let distance = abs(timed[place].seconds - seconds)
      guard distance < nearest[timed[place].index]?.distance ?? .infinity else { continue }
      nearest[timed[place].index] = (distance, number)
    }
    var indices = [Int?](repeating: nil, count: poses.frames.count)
    for (index, best) in nearest { indices[best.pose] = index }
    return indices
  }
}
