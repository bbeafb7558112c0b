// swift-tools-version: 6.2
import PackageDescription

/// The same strictness everywhere: warnings are errors, pointers are marked, data races are refused.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
]

/// Where an allocation fails, and where a run starts, functions of Swift's library are PipelineCore's own: see
/// Memory.swift.
let ownFunctions = ["swift_copyAuxiliaryExecutablePath", "_ZN5swift28swift_abortAllocationFailureEmm"]
    .flatMap { ["-Xlinker", "--wrap=" + $0] }

/// Linked whole, a tool that needs the C library alone starts faster than /bin/true; with shared Swift libraries it
/// takes ten times as long. The toolchain's own linker leaves out what no code reaches, which is most.
let linkedWhole: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-executable", "-use-ld=lld", "-Xlinker", "--gc-sections"] + ownFunctions,
        .when(platforms: [.linux], configuration: .release))
]

/// The fetch tools share libcurl, libcrypto and zlib with the system, which mends their faults, and bring the rest along.
/// What they share is bound before they start, so that the table of it can be read-only.
let linkedSwift: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-stdlib", "-Xlinker", "-z", "-Xlinker", "now"] + ownFunctions,
        .when(platforms: [.linux], configuration: .release))
]

/// Before macOS 26 a part of `Span` is in a library of the toolchain, which scripts/install puts there.
let linkedSpan: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xlinker", "-rpath", "-Xlinker", "@loader_path/../lib/castline"], .when(platforms: [.macOS]))
]

/// `CASTLINE_TESTS="FetchCharactersTests"` leaves out the other test targets, so that a change and its tests take a minute.
let chosenTests = Context.environment["CASTLINE_TESTS"].map { $0.split(separator: " ").map(String.init) }

let package = Package(
    name: "castline",
    platforms: [.macOS("15.0")],
    products: [
        .executable(name: "fetch-characters", targets: ["fetch-characters"]),
        .executable(name: "fetch-images", targets: ["fetch-images"]),
        .executable(name: "filter-search", targets: ["filter-search"]),
        .executable(name: "store-plist", targets: ["store-plist"]),
    ],
    targets: [
        .target(name: "CLibrary", path: "Sources/PipelineCore/System/CLibrary", swiftSettings: strict),
        .systemLibrary(name: "CAttributes"),
        .target(
            name: "PipelineCore",
            dependencies: [
                "CLibrary",
                // On macOS they are in the C library's module.
                .target(name: "CAttributes", condition: .when(platforms: [.linux])),
            ],
            exclude: ["System/CLibrary"], swiftSettings: strict),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "PipelineHTTP",
            dependencies: [
                "CLibrary", "PipelineCore", "CCurl", "CZlib",
                // On macOS it is CommonCrypto's work.
                .target(name: "CCrypto", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "fetch-characters", dependencies: ["PipelineCore", "PipelineHTTP"],
            resources: [.embedInCode("BuiltIn")],
            swiftSettings: strict, linkerSettings: linkedSwift + linkedSpan),
        .executableTarget(
            name: "fetch-images", dependencies: ["PipelineCore", "PipelineHTTP"],
            resources: [.embedInCode("Gallery/Page")],
            swiftSettings: strict, linkerSettings: linkedSwift + linkedSpan),
        .executableTarget(
            name: "filter-search", dependencies: ["PipelineCore"],
            swiftSettings: strict, linkerSettings: linkedWhole + linkedSpan),
        .executableTarget(
            name: "store-plist", dependencies: ["PipelineCore"],
            swiftSettings: strict, linkerSettings: linkedWhole + linkedSpan),
        .target(
            name: "TestSupport", dependencies: ["CZlib"], path: "Tests/TestSupport", swiftSettings: strict),
        .executableTarget(
            name: "local-server", dependencies: ["PipelineCore", "TestSupport"], path: "Tests/LocalServer",
            exclude: ["Catalogue"],
            swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .testTarget(
            name: "PipelineCoreTests", dependencies: ["PipelineCore", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PipelineHTTPTests", dependencies: ["PipelineCore", "PipelineHTTP", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "FetchCharactersTests",
            dependencies: ["PipelineCore", "PipelineHTTP", "TestSupport", "fetch-characters"],
            exclude: ["Mistakes.txt"], swiftSettings: strict),
        .testTarget(
            name: "FetchImagesTests",
            dependencies: ["PipelineCore", "PipelineHTTP", "TestSupport", "fetch-images"],
            swiftSettings: strict),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "PipelineCore", "PipelineHTTP", "TestSupport", "fetch-characters", "fetch-images", "filter-search",
                "store-plist",
            ],
            path: "Fuzz", exclude: ["Corpus", "Dictionaries", "Entry", "README.md", "run"], swiftSettings: strict),
        .testTarget(
            name: "ToolTests",
            dependencies: [
                "PipelineCore", "PipelineHTTP", "TestSupport", "fetch-characters", "fetch-images", "filter-search",
                "store-plist", "local-server",
            ],
            exclude: ["OptionPairs", "Transcripts"], swiftSettings: strict),
    ].filter { $0.type != .test || chosenTests?.contains($0.name) ?? true }
)
