// The frame of every run: arguments in, one exit status out. Nothing else in the tools ends the process.

extension Tool {
    /// Parses the arguments, runs the body, reports its failure, and ends the process with the status.
    /// - Parameters:
    ///   - readsStandardInput: whether, with these settings, the tool reads stdin, which then can't be a terminal.
    ///   - warning: what in the settings is probably a mistake.
    ///   - body: the run. It has flushed its output when it returns.
    package static func run<Settings>(
        _ command: Command<Settings>, _ settings: Settings,
        readsStandardInput: (Settings) -> Bool = { _ in false }, warning: (Settings) -> String? = { _ in nil },
        _ body: (Settings, inout Diagnostics) throws(ToolFailure) -> ExitStatus
    ) -> Never {
        StandardStreams.occupy()
        Signals.install()
        var diagnostics = Diagnostics(tool: command.name)
        do throws(UsageError) {
            switch try command.parse(Environment.arguments, into: settings) {
            case .shortHelp: finish(printed(command.shortHelp(width: Terminal.columns), diagnostics))
            case .help: finish(printed(command.help(width: Terminal.columns), diagnostics))
            case .version: finish(printed("\(command.name) (castline) \(version)\n", diagnostics))
            case .run(let settings):
                if let warning = warning(settings) { diagnostics.warning(warning) }
                if readsStandardInput(settings), Descriptor.standardInput.isTerminal {
                    explainInput(command, diagnostics)
                    finish(.usage)
                }
                finish(status(of: body, settings, &diagnostics))
            }
        } catch {
            diagnostics.error(error.message)
            finish(.usage)
        }
    }

    /// Checks settings; an invalid one ends the run.
    package static func check<Result>(_ body: () throws(UsageError) -> Result) throws(ToolFailure) -> Result {
        do throws(UsageError) { return try body() } catch { throw ToolFailure(.usage, error.message) }
    }

    /// Explains what to do instead of typing records at a terminal.
    private static func explainInput<Settings>(_ command: Command<Settings>, _ diagnostics: Diagnostics) {
        for line in command.usage.split(separator: "\n") { diagnostics.note(String(line)) }
        let example = command.examples.first { $0.text.contains("| \(command.name)") }
        diagnostics.note("it reads JSON Lines on stdin" + (example == nil ? "" : ", as in"))
        if let example { diagnostics.note("    \(example.text)") }
        diagnostics.note("\(command.name) --help tells more")
    }

    private static func status<Settings>(
        of body: (Settings, inout Diagnostics) throws(ToolFailure) -> ExitStatus,
        _ settings: Settings, _ diagnostics: inout Diagnostics
    ) -> ExitStatus {
        do throws(ToolFailure) {
            return try body(settings, &diagnostics)
        } catch {
            if !error.message.isEmpty { _ = error.told(by: diagnostics) }
            return error.status
        }
    }

    private static func printed(_ text: String, _ diagnostics: Diagnostics) -> ExitStatus {
        var output = OutputBuffer(.standardOutput)
        output.append(text)
        do throws(ToolFailure) {
            try output.flush()
            return .done
        } catch {
            diagnostics.error(error.message)
            return error.status
        }
    }

    /// If a signal asked the run to end, the signal decides the status, whatever the run returned.
    private static func finish(_ status: ExitStatus) -> Never {
        TerminalLine.end()
        endProcess(Signals.exitStatus ?? status.rawValue)
    }
}
