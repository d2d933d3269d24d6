internal import PlumblineModel

/// How a frame is registered to a surface.
package struct TrackingSettings: Hashable, Sendable {
  /// One step of coarse to fine.
  package struct Level: Hashable, Sendable {
    /// Every how many columns and rows a pixel of the frame is used; a divisor of the level before.
    package var stride: Int
    /// The maximum number of Gauss–Newton steps; at least 1.
    package var iterations: Int
    /// A part of every σ as a share of the depth: it lets a coarse level take surfaces that are still apart,
    /// and is 0 at the last one.
    package var coarseShare: Double

    /// Collects a level.
    package init(stride: Int, iterations: Int, coarseShare: Double) {
      self.stride = stride
      self.iterations = iterations
      self.coarseShare = coarseShare
    }
  }

  /// From coarse to fine.
  ///
  /// No pixel between every second one is used: the errors of neighbors agree (0.54 at 1 pixel, 0.27 at 4, measured
  /// on a LiDAR recording), so that they add time and no information.
  package var levels: [Level] = [
    Level(stride: 8, iterations: 4, coarseShare: 0.02),
    Level(stride: 4, iterations: 3, coarseShare: 0.006),
    Level(stride: 2, iterations: 3, coarseShare: 0),
  ]
  /// The side of a patch whose pixels have the same error, as a share of the map's width.
  ///
  /// The information of a frame counts its patches, not its pixels. With 1/32 a full LiDAR map has 768:
  /// 600 were best on a real recording (`Documentation/scan.md`).
  package var patchShare: Double = CorrelatedNoise.lidar.lengthShare
  /// The residual in σ from which a point has no weight.
  ///
  /// - Source: J. W. Tukey's biweight keeps 95 % of the efficiency with 4.685; P. J. Huber, *Robust
  ///   Statistics*, 1981. Beyond 3 σ a weight is below 0.35 already, so this replaces a sharp limit there.
  package var cutoffSigmas = 4.685
  /// The maximum angle between the normals of a point and the surface, in radians: 30°.
  package var maximumNormalAngle = 0.5236
  /// A direction in which the frame has less than this share of the prior's information keeps the prior.
  package var weakShare = 0.05
  /// The residuals' scale above what σ promises, at most: a larger one is no noise.
  package var maximumScale = 3.0

  /// Levels for a frame whose pose is a guess, up to 10° and a tenth of the depth away.
  package static let wideLevels: [Level] = [
    Level(stride: 8, iterations: 10, coarseShare: 0.08),
    Level(stride: 8, iterations: 6, coarseShare: 0.03),
    Level(stride: 4, iterations: 6, coarseShare: 0.008),
    Level(stride: 2, iterations: 6, coarseShare: 0),
  ]

  /// The settings for consecutive frames of a depth camera.
  package init() {}
}
