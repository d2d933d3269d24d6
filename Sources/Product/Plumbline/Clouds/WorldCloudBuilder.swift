import PlumblineGeometry
import PlumblineImages
import PlumblineModel
public import PlumblineRecordings

/// Joins the frames of a recording to one cloud in its world, thinned by voxels.
///
/// ```swift
/// let (recording, _) = try CaptureInput.recording(path: "scan.r3d")
/// let cloud = try WorldCloudBuilder(voxelMeters: 0.01).build(recording)
/// ```
///
/// The point of a voxel is the mean of the measured pixels in it. A pixel weighs one over the variance
/// of its own noise, which is larger for a middle confidence; pixels of a low confidence and flying
/// pixels are left out. The noise of the first frame with a pose is taken for that of all, unless
/// frames bring the ± of each pixel. A few frames are in memory at a time.
public struct WorldCloudBuilder: Sendable {
  /// The side of a voxel in meters, above 0.
  public var voxelMeters: Double
  /// Every so many-th frame is used: 1 for all.
  public var step: Int
  /// The most threads; the result does not depend on it.
  public var threads: Int
  /// Whether color images are read.
  public var hasColor = true
  /// The most voxels, which bounds the memory.
  var maximumVoxels = VoxelGrid.usualMaximumCount

  /// The sides of a voxel that users may choose, in meters.
  package static let voxelsMeters = 0.0005...10.0
  /// The side of a voxel where a user says nothing, in meters; pixels of a LiDAR map are 2 cm apart at 3.5 m.
  package static let usualVoxelMeters = 0.02

  /// Frames that are read before their points are taken in: enough for the threads of a computer,
  /// and few enough for its memory.
  private static let batchCount = 16

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - voxelMeters: The side of a voxel; pixels of a LiDAR map are 2 cm apart at 3.5 m.
  ///   - step: Every so many-th frame is used.
  ///   - threads: The most threads.
  /// - Precondition: The side is above 0, step and threads at least 1.
  public init(voxelMeters: Double = 0.02, step: Int = 1, threads: Int = 2) {
    precondition(voxelMeters > 0 && voxelMeters.isFinite, "voxels of \(voxelMeters) m")
    precondition(step >= 1 && threads >= 1, "every \(step)-th frame, \(threads) threads")
    self.voxelMeters = voxelMeters
    self.step = step
    self.threads = threads
  }

  /// Joins the frames.
  ///
  /// - Parameters:
  ///   - recording: The frames with their poses.
  ///   - progress: Called between frames with how many are done; what it throws ends the work.
  /// - Returns: The cloud; frames that cannot be used are named in it.
  /// - Throws: ``WorldCloudError``; the ``CaptureReadingError`` of the first frame where none can be
  ///   read. Cost: reading all frames, and about 100 ns for a pixel.
  public func build(
    _ recording: Recording, progress: (Int) throws -> Void = { _ in }
  ) throws -> WorldCloud {
    let indices = Array(stride(from: 0, to: recording.frames.count, by: step))
    let law = try WorldFrameLaw(recording, indices: indices)
    var grid = VoxelGrid(
      sideMeters: voxelMeters, correlation: law.correlation, mapWidth: law.mapSize.width,
      maximumCount: maximumVoxels)
    var tally = Tally()
    for start in stride(from: 0, to: indices.count, by: Self.batchCount) {
      try progress(start)
      let batch = indices[start..<min(start + Self.batchCount, indices.count)]
      var points: [VoxelPoints] = []
      for (index, result) in zip(batch, read(Array(batch), of: recording, law, for: grid)) {
        tally.note(result, name: recording.frames[index].name)
        if case .points(let found) = result { points.append(found) }
      }
      do throws(VoxelGrid.LimitError) { try grid.add(points, threads: threads) } catch {
        throw WorldCloudError.tooManyVoxels(sideMeters: voxelMeters, limit: error.maximumCount)
      }
    }
    guard grid.count > 0 else { throw WorldCloudError.empty(frameCount: tally.used) }
    return WorldCloud(
      points: grid.cloud(axes: recording.worldAxes),
      statements: statements(law, used: tally.used, of: recording.frames.count),
      chosenCount: indices.count, frameCount: tally.used, pixelCount: grid.pixelCount,
      outsideCount: grid.outsideCount, untrackedFrames: tally.untracked, skipped: tally.skipped,
      assessment: law.assessment)
  }

  /// Reads the frames of a batch, each by one thread.
  private func read(
    _ batch: [Int], of recording: Recording, _ law: WorldFrameLaw, for grid: VoxelGrid
  ) -> [WorldFrame] {
    var results = [WorldFrame](repeating: .untracked, count: batch.count)
    results.withUnsafeMutableBufferPointer { results in
      forEachConcurrently(batch.count, threads: threads) { position in
        results[position] = WorldFrame(
          of: recording, at: batch[position], law, hasColor: hasColor, for: grid)
      }
    }
    return results
  }

  private func statements(_ law: WorldFrameLaw, used: Int, of total: Int) -> [String] {
    [
      "points are means over voxels of \(voxelMeters) m, weighted by 1/sigma^2 of each pixel's noise",
      "frames \(used) of \(total)",
      "left out: flying pixels and pixels of low confidence",
      "noise by: \(law.basis)",
    ] + law.cloudStatements
  }
}

/// What became of the frames.
private struct Tally {
  var used = 0
  var untracked: [String] = []
  var skipped: [WorldCloud.SkippedFrame] = []

  mutating func note(_ frame: WorldFrame, name: String) {
    switch frame {
    case .points: used += 1
    case .untracked: untracked.append(name)
    case .skipped(let reason):
      skipped.append(WorldCloud.SkippedFrame(name: name, reason: reason))
    }
  }
}
