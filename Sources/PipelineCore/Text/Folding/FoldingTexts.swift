// The raw folding tables, for a page that does the same search as the tools.

/// Packed numbers, six bits per character, from `0` to `o`, none of which is special in HTML.
package enum FoldingTexts {
    /// The number of low bits of a code point that index into its block.
    package static var blockShift: Int { Int(FoldingTables.blockShift) }
    /// The number of blocks in the first stage of one strength.
    package static var stageCount: Int { FoldingTables.stageCount }
    package static var stages: StaticString { FoldingTables.stages }
    package static var blocks: StaticString { FoldingTables.blocks }
    package static var atoms: StaticString { FoldingTables.atoms }
    /// Not numbers but lines: a text, a space, and its spellings with commas between them. None of it is special either.
    package static var spellings: StaticString { SpellingTables.spellings }
}
