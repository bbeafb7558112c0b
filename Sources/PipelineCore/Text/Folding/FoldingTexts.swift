// The tables of folding as they are written, for a page that searches by itself as the tools do.

/// Packed numbers, six bits to a character, from `0` to `o`: none of them means anything to HTML.
package enum FoldingTexts {
    /// A code point's low bits, that many, number it in its block.
    package static var blockShift: Int { Int(FoldingTables.blockShift) }
    /// The blocks of a strength's first stage.
    package static var stageCount: Int { FoldingTables.stageCount }
    package static var stages: StaticString { FoldingTables.stages }
    package static var blocks: StaticString { FoldingTables.blocks }
    package static var atoms: StaticString { FoldingTables.atoms }
}
