// What libFuzzer calls with each input. A finding traps, so that libFuzzer keeps the input.

import PipelineCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The target that FUZZ_TARGET names.
private let target: FuzzTarget = {
    guard let name = Environment.value("FUZZ_TARGET"), let target = FuzzTarget(rawValue: name) else {
        fatalError("FUZZ_TARGET names none of \(FuzzTarget.allCases)")
    }
    return target
}()

private let workspace: Workspace = {
    do { return try Workspace() } catch { fatalError("\(error)") }
}()

/// The time of this thread alone, in seconds.
private var usedSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The time that an input may take: many times what the slowest one of its length does, and far less than one that is
/// read again for each of its parts. Nil where the check itself isn't linear.
private func limitSeconds(_ target: FuzzTarget, _ count: Int) -> Double? {
    target == .image ? 0.003 + Double(count) * 0.3e-6 : nil
}

/// Whether the check takes more than its time, each time: one that was slow once may have met a page fault.
private func isSlow(_ bytes: [UInt8]) throws -> Bool {
    guard let limit = limitSeconds(target, bytes.count) else { return false }
    for _ in 0..<4 {
        let start = usedSeconds
        try target.check(bytes, in: workspace)
        if usedSeconds - start <= limit { return false }
    }
    return true
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    do {
        let start = usedSeconds
        try target.check(bytes, in: workspace)
        if let limit = limitSeconds(target, bytes.count), usedSeconds - start > limit, try isSlow(bytes) {
            fatalError("\(target.rawValue): \(bytes.count) bytes take more than \(limit) s, again and again")
        }
    } catch {
        fatalError("\(target.rawValue): \(error)")
    }
    return 0
}
