
// A record's members, one by one, with readable names, dates and links.

/** Members about the origin of a record. */
const originNames = ["source", "id", "url", "imageURL", "imageUrl"];

/** All members of a record in order, except that its description is first, and its page, empty members and its origin last. */
function facts(record) {
    const lead = [], rest = [], pages = [], empty = [], origin = [];
    let files = [];
    for (const [name, value] of readJSON(record.line).members) {
        if (name === "name" && value === record.label) continue;
        if (name === settings.member) files = picturesOf(value);
        else if (originNames.includes(name) || name.startsWith("__")) origin.push([name, value]);
        else if (value === "" || value?.length === 0 || value?.members?.length === 0) empty.push(words(name));
        else if (name === "description" && typeof value === "string") lead.push(make("p", "lead", cut(value)));
        else (name === "pageURL" ? pages : rest).push([name, value]);
    }
    const dl = list([...rest, ...pages], chips);
    if (empty.length) dl.append(make("div", "nothing", make("dt", "", "Nothing in"), make("dd", "", empty.join(", "))));
    const more = (title, members) => make("details", "", make("summary", "", title), list(members));
    return [
        ...lead, dl, ...origin.length ? [more("About this record", origin)] : [],
        ...files.map((file, i) => more(files.length > 1 ? `About picture ${i + 1}` : "About the picture", file.members)),
    ];
}

const list = (members, shownAs = (name, value) => shownValue(value)) => make("dl", "", ...members.map(
    ([name, value]) => make("div", "", term(name), make("dd", "", shownAs(name, value)))));

function term(name) {
    const term = make("dt", "", words(name));
    term.title = name;
    return term;
}

const acronym = /^(?:api|dvd|html|id|imdb|isbn|issn|json|sha\d*|tmdb|tv|uri|url|uuid)(?=s?$)/i;

/** `shortFilms` and `short_films` as `short films`; `tvShows` as `TV shows`, `imageURL` as `image URL`. */
const words = name => name.startsWith("__") ? name : name.replace(/[_-]/g, " ").trim()
    .replace(/([a-z\d])([A-Z])(?![A-Z]|$)/g, (_, end, start) => `${end} ${start.toLowerCase()}`)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[^ ]+/g, word => word.replace(acronym, letters => letters.toUpperCase())) || "“”";

/** The value of a member. Texts of an array are chips; a click searches for other records with the text. */
function chips(name, value) {
    if (!Array.isArray(value) || !value.length) return shownValue(value);
    const made = element => isSought(element) ? make("li", "is-chip", chip(name, element)) : item(element);
    return make("ul", "", ...value.map(made));
}

const isSought = value => typeof value === "string" && /^[^\n]{1,100}$/.test(value.trim()) && !isURL(value);

function chip(name, text) {
    const button = make("button", "", text);
    button.type = "button";
    button.title = `Search ${words(name)} for this`;
    button.addEventListener("click", () => { location.hash = fragment("", text.trim(), name); });
    return button;
}

const item = element =>
    make("li", Array.isArray(element) || element?.members ? "is-deep" : "", shownValue(element));

function shownValue(value) {
    const nothing = text => make("span", "nothing", text);
    if (value === null) return nothing("null");
    if (typeof value === "boolean") return String(value);
    if (typeof value === "string") return value === "" ? nothing("empty") : dated(value) ?? linked(value);
    if (Array.isArray(value)) return value.length ? make("ul", "", ...value.map(item)) : nothing("none");
    if (value.number) return value.number;
    return value.members.length ? list(value.members) : nothing("none");
}

const months = "January February March April May June July August September October November December".split(" ");
const timestamp = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(?:[0-5]\d|60)(?:\.\d+)?(?:([Zz])|([+-]\d\d:\d\d)))?$/;

/** A date of RFC 3339, with its time if any, as written and not in the reader's time zone; otherwise undefined. */
function dated(text) {
    const [, year, month, day, hour, minute, zulu, offset] = timestamp.exec(text) ?? [];
    const days = new Date(Date.UTC(2000 + year % 400, month, 0)).getUTCDate();
    if (!year || !(month >= 1 && month <= 12 && day >= 1 && day <= days) || hour > 23 || minute > 59) return undefined;
    const date = `${+day} ${months[month - 1]} ${+year}`;
    const zone = zulu || /^.00:00$/.test(offset) ? "UTC" : `UTC${offset?.replace("-", "−")}`;
    const time = make("time", "", hour === undefined ? date : `${date}, ${hour}:${minute} ${zone}`);
    time.dateTime = time.title = text;
    return time;
}

const isURL = text => /^https?:\/\/[^\s]+$/i.test(text);

/** A link, if the text is a web address and nothing else. */
function linked(text) {
    if (!isURL(text)) return cut(text);
    const link = make("a", "", cut(text));
    link.href = text;
    if (link.protocol !== "http:" && link.protocol !== "https:") return cut(text);
    link.rel = "noopener noreferrer";
    link.target = "_blank";
    return link;
}

/** The beginning of a long text. */
function cut(text) {
    const length = text.startsWith("data:") ? 100 : 4000;
    return text.length <= length ? text
        : `${text.slice(0, length)}… (${(text.length - length).toLocaleString("en")} more)`;
}

/** Parses a record into strings, arrays, {members} and {number}; keeps numbers as written, and all names in order. */
function readJSON(text) {
    let place = 0;
    const skip = () => { while (" \t\r\n".includes(text[place])) place++; };
    const ends = close => { skip(); return text[place] === close; };
    const string = () => {
        const start = place++;
        while (text[place] !== '"') place += text[place] === "\\" ? 2 : 1;
        return wellFormed(JSON.parse(text.slice(start, ++place)));
    };
    const all = (close, read) => {
        const found = [];
        for (place++; !ends(close);) {
            if (text[place] === ",") { place++; skip(); }
            found.push(read());
        }
        place++;
        return found;
    };
    const value = () => {
        skip();
        switch (text[place]) {
        case '"': return string();
        case "[": return all("]", value);
        case "{": return { members: all("}", () => { const name = string(); skip(); place++; return [name, value()]; }) };
        case "t": place += 4; return true;
        case "f": place += 5; return false;
        case "n": place += 4; return null;
        default: {
            const start = place;
            while (place < text.length && "+-.eE0123456789".includes(text[place])) place++;
            return { number: text.slice(start, place) };
        }
        }
    };
    return value();
}
