import PlumblineGeometry
import PlumblineModel
import PlumblineReconstruction
import PlumblineRecordings

extension Scan {
  /// The scan with finished surfaces: without small parts, closed and simplified as was asked for.
  ///
  /// - Parameter settings: Those of the scan.
  /// - Returns: The same surfaces in the same order. Cost: see ``SurfaceFinishing``.
  func finished(_ settings: ScanSettings) -> Scan {
    var scan = self
    let finishing = SurfaceFinishing(
      settings: settings.finishing, voxelMeters: voxelMeters, threads: settings.threads)
    for place in fragments.indices {
      (scan.fragments[place].mesh, scan.fragments[place].changes) =
        finishing.finished(fragments[place].mesh)
    }
    return scan
  }

  /// The scan with textures, where one is asked for and frames have photos.
  ///
  /// Where a texture fails, the surface keeps the colors of its vertices, and its changes say why.
  ///
  /// - Parameters:
  ///   - settings: Those of the scan.
  ///   - reader: Reads the frames that were fused.
  /// - Returns: The same surfaces in the same order. Cost: see ``ScanTexturing``.
  func textured(_ settings: ScanSettings, by reader: ScanFrameReader) -> Scan {
    guard settings.hasColor, settings.surface.textureSide > 0 else { return self }
    var scan = self
    let texturing = ScanTexturing(
      reader: reader, side: settings.surface.textureSide, extent: extent, voxelMeters: voxelMeters)
    for place in fragments.indices where fragments[place].mesh.colors != nil {
      do {
        let frames = textureFrames(of: fragments[place].number, in: reader.recording)
        guard let textured = try texturing.textured(fragments[place].mesh, frames: frames) else {
          continue
        }
        scan.fragments[place].mesh = textured.mesh
        scan.fragments[place].texture = textured.texture
        scan.fragments[place].changes.texture = textured.summary
      } catch {
        scan.fragments[place].changes.textureFailure = "\(error)"
      }
    }
    return scan
  }

  /// The fused frames of a surface, as the recording counts them.
  private func textureFrames(of number: Int, in recording: Recording) -> [ScanTexturing.Frame] {
    var indices: [String: Int] = [:]
    for (index, frame) in recording.frames.enumerated() where indices[frame.name] == nil {
      indices[frame.name] = index
    }
    return trajectory.frames.compactMap { frame in
      guard frame.isFused, frame.fragment == number, let pose = frame.estimate?.aFromB,
        let index = indices[frameNames[frame.index]]
      else { return nil }
      return ScanTexturing.Frame(index: index, worldFromCamera: pose)
    }
  }
}
