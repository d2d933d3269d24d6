import Foundation
import PlumblineIO
import PlumblineSimulation
import PlumblineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@testable import PlumblineBatch

#if os(Linux)
  /// A run whose processes are killed at any moment loses nothing and does nothing twice.
  @Suite(.serialized) struct BatchKillTests {
    /// How many processes are killed; the soak's number is that of the requirement.
    private static let killCount =
      ProcessInfo.processInfo.environment["PLUMBLINE_SOAK"] == nil ? 30 : 1_000
    private static let captureCount = 150

    @Test func killedAtRandomMomentsTheResultsAreTheSameBytes() throws {
      var batch = try FakeBatch()
      try batch.addMany(Self.captureCount, seed: 11, microseconds: 12_000)
      try batch.add("bad.jpg", "plumbline-fault:exit;")
      #expect(try BatchRun(batch.plan("undisturbed")).run().progress.done == Self.captureCount)
      let expected = try #require(batch.folder.bytes("undisturbed/results.jsonl"))
      var killed = 0
      var round = 0
      while killed < Self.killCount {
        let name = "killed-\(round)"
        killed += try disturbed(batch, name, seed: UInt64(round), atMost: Self.killCount - killed)
        #expect(batch.folder.bytes("\(name)/results.jsonl") == expected, "round \(round)")
        #expect(try outputs(batch, name) == outputs(batch, "undisturbed"), "round \(round)")
        try FileManager.default.removeItem(atPath: batch.folder.file(name))
        round += 1
      }
    }

    /// Runs until a run comes to its end, and kills parents and workers meanwhile; how many were.
    private func disturbed(
      _ batch: FakeBatch, _ name: String, seed: UInt64, atMost most: Int
    ) throws -> Int {
      var generator = SeededGenerator(seed: seed)
      var killed = 0
      _ = try batch.plan()
      while true {
        let process = Process()
        process.executableURL = URL(filePath: FakeBatch.program)
        process.arguments = ["run", batch.folder.file(name), batch.folder.file("list.txt"), "2"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, killed < most {
          usleep(UInt32(generator.next() % 90_000))
          if generator.next() % 3 == 0 {
            if process.isRunning, kill(process.processIdentifier, SIGKILL) == 0 { killed += 1 }
          } else if let worker = children(of: process.processIdentifier).randomElement(
            using: &generator)
          {
            if kill(worker, SIGKILL) == 0 { killed += 1 }
          }
        }
        process.waitUntilExit()
        if process.terminationReason == .exit {
          #expect(process.terminationStatus == 0)
          return killed
        }
      }
    }

    private func children(of process: Int32) -> [Int32] {
      let path = "/proc/\(process)/task/\(process)/children"
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
      return text.split(separator: " ").compactMap { Int32($0) }
    }

    /// The files of all captures with their bytes.
    private func outputs(_ batch: FakeBatch, _ name: String) throws -> [String: [UInt8]] {
      let folder = batch.folder.file("\(name)/captures")
      var files: [String: [UInt8]] = [:]
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        files[path] = batch.folder.bytes("\(name)/captures/\(path)") ?? []
      }
      return files
    }

    @Test func workersEndWithTheirParent() throws {
      var batch = try FakeBatch()
      try batch.add("slow.jpg", "plumbline-fault:hang;")
      _ = try batch.plan()
      let process = Process()
      process.executableURL = URL(filePath: FakeBatch.program)
      process.arguments = ["run", batch.folder.file("r"), batch.folder.file("list.txt"), "1"]
      try process.run()
      var worker: Int32?
      for _ in 0..<500 where worker == nil {
        usleep(10_000)
        worker = children(of: process.processIdentifier).first
      }
      let number = try #require(worker)
      usleep(200_000)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      var isGone = false
      for _ in 0..<500 where !isGone {
        // A process whose parent is gone is waited for by another one, sooner or later.
        let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
        isGone = state?.split(separator: ")").last?.contains("Z") ?? true
        if !isGone { usleep(10_000) }
      }
      #expect(isGone)
    }
  }
#endif
