// A text as a sequence of letters, each followed by its marks in canonical order.
//
//     "Lódź"  →  l  o ´  d  z ´        (search; the o of ø would carry a private mark)
//     "한국"  →  한  국                 (however it was spelt: a syllable is composed)
//
// The buffers are kept from one text to the next.

struct FoldedText {
    private let strength: TextStrength
    private(set) var atoms: [Atom] = []
    /// For each atom, the offset in the text of the character it came from, shifted left by one. The lowest bit is
    /// set unless it is the first of that character, or of a run of marks that contains letters.
    private(set) var origins: [Int] = []
    /// The offset in the text where folding stopped.
    private(set) var end = 0
    /// The letter that further marks belong to.
    private var letter: Atom
    /// Whether an ignored code point follows that letter.
    private var isBehindIgnored = false
    /// Whether the marks at the end of `atoms` need `settle`.
    private var isUnsettled = false
    /// No mark from here on is put before this atom: something ignored stood between them.
    private var barrier = 0

    init(_ strength: TextStrength) {
        self.strength = strength
        letter = .nothing(strength)
    }

    mutating func fold(_ text: Span<UInt8>) { fold(text, from: 0, limit: .max) }

    /// Folds the text from `start`, where a character begins, until there are at least `limit` atoms and the last
    /// letter has all its marks.
    mutating func fold(_ text: Span<UInt8>, from start: Int, limit: Int) {
        atoms.removeAll(keepingCapacity: true)
        origins.removeAll(keepingCapacity: true)
        letter = .nothing(strength)
        isBehindIgnored = false
        isUnsettled = false
        barrier = 0
        var position = start
        while position < text.count {
            let (code, next) = text.codePoint(at: position)
            if code < 0x80 {
                if atoms.count >= limit { break }
                append(letter: Folding.ascii(code, strength), origin: position << 1)
            } else {
                let value = Folding.value(of: code, strength)
                if atoms.count >= limit, Folding.startsLetter(code, value) { break }
                append(code, value, origin: position << 1)
            }
            position = next
        }
        if isUnsettled { settle() }
        end = position
    }

    private mutating func append(_ code: UInt32, _ value: UInt32, origin: Int) {
        switch value {
        case Folding.Value.letter: append(letter: Atom(bits: code), origin: origin)
        case Folding.Value.base: append(letter: Atom(bits: code | Atom.base), origin: origin)
        case Folding.Value.ignored: isBehindIgnored = true
        case ..<Folding.Value.sequence: append(mark: Atom(bits: code | Atom.mark), origin: origin)
        default: append(sequence: Int(value - Folding.Value.sequence), origin: origin)
        }
    }

    private mutating func append(sequence position: Int, origin: Int) {
        var position = position
        var origin = origin
        while true {
            let (atom, isLast) = Folding.atom(at: position)
            if atom.isMark { append(mark: atom, origin: origin) } else { append(letter: atom, origin: origin) }
            if isLast { return }
            position += 1
            origin |= 1
        }
    }

    private mutating func append(letter new: Atom, origin: Int) {
        isBehindIgnored = false
        if isUnsettled { settle() }
        if new.bits &- 0x1161 < 0x62, let last = atoms.last, let syllable = HangulSyllable.joining(last, new) {
            atoms[atoms.count - 1] = syllable
            letter = syllable
            return
        }
        atoms.append(new)
        origins.append(origin)
        letter = new
    }

    private mutating func append(mark: Atom, origin: Int) {
        if isBehindIgnored {
            if Folding.isLetterAsMark(mark.code) {
                // It will become a letter, and the marks after it belong to that.
                isBehindIgnored = false
                if isUnsettled { settle() }
                barrier = atoms.count
            } else if !letter.isBase {
                // The mark belongs to the ignored code point, so a か before it stays か.
                return
            }
        }
        guard let last = atoms.last else {
            atoms.append(.nothing(strength))
            origins.append(origin)
            return append(mark: mark, origin: origin)
        }
        if last.isMark || Folding.isLetterAsMark(mark.code) || Folding.isOwnDot(mark, on: letter, strength) {
            isUnsettled = true
        }
        atoms.append(mark)
        origins.append(origin)
    }

    /// Puts the marks at the end into canonical order, and turns those into letters that are: the subscript iota,
    /// if case is folded, and viramas, which people type before they have the whole syllable. An i loses its own dot.
    private mutating func settle() {
        isUnsettled = false
        var start = atoms.count
        while start > barrier, atoms[start - 1].isMark { start -= 1 }
        barrier = 0
        let first = origins[start]
        sortMarks(from: start)
        var hasLetters = false
        var end = start
        for index in start..<atoms.count where !Folding.isOwnDot(atoms[index], on: letter, strength) {
            let code = atoms[index].code
            atoms[end] = Folding.isLetterAsMark(code) ? Folding.letter(ofMark: code, strength) : atoms[index]
            origins[end] = origins[index]
            if !atoms[end].isMark {
                letter = atoms[end]
                hasLetters = true
            }
            end += 1
        }
        atoms.removeSubrange(end...)
        origins.removeSubrange(end...)
        // Letters from a reordered run have no bytes of their own, so the run counts as one character.
        if hasLetters {
            for index in start..<atoms.count { origins[index] = index == start ? first : first | 1 }
        }
        if atoms.count > 1, atoms[0].isNothing, !atoms[1].isMark {
            atoms.removeFirst()
            origins.removeFirst()
        }
    }

    /// Sorts by combining class, stably, and moves no mark across one of class 0.
    private mutating func sortMarks(from start: Int) {
        var lower = start
        for index in start..<atoms.count + 1 {
            guard index == atoms.count || Folding.combiningClass(of: atoms[index].code) == 0 else { continue }
            if index - lower > 1 {
                let run = (lower..<index).sorted {
                    let left = Folding.combiningClass(of: atoms[$0].code)
                    let right = Folding.combiningClass(of: atoms[$1].code)
                    return (left, $0) < (right, $1)
                }
                atoms.replaceSubrange(lower..<index, with: run.map { atoms[$0] })
                origins.replaceSubrange(lower..<index, with: run.map { origins[$0] })
            }
            lower = index + 1
        }
    }
}
