
// Finds a query in a text as filter-search does by default: in any case, accent and normalisation, except that accents
// in the query must match. Both become letters with marks; marks are optional on Latin, Greek,
// Cyrillic, Hebrew and Arabic letters (e finds é), and on no others (か doesn't find が).
//
// The tables are the tool's own: numbers of six bits to a character, from 0 (0) to o (63), the least first.

const MARK = 1 << 22, BASE = 1 << 21, CODE = BASE - 1;
/** The letter under marks that a text begins with; in a query it stands for any letter. */
const NOTHING = CODE | BASE;
const IOTA = 0x3b9, IOTA_SUBSCRIPT = 0x345, VIRAMA_CLASS = 9;

class Folding {
    /** tables: {shift, count, stages, blocks, atoms}. */
    constructor(tables) { Object.assign(this, tables); }

    number(text, width, index) {
        let value = 0;
        for (let i = width - 1; i >= 0; i--) value = value << 6 | text.charCodeAt(width * index + i) - 0x30;
        return value;
    }

    /** 0 a letter, 1 one whose marks are optional, 2 ignored, below 272 a mark and its class, else a sequence. */
    value(code, strength = 0) {
        const place = code < 0x20000 ? code : code >> 12 === 0xe0 ? code - 0xc0000
            : code >> 10 === 0xbe ? code - 0x2f800 + 0x21000 : -1;
        if (place < 0) return 0;
        const block = this.number(this.stages, 2, strength * this.count + (place >> this.shift));
        return this.number(this.blocks, 3, (block << this.shift) + (place & (1 << this.shift) - 1));
    }

    combiningClass(atom) {
        const value = this.value(atom & CODE, 2);
        return value >= 16 && value < 272 ? value - 16 : 0;
    }

    /** The subscript iota and viramas are letters once the marks are in order. */
    isLetterAsMark(atom) { return (atom & CODE) === IOTA_SUBSCRIPT || this.combiningClass(atom) === VIRAMA_CLASS; }

    /** The letters of a text, each followed by its marks in canonical order. */
    fold(text) {
        const atoms = [];
        let letter = NOTHING, isBehindIgnored = false, isUnsettled = false, barrier = 0;

        /** The dot of an i: İ is a capital i, and not one with an accent. */
        const isOwnDot = atom => atom === (0x307 | MARK) && (letter & CODE) === 0x69;
        const addLetter = atom => {
            isBehindIgnored = false;
            if (isUnsettled) settle();
            const syllable = joined(atoms.at(-1), atom);
            if (syllable) atoms.pop();
            atoms.push(letter = syllable || atom);
        };
        const addMark = atom => {
            const isLetter = this.isLetterAsMark(atom);
            if (isBehindIgnored && !isLetter && !(letter & BASE)) return;
            if (isLetter && isBehindIgnored) {
                isBehindIgnored = false;
                if (isUnsettled) settle();
                // An ignored character separates these marks from the next ones.
                barrier = atoms.length;
            }
            if (!atoms.length) atoms.push(NOTHING);
            if (atoms.at(-1) & MARK || isLetter || isOwnDot(atom)) isUnsettled = true;
            atoms.push(atom);
        };
        const settle = () => {
            isUnsettled = false;
            let start = atoms.length;
            while (start > barrier && atoms[start - 1] & MARK) start--;
            barrier = 0;
            let run = [];
            const sorted = [];
            const endRun = () => sorted.push(...run.sort((a, b) => a[1] - b[1]).map(entry => entry[0]));
            for (const atom of atoms.splice(start)) {
                const order = this.combiningClass(atom);
                if (order) { run.push([atom, order]); continue; }
                endRun();
                run = [];
                sorted.push(atom);
            }
            endRun();
            for (let atom of sorted) {
                if (isOwnDot(atom)) continue;
                if (this.isLetterAsMark(atom)) {
                    letter = atom = (atom & CODE) === IOTA_SUBSCRIPT ? IOTA | BASE : atom & CODE;
                }
                atoms.push(atom);
            }
            if (atoms.length > 1 && atoms[0] === NOTHING && !(atoms[1] & MARK)) atoms.shift();
        };

        for (const character of text) {
            let code = character.codePointAt(0);
            if (code < 0x80) {
                code = character.toLowerCase().codePointAt(0);
                addLetter(code >= 0x61 && code <= 0x7a ? code | BASE : code);
                continue;
            }
            if (code >= 0xd800 && code < 0xe000) code = 0xfffd;
            const value = this.value(code);
            if (value === 0) addLetter(code);
            else if (value === 1) addLetter(code | BASE);
            else if (value === 2) isBehindIgnored = true;
            else if (value < 272) addMark(code | MARK);
            else for (let place = value - 272, isLast = false; !isLast; place++) {
                const packed = this.number(this.atoms, 4, place);
                const atom = packed & 0x3ffff;
                isLast = (packed >> 18 & 1) === 1;
                if (packed >> 20 & 1) addMark(atom | MARK);
                else addLetter(packed >> 19 & 1 ? atom | BASE : atom);
            }
        }
        if (isUnsettled) settle();
        return atoms;
    }

    /** A function that returns whether a text contains the query. */
    query(text) {
        const letters = this.fold(text);
        const isPlain = letters.every(atom => (atom & CODE) < 0x80);
        const plain = isPlain ? String.fromCharCode(...letters.map(atom => atom & CODE)) : null;
        return folded => {
            if (!letters.length) return true;
            if (typeof folded === "string") return isPlain && folded.includes(plain);
            return folded.some((atom, place) => !(atom & MARK) && standsAt(folded, place, letters));
        };
    }

    /** Prepares a text for the search: ASCII, as most are, stays a string. */
    text(text) { return /^[\x00-\x7f]*$/.test(text) ? text.toLowerCase() : this.fold(text); }
}

/** The Hangul syllable that two letters make (Unicode 3.12), else 0. */
function joined(last, next) {
    const leading = last - 0x1100, vowel = next - 0x1161;
    if (leading >= 0 && leading < 19 && vowel >= 0 && vowel < 21) return 0xac00 + (leading * 21 + vowel) * 28;
    const syllable = last - 0xac00, trailing = next - 0x11a7;
    return syllable >= 0 && syllable < 11172 && syllable % 28 === 0 && trailing > 0 && trailing < 28
        ? last + trailing : 0;
}

function standsAt(atoms, start, letters) {
    let place = start, mayHaveMore = false;
    for (const letter of letters) {
        if (mayHaveMore) while (atoms[place] & MARK && atoms[place] !== letter) place++;
        if (place >= atoms.length || atoms[place] !== letter && letter !== NOTHING) return false;
        if (!(letter & MARK)) mayHaveMore = (letter & BASE) !== 0;
        place++;
    }
    return mayHaveMore || !(atoms[place] & MARK);
}
