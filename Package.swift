// swift-tools-version: 6.2
import PackageDescription

// Strict everywhere: what the compiler can refuse, no reviewer has to find.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// Tests of a release need no optimization themselves, and compile three times as fast without: set by
// Scripts/release-build alone, since a package with such flags cannot be depended upon.
let testing: [SwiftSetting] =
  Context.environment["PLUMBLINE_PLAIN_TESTS"] == nil
  ? strict : strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// C libraries of the system, used where Apple's own frameworks are absent.
let onLinux: TargetDependencyCondition? = .when(platforms: [.linux])

let package = Package(
  name: "plumbline",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Plumbline", targets: ["Plumbline"]),
    .library(name: "PlumblineServer", targets: ["PlumblineServer"]),
    .executable(name: "plumbline", targets: ["PlumblineCLI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ],
  targets: [
    // The flow of the data, in order; see Documentation/architecture.md.
    .target(
      name: "PlumblineModel", dependencies: ["CKernels"], swiftSettings: strict),
    // What several stages compute with: factors of matrices, medians.
    .target(name: "PlumblineNumerics", dependencies: ["CKernels"], swiftSettings: strict),
    // Bytes: sources, limits, errors, JSON, outputs that are whole or absent, programs that are run.
    .target(
      name: "PlumblineIO",
      dependencies: [
        "CKernels", .target(name: "CMessageDigest", condition: onLinux), .target(name: "CZlib"),
      ], swiftSettings: strict),
    // One capture in one file: photos and single frames, read and written.
    .target(
      name: "PlumblineImages",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "CKernels",
        .target(name: "CDecoderSandbox", condition: onLinux),
        .target(name: "CLibDE265", condition: onLinux),
        .target(name: "CTurboJPEG", condition: onLinux),
        .target(name: "CExpat", condition: onLinux),
      ], swiftSettings: strict),
    // Frames as messages: MCAP, CDR, ROS, the frame of live streams.
    .target(
      name: "PlumblineStreams",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "CKernels",
        .target(name: "CLZ4"), .target(name: "CZstd"),
      ], swiftSettings: strict),
    // Many frames: folders and archives of apps and data sets, read and written.
    .target(
      name: "PlumblineRecordings",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
      ], swiftSettings: strict),
    .target(
      name: "PlumblineCapture",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings",
      ],
      swiftSettings: strict),
    .target(
      name: "PlumblineDevices",
      dependencies: ["PlumblineModel", "PlumblineIO", "CEmbeddedData"],
      swiftSettings: strict),
    .target(
      name: "PlumblineGeometry", dependencies: ["PlumblineModel"], swiftSettings: strict),
    .target(
      name: "PlumblineCorrection",
      dependencies: ["PlumblineModel", "CKernels"],
      swiftSettings: strict),
    .target(
      name: "PlumblineVision",
      dependencies: ["PlumblineModel", "PlumblineNumerics", "CKernels", "CEmbeddedData"],
      swiftSettings: strict),
    // Two pictures: rectified, matched, made depth.
    .target(
      name: "PlumblineStereo",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineCorrection", "PlumblineVision", "CKernels",
      ],
      swiftSettings: strict),
    // Networks: runtimes that are loaded when asked for, model files, model cards.
    .target(
      name: "PlumblineInference",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineRecordings",
        .target(name: "COpenVINO", condition: onLinux),
      ], swiftSettings: strict),
    // One picture: estimated, fitted to what was measured, judged against truth.
    .target(
      name: "PlumblineEstimation",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineCorrection", "PlumblineInference",
        "CKernels",
      ], swiftSettings: strict),
    // Photos changed by their depth: blur, backgrounds, parallax, light.
    .target(
      name: "PlumblineEffects",
      dependencies: ["PlumblineModel", "PlumblineNumerics", "CKernels"],
      swiftSettings: strict),
    // Faces: landmarks, a morphable model laid onto them, and refined by depth.
    .target(
      name: "PlumblineFaces",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineGeometry",
        "PlumblineInference", "CKernels",
      ], swiftSettings: strict),
    .target(
      name: "PlumblineVerification",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineCorrection", "PlumblineDevices",
        "PlumblineVision",
      ], swiftSettings: strict),
    .target(
      name: "PlumblineExport",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineGeometry",
        "PlumblineVision", "PlumblineStereo",
      ], swiftSettings: strict),
    .target(
      name: "PlumblineViewer",
      dependencies: ["PlumblineModel", "PlumblineIO", "PlumblineGeometry", "CEmbeddedData"],
      swiftSettings: strict),
    // The viewer's files, captures and streams by HTTP and WebSocket, and who may have them.
    .target(
      name: "PlumblineServer",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineCapture",
        "PlumblineViewer",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .target(
      name: "Plumbline",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineDevices",
        "PlumblineCorrection", "PlumblineGeometry", "PlumblineVision", "PlumblineVerification",
        "PlumblineCapture", "PlumblineExport", "PlumblineViewer", "PlumblineSimulation",
        "PlumblineStereo", "PlumblineInference", "PlumblineEstimation", "PlumblineEffects",
        "PlumblineFaces",
      ], swiftSettings: strict),
    .executableTarget(
      name: "PlumblineCLI",
      dependencies: [
        "Plumbline", "PlumblineServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),

    // Prints Documentation/findings.md.
    .executableTarget(
      name: "FindingsPage", dependencies: ["PlumblineModel"], path: "Tools/FindingsPage",
      swiftSettings: strict),

    // Scenes with exact truth, sensors and their faults, written as phones write them.
    .target(
      name: "PlumblineSimulation",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineRecordings",
        "PlumblineCapture",
        "PlumblineVision", "PlumblineExport",
      ], swiftSettings: strict),

    // Slow oracles, peers, builders of sound and broken files.
    .target(
      name: "PlumblineTestSupport",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineGeometry", "PlumblineFaces",
        "PlumblineSimulation",
      ], path: "Tests/PlumblineTestSupport", swiftSettings: strict),

    // Writes the bundled captures of Fixtures/demo again, byte for byte.
    .executableTarget(
      name: "MakeDemoCaptures",
      dependencies: ["PlumblineSimulation"],
      path: "Tools/MakeDemoCaptures", swiftSettings: strict),

    // Cuts and flips photos in one process and counts what reading them gives.
    .executableTarget(
      name: "DamagePhotos", dependencies: ["Plumbline", "PlumblineTestSupport"],
      path: "Tools/DamagePhotos", swiftSettings: strict),

    // Blurs simulated photos and compares them with rays traced through a lens.
    .executableTarget(
      name: "MeasureBlur",
      dependencies: [
        "PlumblineModel", "PlumblineImages", "PlumblineEffects", "PlumblineSimulation",
        "PlumblineTestSupport",
      ], path: "Benchmarks/Accuracy/MeasureBlur", swiftSettings: strict),

    // Fits simulated heads and compares them with their truth.
    .executableTarget(
      name: "MeasureCalibration",
      dependencies: [
        "Plumbline", "PlumblineModel", "PlumblineVision", "PlumblineVerification",
        "PlumblineSimulation",
      ], path: "Benchmarks/Accuracy/MeasureCalibration", swiftSettings: strict),
    .executableTarget(
      name: "MeasureFaces",
      dependencies: [
        "Plumbline", "PlumblineModel", "PlumblineGeometry", "PlumblineFaces",
        "PlumblineTestSupport",
      ], path: "Benchmarks/Accuracy/MeasureFaces", swiftSettings: strict),

    // Writes a recording until a test kills it.
    .executableTarget(
      name: "RecordUntilKilled", dependencies: ["Plumbline", "PlumblineTestSupport"],
      path: "Tools/RecordUntilKilled", swiftSettings: strict),

    // Decodes or runs a network as a worker does, and misbehaves where that asks for it, for tests.
    .executableTarget(
      name: "DecoderFaults",
      dependencies: [
        "PlumblineImages", "PlumblineInference",
      ], path: "Tools/DecoderFaults", swiftSettings: strict),

    // C only: kernels, embedded web files, and one shim per system library.
    .target(name: "CKernels", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "CEmbeddedData"),
    // What a process that runs foreign decoders needs of Linux.
    .target(name: "CDecoderSandbox"),
    // OpenVINO's C interface, found when it is asked for: nothing is linked.
    .target(name: "COpenVINO"),
    .systemLibrary(
      name: "CLibDE265", pkgConfig: "libde265", providers: [.apt(["libde265-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(
      name: "CMessageDigest", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),

    .testTarget(
      name: "PlumblineModelTests", dependencies: ["PlumblineModel", "PlumblineTestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineCaptureTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineStreams", "PlumblineRecordings",
        "PlumblineCapture", "PlumblineSimulation",
        "PlumblineTestSupport",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineJSONTests", dependencies: ["PlumblineIO", "PlumblineTestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineFormatsTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineTestSupport",
        "DecoderFaults",
      ],
      swiftSettings: testing),
    // What changes the inputs of fuzzing, which Scripts/fuzz compiles by itself, and its tests.
    .testTarget(
      name: "FuzzMutationTests",
      dependencies: [
        "PlumblineIO", "PlumblineImages", "PlumblineStreams", "PlumblineRecordings",
        "PlumblineTestSupport",
      ], path: "Fuzz",
      exclude: ["Regressions"], sources: ["Mutation", "MutationTests"], swiftSettings: testing),
    .testTarget(
      name: "PlumblineSimulationTests",
      dependencies: [
        "PlumblineModel", "PlumblineImages", "PlumblineStreams", "PlumblineRecordings",
        "PlumblineVision", "PlumblineSimulation",
        "PlumblineTestSupport",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineViewerTests",
      dependencies: ["PlumblineModel", "PlumblineIO", "PlumblineGeometry", "PlumblineViewer"],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineServerTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineStreams", "PlumblineRecordings",
        "PlumblineCapture",
        "PlumblineSimulation", "PlumblineViewer", "PlumblineServer", "PlumblineTestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineCorrectionTests",
      dependencies: ["PlumblineModel", "PlumblineCorrection", "PlumblineTestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineDevicesTests",
      dependencies: ["PlumblineModel", "PlumblineDevices"],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineVisionTests",
      dependencies: [
        "PlumblineNumerics", "PlumblineModel", "PlumblineImages", "PlumblineStreams",
        "PlumblineVision",
        "PlumblineSimulation",
        "PlumblineTestSupport",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineStereoTests",
      dependencies: [
        "PlumblineModel", "PlumblineImages", "PlumblineRecordings", "PlumblineVision",
        "PlumblineSimulation", "PlumblineStereo", "PlumblineTestSupport",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineInferenceTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineInference",
        "PlumblineTestSupport", "DecoderFaults",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineEstimationTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineInference", "PlumblineEstimation",
        "PlumblineTestSupport",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineEffectsTests",
      dependencies: [
        "PlumblineModel", "PlumblineSimulation",
        "PlumblineEffects", "CKernels", "PlumblineTestSupport",
      ], swiftSettings: testing),
    .testTarget(
      name: "PlumblineFacesTests",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages",
        "PlumblineRecordings",
        "PlumblineGeometry",
        "PlumblineInference", "PlumblineFaces", "CKernels",
        "PlumblineTestSupport",
      ], swiftSettings: testing),
    .testTarget(
      name: "PlumblineVerificationTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineRecordings",
        "PlumblineCorrection",
        "PlumblineVision", "PlumblineVerification", "PlumblineTestSupport",
      ], swiftSettings: testing),
    .testTarget(
      name: "PlumblineGeometryTests",
      dependencies: ["PlumblineModel", "PlumblineGeometry", "PlumblineTestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "PlumblineExportTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineGeometry", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings",
        "PlumblineVision", "PlumblineStereo", "PlumblineExport", "PlumblineTestSupport",
      ], swiftSettings: testing),
    .testTarget(
      name: "PlumblineTests",
      dependencies: [
        "Plumbline", "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineRecordings",
        "PlumblineEstimation",
        "PlumblineExport", "PlumblineTestSupport",
      ], swiftSettings: testing),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "PlumblineCLI", "RecordUntilKilled", "Plumbline", "PlumblineModel", "PlumblineIO",
        "PlumblineImages", "PlumblineStreams", "PlumblineRecordings",
        "PlumblineTestSupport",
      ], swiftSettings: testing),
  ]
)
