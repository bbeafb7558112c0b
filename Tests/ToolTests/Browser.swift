// A browser without a window, where the machine has one: it shows a page and gives back what it made of it.

import Foundation
import TestSupport
import Testing

/// Chromium, by whatever name.
enum Browser {
    /// Nil where there is none; tests that need it are skipped then.
    static let path = Programs.path([
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ])

    /// Opens a page of the directory and returns its document as markup when all is quiet. No name is resolved, so that
    /// nothing can be fetched.
    /// - Parameter fragment: what stands after `#`.
    static func document(
        _ name: String, in folder: ScratchFolder, fragment: String = "", size: String = "1280,800"
    ) throws -> String {
        let profile = try ScratchFolder()
        let url = "file://\(folder.path(name))" + (fragment.isEmpty ? "" : "#\(fragment)")
        let run = try Session(
            path ?? "",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--force-prefers-reduced-motion",
                "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=\(profile.path)", "--window-size=\(size)",
                "--virtual-time-budget=40000", "--dump-dom", url,
            ], folder: folder)
        return run.text
    }

    /// Opens a copy of the page to which a script is added, and returns what it gives as JSON.
    /// - Parameter script: an expression, maybe a promise; it may use all that the page's own script declares.
    static func value(
        of script: String, on name: String, in folder: ScratchFolder, fragment: String = ""
    ) throws -> String {
        var page = try folder.text(name)
        // The copy allows its own script, which the page's policy is there to refuse.
        let policy = try #require(page.range(of: "<meta http-equiv=\"Content-Security-Policy\""))
        page.replaceSubrange(policy, with: "<meta name=\"policy\"")
        page = page.replacingOccurrences(
            of: "</body>",
            with: """
                <script>addEventListener("load", () => setTimeout(async () => {
                    const value = JSON.stringify(await (\(script)));
                    document.documentElement.dataset.value = btoa(unescape(encodeURIComponent(value)));
                }, 200));</script></body>
                """)
        try folder.write(page.utf8, to: "copy-" + name)
        let document = try document("copy-" + name, in: folder, fragment: fragment)
        let start = try #require(document.range(of: "data-value=\""), "\(document.prefix(500))").upperBound
        let text = document[start...].prefix { $0 != "\"" }
        return String(decoding: try #require(Data(base64Encoded: String(text))), as: UTF8.self)
    }
}

/// Programs of the machine that tests can do without.
enum Programs {
    /// What runs JavaScript here.
    static let node = path(["node", "nodejs"])

    /// The first of these that is there, as a path.
    static func path(_ names: [String]) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = names.flatMap { name in
            name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
