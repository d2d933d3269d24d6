// swift-tools-version: 6.2
import PackageDescription

// Scripts/check-build and Scripts/fuzz set it: a build in which modules that compute are optimized, so
// that tests are fast, and nothing else is, so that compiling is. Fuzzing needs only what decodes to be
// fast. A package with such flags cannot be depended upon, so nobody else sees them. They are the
// compiler's own, which come after the `-Onone` that those scripts give to all modules.
let checkBuild = Context.environment["PLUMBLINE_CHECK_BUILD"]
// Warnings are errors in the builds that check a change, and nowhere else: a newer compiler warns of
// more, and must not stop those who depend on this package.
let warnings: [SwiftSetting] = checkBuild == nil ? [] : [.treatAllWarnings(as: .error)]
// Strict everywhere: what the compiler can refuse, no reviewer has to find.
let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + warnings

// Scripts/release sets it: the same modules stay optimized for speed, all others are compiled for size.
let releaseBuild = Context.environment["PLUMBLINE_RELEASE_BUILD"]
let decoding: [SwiftSetting] =
  checkBuild == nil && releaseBuild == nil
  ? strict : strict + [.unsafeFlags(["-Xfrontend", "-O"])]
let computing: [SwiftSetting] = checkBuild == "fuzz" ? strict : decoding
let kernels: [CSetting] = checkBuild == nil ? [] : [.unsafeFlags(["-O3"])]

// C libraries of the system that no SDK of Apple has; its frameworks or code of this project replace
// them there (decision 0048).
let onLinux: TargetDependencyCondition? = .when(platforms: [.linux])

// A C library of the system.
//
// pkg-config finds it, but not on a Mac: there it finds what Homebrew installed, which is for Macs, and
// SwiftPM would link that into a build for an iPhone as well. The SDKs of Apple need no search.
// This condition is about the machine that builds; a Mac builds for iPhones.
func systemLibrary(_ name: String, pkgConfig: String, debian: String) -> Target {
  #if os(macOS)
    .systemLibrary(name: name, path: "Sources/C/\(name)")
  #else
    .systemLibrary(
      name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([debian])])
  #endif
}

let package = Package(
  name: "plumbline",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Plumbline", targets: ["Plumbline"]),
    .library(name: "PlumblineServer", targets: ["PlumblineServer"]),
    // The states and words of the app's screens, which the app in Apps/ imports.
    .library(name: "PlumblineScreens", targets: ["PlumblineScreens"]),
    // The interface for C; Scripts/c-library makes libplumbline.so.0 of it.
    .library(name: "plumbline-c", type: .dynamic, targets: ["PlumblineC"]),
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
      name: "PlumblineModel", dependencies: ["CKernels"], path: "Sources/Base/PlumblineModel",
      swiftSettings: decoding),
    // What several stages compute with: factors of matrices, the damping of descents, medians.
    .target(
      name: "PlumblineNumerics", dependencies: ["CKernels"], path: "Sources/Base/PlumblineNumerics",
      swiftSettings: decoding),
    // Bytes: sources, limits, errors, JSON, outputs that are whole or absent, programs that are run.
    .target(
      name: "PlumblineIO",
      dependencies: ["CKernels", "CZlib"], path: "Sources/Base/PlumblineIO", swiftSettings: decoding
    ),
    // One capture in one file: photos and single frames, read and written.
    .target(
      name: "PlumblineImages",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "CKernels",
        .target(name: "CDecoderSandbox", condition: onLinux),
        .target(name: "CLibDE265", condition: onLinux),
        .target(name: "CTurboJPEG", condition: onLinux),
        .target(name: "CExpat", condition: onLinux),
      ], path: "Sources/Input/PlumblineImages", swiftSettings: decoding),
    // Frames as messages: MCAP, CDR, ROS, the frame of live streams.
    .target(
      name: "PlumblineStreams",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "CKernels",
        .target(name: "CLZ4", condition: onLinux),
        .target(name: "CZstd", condition: onLinux),
      ], path: "Sources/Input/PlumblineStreams", swiftSettings: strict),
    // Many frames: folders and archives of apps and data sets, read and written.
    .target(
      name: "PlumblineRecordings",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
      ], path: "Sources/Input/PlumblineRecordings", swiftSettings: strict),
    .target(
      name: "PlumblineCapture",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings",
      ],
      path: "Sources/Input/PlumblineCapture", swiftSettings: strict),
    .target(
      name: "PlumblineGeometry", dependencies: ["PlumblineModel", "CKernels"],
      path: "Sources/Processing/PlumblineGeometry", swiftSettings: computing),
    // Frames become one surface: registration, fusion, tracking, loops.
    .target(
      name: "PlumblineReconstruction",
      dependencies: ["PlumblineModel", "PlumblineNumerics", "PlumblineGeometry", "CKernels"],
      path: "Sources/Processing/PlumblineReconstruction", swiftSettings: computing),
    .target(
      name: "PlumblineCorrection",
      dependencies: ["PlumblineModel", "PlumblineNumerics", "CKernels"],
      path: "Sources/Processing/PlumblineCorrection", swiftSettings: computing),
    .target(
      name: "PlumblineVision",
      dependencies: ["PlumblineModel", "PlumblineNumerics", "CKernels", "CEmbeddedData"],
      path: "Sources/Processing/PlumblineVision", swiftSettings: computing),
    // Two images: rectified, matched, made depth.
    .target(
      name: "PlumblineStereo",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineCorrection", "PlumblineVision", "CKernels",
      ],
      path: "Sources/Processing/PlumblineStereo", swiftSettings: computing),
    // Networks: runtimes that are loaded when asked for, model files, model cards; depth that is
    // estimated by them, fitted to what was measured and evaluated against truth.
    .target(
      name: "PlumblineInference",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages",
        "PlumblineRecordings", "PlumblineCorrection", "CKernels",
        .target(name: "COpenVINO", condition: onLinux),
        .target(name: "CONNXRuntime", condition: onLinux),
        .target(name: "CTensors", condition: onLinux),
      ], path: "Sources/Processing/PlumblineInference", swiftSettings: computing),
    // Photos changed by their depth: blur, backgrounds, parallax, light.
    .target(
      name: "PlumblineEffects",
      dependencies: ["PlumblineModel", "PlumblineNumerics", "CKernels"],
      path: "Sources/Processing/PlumblineEffects", swiftSettings: computing),
    // Faces: landmarks, a morphable model fitted to them, and refined by depth.
    .target(
      name: "PlumblineFaces",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineGeometry",
        "PlumblineInference", "CKernels",
      ], path: "Sources/Processing/PlumblineFaces", swiftSettings: computing),
    .target(
      name: "PlumblineVerification",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineCorrection",
        "PlumblineGeometry", "PlumblineVision", "CKernels", "CEmbeddedData",
      ], path: "Sources/Processing/PlumblineVerification", swiftSettings: computing),
    .target(
      name: "PlumblineExport",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineGeometry", "PlumblineVision", "PlumblineStereo",
        "CEmbeddedData",
      ], path: "Sources/Output/PlumblineExport", swiftSettings: strict),
    // The viewer's files, captures and streams by HTTP and WebSocket, with access control.
    .target(
      name: "PlumblineServer",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineCapture", "PlumblineExport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], path: "Sources/Product/PlumblineServer", swiftSettings: strict),
    .target(
      name: "Plumbline",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineVerification", "PlumblineCorrection", "PlumblineGeometry",
        "PlumblineVision", "PlumblineCapture", "PlumblineExport", "PlumblineSimulation",
        "PlumblineStereo", "PlumblineInference", "PlumblineEffects", "PlumblineFaces",
        "PlumblineReconstruction",
      ], path: "Sources/Product/Plumbline", swiftSettings: strict),
    // The functions of plumbline.h: captures, recordings and work on files as handles, pointers and JSON.
    .target(
      name: "PlumblineC", dependencies: ["Plumbline", "CPlumbline"],
      path: "Sources/Product/PlumblineC", swiftSettings: strict),
    // Thousands of captures: a journal, workers, results.
    .target(
      name: "PlumblineBatch",
      dependencies: [
        "PlumblineIO", "PlumblineModel", "PlumblineExport", "Plumbline", "CSQLite",
      ], path: "Sources/Product/PlumblineBatch", swiftSettings: strict),
    // The screens of the app without their views: states, choices, words, on every platform.
    .target(
      name: "PlumblineScreens",
      dependencies: [
        "Plumbline", "PlumblineModel", "PlumblineIO", "PlumblineCapture", "PlumblineCorrection",
        "PlumblineGeometry", "PlumblineVision", "PlumblineInference", "PlumblineEffects",
        "PlumblineFaces", "PlumblineVerification", "PlumblineExport",
      ], path: "Sources/Product/PlumblineScreens", swiftSettings: strict),
    .executableTarget(
      name: "PlumblineCLI",
      dependencies: [
        "Plumbline", "PlumblineServer", "PlumblineBatch",
        .target(name: "CMalloc", condition: onLinux),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Sources/Product/PlumblineCLI", swiftSettings: strict),

    // Prints Documentation/findings.md.
    .executableTarget(
      name: "FindingsPage", dependencies: ["PlumblineModel"], path: "Tools/FindingsPage",
      swiftSettings: strict),

    // Scenes with exact truth, sensors and their faults, written as phones write them.
    .target(
      name: "PlumblineSimulation",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineRecordings",
        "PlumblineCapture", "PlumblineVision", "PlumblineExport",
      ], path: "Sources/Output/PlumblineSimulation", swiftSettings: computing),

    // Slow oracles, peers, builders of sound and broken files.
    .target(
      name: "PlumblineTestSupport",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineGeometry", "PlumblineFaces", "PlumblineSimulation",
      ], path: "Tests/PlumblineTestSupport", swiftSettings: computing),

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

    // Compares surfaces of simulated scans with the exact scene: Scripts/study-scans.
    .executableTarget(
      name: "MeasureScans",
      dependencies: [
        "Plumbline", "PlumblineModel", "PlumblineRecordings", "PlumblineSimulation",
        "PlumblineExport", "PlumblineGeometry", "PlumblineVerification",
      ], path: "Benchmarks/Accuracy/MeasureScans", swiftSettings: strict),

    // Measure one kind of work beside its peers: `Benchmarks/run`.
    .executableTarget(
      name: "BoardBenchmark", dependencies: ["Plumbline"], path: "Benchmarks/Speed/BoardBenchmark",
      swiftSettings: strict),
    .executableTarget(
      name: "PointsBenchmark",
      dependencies: ["PlumblineModel", "PlumblineGeometry", "PlumblineReconstruction"],
      path: "Benchmarks/Speed/PointsBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "ScanBenchmark",
      dependencies: ["PlumblineModel", "PlumblineGeometry", "PlumblineReconstruction"],
      path: "Benchmarks/Speed/ScanBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "KernelBenchmark", dependencies: ["Plumbline"],
      path: "Benchmarks/Speed/KernelBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "StereoBenchmark",
      dependencies: ["PlumblineModel", "PlumblineSimulation", "PlumblineStereo"],
      path: "Benchmarks/Speed/StereoBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "MCAPBenchmark", dependencies: ["Plumbline"], path: "Benchmarks/Speed/MCAPBenchmark",
      swiftSettings: strict),
    .executableTarget(
      name: "EstimateBenchmark", dependencies: ["Plumbline"],
      path: "Benchmarks/Speed/EstimateBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "PhotoBenchmark", dependencies: ["Plumbline"], path: "Benchmarks/Speed/PhotoBenchmark",
      swiftSettings: strict),
    .executableTarget(
      name: "EffectsBenchmark", dependencies: ["PlumblineModel", "PlumblineEffects"],
      path: "Benchmarks/Speed/EffectsBenchmark", swiftSettings: strict),

    // What a user's first three programs look like: they see what users see, which is what is public.
    .executableTarget(
      name: "PhotoVerdict", dependencies: ["Plumbline"], path: "Examples/PhotoVerdict",
      packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "RecordingToMCAP", dependencies: ["Plumbline"], path: "Examples/RecordingToMCAP",
      packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "LiveDepth", dependencies: ["Plumbline"], path: "Examples/LiveDepth",
      packageAccess: false, swiftSettings: strict),

    // Writes a recording until a test kills it.
    .executableTarget(
      name: "RecordUntilKilled", dependencies: ["Plumbline", "PlumblineTestSupport"],
      path: "Tools/RecordUntilKilled", swiftSettings: strict),

    // Decodes or runs a network as a worker does, and misbehaves where that asks for it, for tests.
    .executableTarget(
      name: "DecoderFaults",
      dependencies: ["PlumblineImages", "PlumblineInference"], path: "Tools/DecoderFaults",
      swiftSettings: strict),

    // Does captures as a worker of a batch does, and misbehaves where one asks for it, for tests.
    .executableTarget(
      name: "BatchFaults", dependencies: ["Plumbline", "PlumblineBatch"], path: "Tools/BatchFaults",
      swiftSettings: strict),

    // C only: kernels, embedded web files, and one shim per system library.
    .target(
      name: "CKernels", path: "Sources/C/CKernels", cSettings: kernels,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "CEmbeddedData", path: "Sources/C/CEmbeddedData"),
    // The header of the interface for C, and what holds its layout.
    .target(name: "CPlumbline", path: "Sources/C/CPlumbline"),
    // What a process that runs foreign decoders needs of Linux.
    .target(name: "CDecoderSandbox", path: "Sources/C/CDecoderSandbox"),
    // What the allocator does with memory that was freed.
    .target(name: "CMalloc", path: "Sources/C/CMalloc"),
    // OpenVINO's C interface, found when it is asked for: nothing is linked.
    .target(name: "COpenVINO", dependencies: ["CTensors"], path: "Sources/C/COpenVINO"),
    // ONNX Runtime's, likewise.
    .target(name: "CONNXRuntime", dependencies: ["CTensors"], path: "Sources/C/CONNXRuntime"),
    // What both have in common, and numbers as 32-bit floats.
    .target(
      name: "CTensors", path: "Sources/C/CTensors",
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    systemLibrary("CLibDE265", pkgConfig: "libde265", debian: "libde265-dev"),
    systemLibrary("CTurboJPEG", pkgConfig: "libturbojpeg", debian: "libturbojpeg0-dev"),
    systemLibrary("CExpat", pkgConfig: "expat", debian: "libexpat1-dev"),
    systemLibrary("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
    systemLibrary("CLZ4", pkgConfig: "liblz4", debian: "liblz4-dev"),
    systemLibrary("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
    systemLibrary("CZstd", pkgConfig: "libzstd", debian: "libzstd-dev"),

    .testTarget(
      name: "PlumblineModelTests", dependencies: ["PlumblineModel", "PlumblineTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineCaptureTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineCapture", "PlumblineSimulation", "PlumblineTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineBatchTests",
      dependencies: [
        "Plumbline", "PlumblineIO", "PlumblineSimulation", "PlumblineBatch", "BatchFaults",
        "PlumblineTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlumblineIOTests",
      dependencies: ["PlumblineIO", "CKernels", "PlumblineTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PlumblineImagesTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineTestSupport", "DecoderFaults",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineStreamsTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineRecordingsTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineTestSupport",
      ],
      swiftSettings: strict),
    // What changes the inputs of fuzzing, which Scripts/fuzz compiles by itself, and its tests.
    .testTarget(
      name: "FuzzMutationTests",
      dependencies: [
        "PlumblineIO", "PlumblineImages", "PlumblineStreams", "PlumblineRecordings",
        "PlumblineTestSupport",
      ], path: "Fuzz/Mutation", swiftSettings: strict),
    .testTarget(
      name: "PlumblineSimulationTests",
      dependencies: [
        "PlumblineModel", "PlumblineImages", "PlumblineStreams", "PlumblineRecordings",
        "PlumblineVision", "PlumblineSimulation", "PlumblineTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineServerTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineStreams", "PlumblineRecordings",
        "PlumblineCapture", "PlumblineSimulation", "PlumblineExport", "PlumblineServer",
        "PlumblineTestSupport", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineCorrectionTests",
      dependencies: ["PlumblineModel", "PlumblineCorrection", "PlumblineTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineVisionTests",
      dependencies: [
        "PlumblineNumerics", "PlumblineModel", "PlumblineImages", "PlumblineStreams",
        "PlumblineVision", "PlumblineSimulation", "PlumblineTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineStereoTests",
      dependencies: [
        "PlumblineModel", "PlumblineImages", "PlumblineRecordings", "PlumblineVision",
        "PlumblineSimulation", "PlumblineStereo", "PlumblineTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineInferenceTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineInference",
        "PlumblineTestSupport", "DecoderFaults",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineEffectsTests",
      dependencies: [
        "PlumblineModel", "PlumblineSimulation", "PlumblineEffects", "CKernels",
        "PlumblineTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlumblineFacesTests",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages",
        "PlumblineRecordings", "PlumblineGeometry", "PlumblineInference", "PlumblineFaces",
        "CKernels", "PlumblineTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlumblineVerificationTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineRecordings",
        "PlumblineCorrection", "PlumblineVision", "PlumblineVerification", "PlumblineTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlumblineGeometryTests",
      dependencies: [
        "PlumblineModel", "PlumblineGeometry", "PlumblineTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PlumblineReconstructionTests",
      dependencies: [
        "PlumblineModel", "PlumblineNumerics", "PlumblineGeometry", "PlumblineReconstruction",
        "PlumblineCorrection", "PlumblineImages", "PlumblineRecordings", "PlumblineSimulation",
        "PlumblineTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlumblineExportTests",
      dependencies: [
        "PlumblineModel", "PlumblineIO", "PlumblineGeometry", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineVision", "PlumblineStereo", "PlumblineExport",
        "PlumblineTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlumblineTests",
      dependencies: [
        "Plumbline", "PlumblineModel", "PlumblineNumerics", "PlumblineIO", "PlumblineImages",
        "PlumblineRecordings", "PlumblineGeometry", "PlumblineReconstruction",
        "PlumblineVerification", "PlumblineInference", "PlumblineExport", "PlumblineSimulation",
        "PlumblineTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlumblineScreensTests",
      dependencies: [
        "Plumbline", "PlumblineModel", "PlumblineIO", "PlumblineCapture", "PlumblineGeometry",
        "PlumblineVision", "PlumblineInference", "PlumblineFaces", "PlumblineVerification",
        "PlumblineExport", "PlumblineSimulation", "PlumblineScreens", "PlumblineTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "PlumblineCTests",
      dependencies: [
        "PlumblineCLI", "PlumblineC", "CPlumbline", "Plumbline", "PlumblineTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "PlumblineCLI", "RecordUntilKilled", "PhotoVerdict", "RecordingToMCAP", "LiveDepth",
        "Plumbline", "PlumblineModel", "PlumblineIO", "PlumblineImages", "PlumblineStreams",
        "PlumblineRecordings", "PlumblineSimulation", "PlumblineTestSupport",
      ], swiftSettings: strict),
  ]
)
