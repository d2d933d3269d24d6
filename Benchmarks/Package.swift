// swift-tools-version: 6.2
import PackageDescription

// Its own package, so that the library's graph stays free of what only measures it.
let package = Package(
  name: "plumbline-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "plumbline", path: "..")],
  targets: [
    .executableTarget(
      name: "kernel-benchmark",
      dependencies: [.product(name: "Plumbline", package: "plumbline")],
      path: "Sources/KernelBenchmark"),
    .executableTarget(
      name: "board-benchmark",
      dependencies: [.product(name: "Plumbline", package: "plumbline")],
      path: "Sources/BoardBenchmark"),
    .executableTarget(
      name: "stereo-benchmark",
      dependencies: [.product(name: "Plumbline", package: "plumbline")],
      path: "Sources/StereoBenchmark"),
    .executableTarget(
      name: "mcap-benchmark",
      dependencies: [.product(name: "Plumbline", package: "plumbline")],
      path: "Sources/MCAPBenchmark"),
    .executableTarget(
      name: "estimate-benchmark",
      dependencies: [.product(name: "Plumbline", package: "plumbline")],
      path: "Sources/EstimateBenchmark"),
    .executableTarget(
      name: "photo-benchmark",
      dependencies: [.product(name: "Plumbline", package: "plumbline")],
      path: "Sources/PhotoBenchmark"),
    .executableTarget(
      name: "effects-benchmark",
      dependencies: [.product(name: "Plumbline", package: "plumbline")],
      path: "Sources/EffectsBenchmark"),
  ]
)
