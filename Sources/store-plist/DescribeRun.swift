// `--describe`: what the records of a store have in common, as a Swift type or a JSON Schema.

import PipelineCore

/// One run with `--describe`.
enum DescribeRun {
    static func run(_ settings: StoreSettings) throws(ToolFailure) -> ExitStatus {
        try StoreReading.run(settings) { (file, report) throws(ToolFailure) in
            var output = OutputBuffer(.standardOutput)
            do throws(StoreReadError) {
                let shape = try StoreShape.collected(file, layout: settings.layout)
                report.recordsIn = shape.records
                output.append(try text(of: shape, settings) + "\n")
            } catch {
                throw .unreadable(error, settings.file)
            }
            defer { report.bytesOut = output.bytesWritten }
            try output.flush()
            return .done
        }
    }

    private static func text(of shape: StoreShape, _ settings: StoreSettings) throws(StoreReadError) -> String {
        switch settings.description {
        case .swift: try shape.swift(typeName: settings.typeName ?? StoreShape.defaultTypeName)
        case .schema: shape.schema
        }
    }
}
