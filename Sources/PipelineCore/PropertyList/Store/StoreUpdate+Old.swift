// The way through the old store: what becomes of each of its records.

extension StoreUpdate {
    mutating func readOld<Output: StoreOutput & ~Copyable>(
        _ file: Descriptor?, _ layout: StoreLayout, _ output: inout Output
    ) throws(StoreWriteError) -> [UInt8] {
        guard let file else {
            try Self.begin(&output, [])
            return []
        }
        var keys = StoredKeys(beside: location)
        let members = try pass(file, layout, &output, &keys)
        let repeated: [WideHash: Int]
        do throws(SystemError) { repeated = try keys.repeated() } catch { throw .system(error) }
        guard !repeated.isEmpty else { return members }
        // This is rare. The store is read twice more: for the last record of each such key, and to write again.
        try keepLast(of: repeated, file, layout)
        do throws(SystemError) {
            try output.restart()
            try changes?.restart()
        } catch {
            throw .system(error)
        }
        forgetOld()
        return try pass(file, layout, &output, &keys)
    }

    /// Reads the old store once, and writes the records that stay.
    private mutating func pass<Output: StoreOutput & ~Copyable>(
        _ file: Descriptor, _ layout: StoreLayout, _ output: inout Output, _ keys: inout StoredKeys
    ) throws(StoreWriteError) -> [UInt8] {
        var old = try Self.opened(file, layout)
        comparison = RecordComparison(format, oldFormat: old.format, rules, ignoring: ignoring)
        try Self.begin(&output, old.membersBefore)
        while try Self.advance(&old) {
            shape?.takeOld(old.record)
            let hasKey = mode != .append && findKey(of: old, isKeyed: layout.isKeyed)
            guard hasKey else {
                try take(nil, old.record, old.key, &output)
                continue
            }
            let key = hash.hash(keyText.span)
            if let number = last.find(key) {
                try takeLast(number, key, old.key, &output)
            } else {
                do throws(SystemError) { try keys.append(key) } catch { throw .system(error) }
                try take(key, old.record, old.key, &output)
            }
        }
        return old.membersAfter
    }

    /// Of several stored records with one key the first gives the position, and the last the value.
    private mutating func takeLast<Output: StoreOutput & ~Copyable>(
        _ number: Int, _ key: WideHash, _ storedKey: [UInt8], _ output: inout Output
    ) throws(StoreWriteError) {
        guard last.fate(number) == .new else {
            if mode == .merge || mode == .remove && incoming.records.find(key) == nil { collapsed += 1 }
            return
        }
        last.decide(number, .same)
        var spilled = SpilledRecord()
        do throws(SystemError) { try last.read(number, into: &spilled) } catch { throw .system(error) }
        try take(key, spilled.record, storedKey, &output)
    }

    /// Decides on a stored record.
    /// - Parameter storedKey: its key in a keyed store.
    private mutating func take<Output: StoreOutput & ~Copyable>(
        _ key: WideHash?, _ record: Span<UInt8>, _ storedKey: [UInt8], _ output: inout Output
    ) throws(StoreWriteError) {
        let number = key.flatMap { incoming.records.find($0) }
        if mode == .remove ? number != nil : mode == .replace && number == nil {
            guard tellsRemoved else { return }
            counts.removed += 1
            let key = changeKey(key == nil ? nil : keyText)
            try changes?.remove(key, was: record)
        } else if let number, mode != .remove {
            try match(number, record, storedKey, &output)
        } else {
            counts.same += 1
            try Self.put(record, storedKey.span, &output)
        }
    }

    /// Compares a stored record with the incoming one of its key.
    private mutating func match<Output: StoreOutput & ~Copyable>(
        _ number: Int, _ record: Span<UInt8>, _ storedKey: [UInt8], _ output: inout Output
    ) throws(StoreWriteError) {
        var came = SpilledRecord()
        do throws(SystemError) { try incoming.records.read(number, into: &came) } catch { throw .system(error) }
        let fate = comparison.fate(record, came.record)
        if fate == .changed { counts.changed += 1 } else { counts.same += 1 }
        if mode == .merge {
            incoming.records.decide(number, fate)
            guard fate == .changed else { return try Self.put(record, storedKey.span, &output) }
            try note(came, was: record)
            return try Self.put(came.record, storedKey.span, &output)
        }
        // The new store has the order of the input, so the old record waits for its turn.
        let isNeeded = fate == .sameButForIgnored || fate == .changed && changes != nil
        do throws(SystemError) {
            if isNeeded {
                try incoming.records.decide(number, fate, keeping: record)
            } else {
                incoming.records.decide(number, fate)
            }
        } catch {
            throw .system(error)
        }
    }

    private mutating func keepLast(
        of repeated: [WideHash: Int], _ file: Descriptor, _ layout: StoreLayout
    ) throws(StoreWriteError) {
        var old = try Self.opened(file, layout)
        while try Self.advance(&old) {
            guard findKey(of: old, isKeyed: layout.isKeyed) else { continue }
            let key = hash.hash(keyText.span)
            guard repeated[key] != nil else { continue }
            do throws(SystemError) {
                try last.insert(key, key: keyText, old.record)
            } catch {
                throw .system(error)
            }
        }
    }

    /// Finds the key of a stored record, `keyText`.
    /// - Returns: false if it has none.
    mutating func findKey(of old: borrowing ExistingRecords, isKeyed: Bool) -> Bool {
        keyText.removeAll(keepingCapacity: true)
        guard isKeyed else { return !key.isEmpty && key.appendText(in: old.record, to: &keyText) }
        keyText = old.key
        return true
    }
}
