// strace, which shows the system calls of a run and lets any of them fail.

import Testing

enum Strace {
    static let path = Programs.path(["strace"])

    /// Why it can't be used here, nil where it can.
    static let obstacle: String? = {
        guard let path else { return "there is no strace; scripts/setup --tests installs it" }
        do {
            let run = try Session(path, ["-e", "inject=close:error=EIO:when=1", "/bin/true"])
            return run.errors.contains("INJECTED") ? nil : "strace may not trace here"
        } catch {
            return "strace can't be run"
        }
    }()
}
