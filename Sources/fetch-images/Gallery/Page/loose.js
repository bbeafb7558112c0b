
// Finds a query in a text as it is, or as filter-search --loose does: punctuation and spaces
// don't count (spiderman finds Spider-Man), and Cyrillic, Greek and kana are found by their Latin spellings. Letters
// have several (ш is š, sh, ş; кс is x too), and the text may be read by any of them.

const COUNTS = /[\p{L}\p{N}\p{M}]/u, DIGIT = /\p{N}/u;
/** Between two digits with signs between them: 2-1 isn't 21. */
const BORDER = 0x20;
/** A match may begin at any letter of a text: none of the query's letters is read yet. */
const NOT_BEGUN = [0];

class LooseSearch {
    #folding;
    #spellings;
    #entries = null;

    /** spellings: lines like "ш š,sh,ş". */
    constructor(folding, spellings) {
        this.#folding = folding;
        this.#spellings = spellings;
    }

    /** The lines by the first letter of their keys, as {key, spellings}: few pages need them at their start. */
    get entries() {
        if (this.#entries) return this.#entries;
        this.#entries = new Map();
        const letters = text => looseLetters(this.#folding.fold(text));
        for (const line of this.#spellings.split("\n")) {
            const [text, spellings] = line.split(" "), key = letters(text), [[first]] = key;
            if (!this.#entries.has(first)) this.#entries.set(first, []);
            this.#entries.get(first).push({ key, spellings: spellings.split(",").map(letters) });
        }
        return this.#entries;
    }

    /** Prepares a text for the search. */
    text(text) {
        const folded = this.#folding.text(text);
        return { folded, letters: typeof folded === "string" ? looseString(folded) : looseLetters(folded) };
    }

    /** A function that returns whether a text contains the query. */
    query(text) {
        const matches = this.#folding.query(text), sought = looseLetters(this.#folding.fold(text));
        // A query of punctuation alone is searched for as it is.
        if (!sought.length || sought[0][0] === NOTHING) return ({ folded }) => matches(folded);
        const isPlain = sought.every(letter => letter.length === 1 && (letter[0] & CODE) < 0x80);
        const plain = isPlain ? sought.map(letter => String.fromCharCode(letter[0] & CODE)).join("") : null;
        return ({ folded, letters }) => matches(folded)
            || (typeof letters === "string" ? isPlain && letters.includes(plain) : this.#has(letters, sought));
    }

    /** Follows all readings of a text at once, each by the number of the query's letters that it has read. */
    #has(text, query) {
        const entries = this.entries;
        /** These numbers after one, two and more letters of the text from here. */
        const ahead = [];
        /** Reads a spelling of the next `length` letters of the text; returns whether the query ends in it. */
        const reads = (count, letters, start, end, length) => {
            for (; start < end && count < query.length && isSame(query[count], letters[start]); start++) count++;
            if (start === end) (ahead[length - 1] ??= new Set(NOT_BEGUN)).add(count);
            return count === query.length;
        };
        for (let place = 0; place < text.length; place++) {
            const counts = ahead.shift() ?? NOT_BEGUN;
            for (const count of counts) if (reads(count, text, place, place + 1, 1)) return true;
            for (const { key, spellings } of entries.get(text[place][0]) ?? []) {
                if (!key.every((letter, i) => place + i < text.length && isSame(letter, text[place + i]))) continue;
                for (const letters of spellings) {
                    const end = letters.length;
                    for (const count of counts) if (reads(count, letters, 0, end, key.length)) return true;
                    // A match may begin inside a spelling: h finds ш.
                    for (let i = 1; i < end; i++) if (reads(0, letters, i, end, key.length)) return true;
                }
            }
        }
        return false;
    }
}

/** The letters that count, each an array of itself and its marks. */
function looseLetters(atoms) {
    const letters = [];
    const is = (pattern, atom) => atom !== NOTHING && pattern.test(String.fromCodePoint(atom & CODE));
    let isKept = false, isBehindSign = false, isBehindDigit = false;
    for (const atom of atoms) {
        if (atom & MARK) {
            if (isKept) letters.at(-1).push(atom);
            continue;
        }
        isKept = atom === NOTHING || is(COUNTS, atom);
        if (isKept) {
            const isDigit = is(DIGIT, atom);
            if (isBehindSign && isBehindDigit && isDigit) letters.push([BORDER]);
            isBehindDigit = isDigit;
            letters.push([atom]);
        }
        isBehindSign = !isKept;
    }
    return letters;
}

/** The same for a text of ASCII, which stays a string. */
function looseString(text) {
    return text.replace(/(\d?)[^a-z\d]+(?=(\d?))/g, (_, before, after) => before + (before && after && " "));
}

/** Whether a letter matches another, which may have more marks if marks are optional. */
function isSame(letter, found) {
    if (letter[0] !== found[0]) return false;
    let place = 1;
    for (let i = 1; i < found.length; i++) {
        if (found[i] === letter[place]) place++;
        else if (!(letter[0] & BASE)) return false;
    }
    return place === letter.length;
}
