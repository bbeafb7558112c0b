// What libFuzzer calls with each input. A finding traps, so that libFuzzer keeps the input.

import PipelineCore

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

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    do {
        try target.check(bytes, in: workspace)
    } catch {
        fatalError("\(target.rawValue): \(error)")
    }
    return 0
}
