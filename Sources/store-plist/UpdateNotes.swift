// What a run says and reports of an update, whether it is stored or only compared.

import PipelineCore

extension StoreUpdate {
    /// Warns of keys that came several times, and of an option that was left out.
    func warn(_ diagnostics: Diagnostics) {
        if let untyped {
            let kind = untyped.option == "--data" ? "data" : "a date"
            diagnostics.warning(
                "\(untyped.path) was \(kind) in the store and is a text in the input; \(untyped.option) makes it one again"
            )
        }
        if replaced > 0 {
            diagnostics.warning("records with a repeated key: \(replaced); the last of each is stored")
        }
        if collapsed > 0 {
            diagnostics.warning(
                "stored records with a key that occurs again in the store: \(collapsed); the last of each counts, in the "
                    + "place of the first")
        }
    }
}

extension StoreCounts {
    func add(to object: inout ByteBuffer) {
        object.addMember("added", added)
        object.addMember("changed", changed)
        object.addMember("same", same)
        object.addMember("removed", removed)
    }

    var json: String { ByteBuffer.object { add(to: &$0) }.text }
}

extension ToolFailure {
    /// The input ended, and a source of it may have failed. Nil if its seals say otherwise, or none is asked for.
    static func notSealed(_ seals: InputSeals, _ settings: StoreSettings) -> ToolFailure? {
        guard settings.needsSeal, !seals.isComplete else { return nil }
        let cause =
            seals.surplus
            ?? "the input ended without a complete seal: its source failed or ran without --seal, or a program in between dropped the seal"
        return ToolFailure(.badData, "\(cause); \(settings.aftermath)")
    }
}
