import Foundation
import PlumblineGeometry
import PlumblineModel
import PlumblineReconstruction

/// Fuses the frames of a file for `peers/scan.py`, and prints one line of JSON.
///
///     ScanBenchmark FILE VOXEL-METERS THREADS [REPEATS SHIFT-METERS | track SECONDS VIEW-FRAMES]
///
/// The file is what `peers/scan.py` writes. With repeats the frames come again and again, each time with the
/// camera moved along x: a long recording of a long surface; then a line for each repeat comes first. With `track`
/// the frames are registered as well, by limits of the time between fused frames and of the frames of a view:
/// see ``TrackingWork``.
@main
struct ScanBenchmark {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst().map { $0 }
    guard words.count == 3 || words.count == 5 || words.count == 6, let voxel = Double(words[1]),
      voxel > 0,
      let threads = Int(words[2])
    else {
      print(
        "usage: ScanBenchmark FILE VOXEL-METERS THREADS "
          + "[REPEATS SHIFT-METERS | track SECONDS VIEW-FRAMES]")
      exit(64)
    }
    let frames = try FrameFile.read(path: words[0])
    if words.count == 6, words[3] == "track", let seconds = Double(words[4]),
      let viewFrames = Int(words[5])
    {
      try TrackingWork.run(
        frames, voxel, threads, fusionSeconds: seconds, viewFrames: viewFrames)
    } else if words.count == 5, let repeats = Int(words[3]), let shift = Double(words[4]) {
      try long(frames, voxel, threads, repeats: repeats, shift: shift)
    } else {
      try short(frames, voxel, threads)
    }
  }

  /// Time of each work, and how much memory it took.
  private static func short(_ frames: [ScanFrame], _ voxel: Double, _ threads: Int) throws {
    Usage.forgetPeak()
    let before = Usage.peakMebibytes
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: voxel))
    let fused = try Usage.of {
      for frame in frames {
        try volume.integrate(
          frame, worldFromCamera: frame.worldFromCamera ?? .identity, threads: threads)
      }
    }
    let peak = Usage.peakMebibytes - before
    var vertices = 0
    let meshed = try Usage.of { vertices = try volume.surface(threads: threads).mesh.vertexCount }
    let meshedPeak = Usage.peakMebibytes - before
    let viewed = frames.prefix(20)
    let seen = Usage.of {
      for frame in viewed {
        _ = volume.view(
          camera: frame.camera, worldFromCamera: frame.worldFromCamera ?? .identity,
          threads: threads)
      }
    }
    let count = Double(frames.count)
    print(
      "{\"frames\": \(frames.count), \"wall_ms\": \(fused.wall / count), "
        + "\"processor_ms\": \(fused.processor / count), \"peak_mib\": \(peak), "
        + "\"mesh_wall_ms\": \(meshed.wall), \"mesh_processor_ms\": \(meshed.processor), "
        + "\"mesh_peak_mib\": \(meshedPeak), \"vertices\": \(vertices), "
        + "\"view_wall_ms\": \(seen.wall / Double(viewed.count)), "
        + "\"view_processor_ms\": \(seen.processor / Double(viewed.count)), "
        + "\"blocks\": \(volume.blockCount), \"volume_mib\": \(volume.memoryBytes >> 20)}")
  }

  /// How time and memory grow with frames and surface.
  private static func long(
    _ frames: [ScanFrame], _ voxel: Double, _ threads: Int, repeats: Int, shift: Double
  ) throws {
    var volume = SurfaceVolume(VolumeSettings(voxelMeters: voxel))
    for number in 0..<repeats {
      let move = RigidTransform(rotation: .identity, translation: [Double(number) * shift, 0, 0])
      let used = try Usage.of {
        for frame in frames {
          let pose = move * (frame.worldFromCamera ?? .identity)
          try volume.integrate(frame, worldFromCamera: pose, threads: threads)
          // As often and as large as `fuse` draws one of a camera that hardly moves.
          guard volume.frameCount % 4 == 0 else { continue }
          let size = RasterSize(
            width: frame.camera.size.width / 2, height: frame.camera.size.height / 2)
          _ = volume.view(
            camera: frame.camera.scaled(to: size), worldFromCamera: pose, threads: threads)
        }
      }
      print(
        "{\"frames\": \(volume.frameCount), \"blocks\": \(volume.blockCount), "
          + "\"wall_ms\": \(used.wall / Double(frames.count)), "
          + "\"processor_ms\": \(used.processor / Double(frames.count)), "
          + "\"peak_mib\": \(Usage.peakMebibytes)}")
    }
    let meshed = try Usage.of { _ = try volume.surface(threads: threads) }
    print(
      "{\"mesh_wall_ms\": \(meshed.wall), \"mesh_processor_ms\": \(meshed.processor), "
        + "\"peak_mib\": \(Usage.peakMebibytes)}")
  }
}

/// Milliseconds of a work.
struct Usage {
  var wall: Double
  var processor: Double

  static func += (sum: inout Usage, more: Usage) {
    sum.wall += more.wall
    sum.processor += more.processor
  }

  static func of(_ work: () throws -> Void) rethrows -> Usage {
    let (start, began) = (ContinuousClock().now, clock())
    try work()
    let processor = Double(clock() - began) / Double(CLOCKS_PER_SEC) * 1e3
    return Usage(wall: (ContinuousClock().now - start) / .milliseconds(1), processor: processor)
  }

  /// The largest resident memory of this process since ``forgetPeak()``, or since its start.
  static var peakMebibytes: Double {
    #if os(Linux)
      return mebibytes("VmHWM:")
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.ru_maxrss) / 1_048_576
    #endif
  }

  /// Lets the peak begin anew at what is resident now, where the system can.
  static func forgetPeak() {
    #if os(Linux)
      try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    #endif
  }

  #if os(Linux)
    private static func mebibytes(_ name: String) -> Double {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }
        .map { $0 / 1024 } ?? .nan
    }
  #endif
}
