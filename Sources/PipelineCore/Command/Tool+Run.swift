// The frame of every run: arguments in, one exit status out. Nothing else in the tools ends the process.

/// What the frame needs to know of a tool's settings.
package protocol ToolSettings {
    var input: InputSettings { get set }
    var messages: MessageSettings { get set }
    var reportPath: String? { get set }
    /// Whether stdout carries records, which a terminal shows between messages.
    var writesRecords: Bool { get }
    /// Whether the tool reads stdin, which then can't be a terminal.
    var readsStandardInput: Bool { get }
    var warning: Message? { get }

    /// Checks what the rules of the command can't say.
    func check() throws(UsageError)
    /// - Throws: status 64 if a file would be two things at once.
    func checkFiles() throws(ToolFailure)
}

extension ToolSettings {
    package var writesRecords: Bool { true }
    package var warning: Message? { nil }
    package func check() throws(UsageError) {}
}

extension MessageSettings {
    /// - Throws: where the environment asks for what the command line refuses.
    fileprivate func check() throws(UsageError) {
        guard isQuiet, Progress.wish == .always else { return }
        throw UsageError("\(Progress.variable)=always shows progress, and --quiet prints errors only; choose one")
    }
}

extension Tool {
    /// Parses the arguments, runs the body, writes its report, and ends the process with the status.
    /// - Parameter body: the run. It has flushed its output when it returns, and leaves its figures in the report, also
    ///   where it throws.
    package static func run<Settings: ToolSettings>(
        _ command: Command<Settings>, _ settings: Settings,
        _ body: (Settings, Diagnostics, inout ReportFile) throws(ToolFailure) -> ExitStatus
    ) -> Never {
        Descriptor.occupyStandardStreams()
        Signals.install()
        var (settings, diagnostics) = (settings, Diagnostics(tool: command.name))
        do throws(UsageError) {
            let request = Result { () throws(UsageError) in
                try command.parse(Environment.arguments, into: &settings)
            }
            // Options before a mistake already count for its message.
            diagnostics.configure(by: settings.messages, writesRecords: settings.writesRecords)
            switch try request.get() {
            case .shortHelp: finish(status(diagnostics, try print(command.shortHelp(width: Terminal.columns))))
            case .help: finish(status(diagnostics, try print(command.help(width: Terminal.columns))))
            case .version: finish(status(diagnostics, try print("\(command.name) (castline) \(version)\n")))
            case .run:
                try settings.messages.check()
                try settings.check()
                if let warning = settings.warning { diagnostics.warning(warning) }
                if settings.readsStandardInput, Descriptor.standardInput.isTerminal {
                    diagnostics.isQuiet = false
                    explainInput(command, diagnostics)
                    finish(.usage)
                }
                finish(status(diagnostics, try run(body, settings, diagnostics)))
            }
        } catch {
            diagnostics.error(error.message)
            finish(.usage)
        }
    }

    private static func explainInput<Settings>(_ command: Command<Settings>, _ diagnostics: Diagnostics) {
        for line in command.usage.split(separator: "\n") { diagnostics.show(String(line)) }
        let example = command.manual.examples.first { $0.text.contains("| \(command.name)") }
        diagnostics.show("it reads JSON Lines from stdin" + (example == nil ? "" : ", for example:"))
        if let example { diagnostics.show("    \(example.text)") }
        diagnostics.show("\(command.name) --help lists all options")
    }

    private static func run<Settings: ToolSettings>(
        _ body: (Settings, Diagnostics, inout ReportFile) throws(ToolFailure) -> ExitStatus,
        _ settings: Settings, _ diagnostics: Diagnostics
    ) throws(ToolFailure) -> ExitStatus {
        try settings.checkFiles()
        var report = try ReportFile(settings.reportPath, tool: diagnostics.tool)
        let result = Result { () throws(ToolFailure) in try body(settings, diagnostics, &report) }
        try report.write(result)
        return try result.get()
    }

    private static func status(
        _ diagnostics: Diagnostics, _ run: @autoclosure () throws(ToolFailure) -> ExitStatus
    ) -> ExitStatus {
        do throws(ToolFailure) { return try run() } catch {
            if error.message != "" { _ = error.told(by: diagnostics) }
            return error.status
        }
    }

    package static func print(_ text: String) throws(ToolFailure) -> ExitStatus {
        var output = OutputBuffer(.standardOutput)
        output.append(text)
        try output.flush()
        return .done
    }

    /// If a signal asked the run to end, the signal decides the status, whatever the run returned.
    private static func finish(_ status: ExitStatus) -> Never {
        TerminalLine.end()
        endProcess(Signals.exitStatus ?? status.rawValue)
    }
}
