
// One record in full, with all its members, as the address names it.

const detail = byID("detail");
/** The record that is looked at, and its place among those shown. */
let current = null, place = 0;

const hash = record => "#" + encodeURIComponent(record.key);

/** Shows what the address names: a record's id, or its number behind a slash. */
function follow() {
    let key = location.hash.slice(1);
    try { key = decodeURIComponent(key); } catch { /* A stray percent sign stands for itself. */ }
    const record = key === "" ? undefined : records[indexByKey.get(key)];
    if (record) open(record);
    else if (detail.open) close();
}

function open(record) {
    if (!shown.includes(record)) { query.value = ""; search(); }
    current = record;
    place = shown.indexOf(record);
    const image = picture(record, record.label);
    if (image.source) {
        show(image);
        enlarge(image, record.picture);
    }
    byID("picture").replaceChildren(image);
    byID("name").textContent = record.label;
    byID("place").textContent = `${(place + 1).toLocaleString("en")} of ${shown.length.toLocaleString("en")}`;
    byID("previous").disabled = place === 0;
    byID("next").disabled = place === shown.length - 1;
    byID("members").replaceChildren(...facts(record));
    document.title = `${record.label} – ${settings.title}`;
    if (!detail.open) detail.showModal();
    detail.scrollTop = document.querySelector(".facts").scrollTop = 0;
    byID("name").focus({ preventScroll: true });
}

function go(by) {
    const record = shown[place + by];
    if (record) location.replace(hash(record));
}

byID("previous").addEventListener("click", () => go(-1));
byID("next").addEventListener("click", () => go(1));
byID("close").addEventListener("click", close);
detail.addEventListener("click", event => { if (event.target === detail) close(); });
detail.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
});
// The browser tells of its own closing, by Escape, a frame later.
detail.addEventListener("close", () => { if (!detail.open) close(); });
addEventListener("hashchange", follow);

/** Closes the view and goes back to the tile of the record that was seen last. */
function close() {
    if (detail.open) detail.close();
    if (!current) return;
    const record = current;
    current = null;
    if (location.hash) history.pushState(null, "", location.href.split("#")[0]);
    document.title = settings.title;
    byID("picture").replaceChildren();
    focusTile(shown.indexOf(record));
}

// ---- What a record says

const originNames = ["source", "id", "imageURL", "imageUrl", "pageURL"];

/** All members of a record in their order, but the description first, empty ones together, and its origin last. */
function facts(record) {
    const lead = [], rest = [], empty = [], origin = make("div", "origin");
    const originMembers = [];
    let file = null;
    for (const [name, value] of readJSON(record.line).members) {
        if (name === "name" && value === record.label) continue;
        if (name === settings.member) file = value;
        else if (value === "" || value?.length === 0 || value?.members?.length === 0) empty.push(words(name));
        else if (name === "description" && typeof value === "string") lead.push(make("p", "lead", cut(value)));
        else (originNames.includes(name) ? originMembers : rest).push([name, value]);
    }
    const dl = list(rest);
    if (empty.length) dl.append(make("div", "nothing", make("dt", "", "Nothing in"), make("dd", "", empty.join(", "))));
    origin.append(list(originMembers));
    if (file) origin.append(make("details", "", make("summary", "", "About the picture"), list(file.members)));
    return [...lead, dl, origin];
}

const list = members => make("dl", "", ...members.map(([name, value]) =>
    make("div", "", term(name), make("dd", "", shownValue(value)))));

function term(name) {
    const term = make("dt", "", words(name));
    term.title = name;
    return term;
}

/** `shortFilms` and `short_films` as `short films`; `imageURL` as `image URL`. */
const words = name => name.replace(/_/g, " ").trim().replace(/([a-z\d])([A-Z])(?![A-Z]|$)/g,
    (_, end, start) => `${end} ${start.toLowerCase()}`).replace(/([a-z\d])([A-Z])/g, "$1 $2") || "“”";

function shownValue(value) {
    const nothing = text => make("span", "nothing", text);
    if (value === null) return nothing("null");
    if (typeof value === "boolean") return String(value);
    if (typeof value === "string") return value === "" ? nothing("empty") : linked(value);
    if (Array.isArray(value)) {
        if (!value.length) return nothing("none");
        return make("ul", "", ...value.map(element =>
            make("li", Array.isArray(element) || element?.members ? "is-deep" : "", shownValue(element))));
    }
    if (value.number) return value.number;
    return value.members.length ? list(value.members) : nothing("none");
}

/** A link, where the text is an address of the web and nothing else. */
function linked(text) {
    if (!/^https?:\/\/[^\s]+$/i.test(text)) return cut(text);
    const link = make("a", "", cut(text));
    link.href = text;
    if (link.protocol !== "http:" && link.protocol !== "https:") return cut(text);
    link.rel = "noopener noreferrer";
    link.target = "_blank";
    return link;
}

const cut = text => text.length <= 4000 ? text
    : `${text.slice(0, 4000)}… (${(text.length - 4000).toLocaleString("en")} more)`;

/** A record's text as strings, arrays, {members} and {number}: numbers as written, names in order and all of them. */
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
