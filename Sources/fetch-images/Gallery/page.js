
// The page: records and pictures lie in it as inert text, and become elements when they come into sight.
//
//     script.picture  #p-SHA256, data-type     a picture in base64, once
//     script.records                           records, one a line, which name their pictures by SHA-256
//
// Nothing of the data ever becomes markup: elements are made one by one, and texts are set as texts.

const byID = id => document.getElementById(id);
const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
};
const settings = JSON.parse(byID("settings").textContent);
const folding = new Folding({
    ...settings.folding, stages: byID("stages").textContent, blocks: byID("blocks").textContent,
    atoms: byID("atoms").textContent,
});

// ---- Records

/** All records: {line, label, key, picture, folded}; the rest of a record is read when it is looked at. */
const records = [];
/** The index of the first record with an id. */
const indexByKey = new Map();
const chunks = document.getElementsByClassName("records");
let chunksTaken = 0;

/** Half of a surrogate pair becomes U+FFFD, as everywhere in these tools. */
const wellFormed = text => text.replace(/\p{Cs}/gu, "\ufffd");
const written = value => typeof value === "string" ? wellFormed(value).trim()
    : typeof value === "number" ? String(value) : "";

/** Takes the records that have come; while the page loads, an element is whole when another follows it. */
function takeRecords(isLoaded) {
    const count = records.length;
    for (; chunksTaken < chunks.length; chunksTaken++) {
        const chunk = chunks[chunksTaken];
        if (!isLoaded && !chunk.nextElementSibling) break;
        for (const line of chunk.textContent.split("\n")) if (line) addRecord(line);
    }
    return records.length > count;
}

function addRecord(line) {
    const record = JSON.parse(line), index = records.length, id = written(record.id);
    const key = id && !id.startsWith("/") && !indexByKey.has(id) ? id : "/" + (index + 1);
    indexByKey.set(key, index);
    records.push({
        line, key, index, label: written(record.name) || written(record.title) || id || `Record ${index + 1}`,
        picture: record[settings.member] ?? {}, folded: null,
    });
}

const foldedLabel = record => record.folded ??= folding.text(record.label);

// ---- Pictures

/** An image of a record's picture, or words where it has none that can be shown. */
function picture(record, alternative) {
    const { sha256, width, height, type, status } = record.picture;
    const source = sha256 && byID("p-" + sha256);
    if (!source) return blank(record, !sha256 ? (status === "failed" ? "No picture" : "") : "Not in this page");
    const image = make("img");
    image.alt = alternative;
    image.decoding = "async";
    image.draggable = false;
    if (width && height) {
        const shape = width / height;
        image.classList.toggle("is-whole", shape < .55 || shape > 1.8 || type === "image/svg+xml");
        image.classList.toggle("is-tiny", Math.max(width, height) < 64 && type !== "image/svg+xml");
    }
    image.onerror = () => {
        image.replaceWith(blank(record, `This browser shows no ${type.replace("image/", "").toUpperCase()}`));
    };
    image.source = source;
    return image;
}

/** As large as there is room, but three times its size at most: more would only show how small it is. */
function enlarge(image, { width, height, type }) {
    if (!width || !height) return;
    const times = type === "image/svg+xml" ? 1000 : 3;
    image.style.aspectRatio = `${width} / ${height}`;
    image.style.width = `min(100%, ${times * width}px, ${times * height}px * ${width / height})`;
}

/** Gives an image its bytes. */
function show(image) {
    image.src = `data:${image.source.dataset.type};base64,${image.source.textContent}`;
}

function blank(record, words) {
    const letters = record.label.split(/\s+/).slice(0, 2).map(word => [...word][0] ?? "").join("").toUpperCase();
    const initials = make("span", "", letters);
    initials.setAttribute("aria-hidden", "true");
    return make("span", "blank", initials, ...words ? [make("small", "", words)] : []);
}

/** Images that wait for their bytes: a few milliseconds of each frame are theirs, so that scrolling stays smooth. */
let waiting = [];
function fill() {
    const end = performance.now() + 5;
    while (waiting.length && performance.now() < end) {
        const image = waiting.shift();
        if (image.isConnected) show(image);
    }
    if (waiting.length) requestAnimationFrame(fill);
}

// ---- The grid

const grid = byID("grid"), query = byID("query"), count = byID("count");
/** The records that match, and the tiles that exist, by their place among them. */
let shown = records;
const tiles = new Map();
let columns = 1, side = 0, step = 0, gap = 0, active = 0;

/** Measures, and makes all tiles anew; what was at the top stays there. */
function layOut() {
    const top = Math.floor((window.scrollY - grid.offsetTop) / (step || 1)) * columns;
    gap = parseFloat(getComputedStyle(grid).getPropertyValue("--gap"));
    const width = grid.clientWidth;
    columns = Math.max(2, Math.floor((width + gap) / ((width < 600 ? 140 : 190) + gap)));
    side = (width - gap * (columns - 1)) / columns;
    step = side + 42 + gap;
    const isFocused = grid.contains(document.activeElement);
    grid.replaceChildren();
    tiles.clear();
    waiting = [];
    stretch();
    if (top > 0) window.scrollTo(0, grid.offsetTop + Math.floor(top / columns) * step);
    if (isFocused) tiles.get(active)?.firstChild.focus({ preventScroll: true });
}

/** Gives the grid the height of all its rows. */
function stretch() {
    grid.style.height = `${Math.ceil(shown.length / columns) * step}px`;
    for (const tile of tiles.values()) tile.setAttribute("aria-setsize", shown.length);
    draw();
}

/** Makes the tiles that came into sight, and drops the others; the one in focus stays. */
function draw() {
    const top = window.scrollY - grid.offsetTop, margin = window.innerHeight / 2;
    const first = Math.max(0, Math.floor((top - margin) / step)) * columns;
    const end = Math.min(shown.length, Math.ceil((top + window.innerHeight + margin) / step) * columns);
    for (const [place, tile] of tiles) {
        if (place >= first && place < end || place === active) continue;
        tile.remove();
        tiles.delete(place);
    }
    const places = [...tiles.keys(), ...Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)];
    // In their order, which is the one that screen readers follow.
    let next = null;
    for (const place of [...new Set(places)].sort((a, b) => b - a)) {
        let tile = tiles.get(place);
        if (!tile) tiles.set(place, tile = makeTile(place));
        if (tile.nextSibling !== next || !tile.isConnected) grid.insertBefore(tile, next);
        next = tile;
    }
    if (waiting.length) requestAnimationFrame(fill);
    byID("title").parentElement.classList.toggle("is-raised", window.scrollY > 4);
}

function makeTile(place) {
    const record = shown[place], image = picture(record, "");
    const button = make("button", "tile", make("span", "frame", image), make("span", "label", record.label));
    button.type = "button";
    button.tabIndex = place === active ? 0 : -1;
    button.dataset.place = place;
    if (image.source) waiting.push(image);
    const item = make("li", "", button);
    item.setAttribute("aria-setsize", shown.length);
    item.setAttribute("aria-posinset", place + 1);
    item.style.width = `${side}px`;
    item.style.transform = `translate(${place % columns * (side + gap)}px, ${Math.floor(place / columns) * step}px)`;
    return item;
}

/** Makes a tile the one that Tab goes to. */
function activate(place) {
    const old = tiles.get(active);
    if (old) old.firstChild.tabIndex = -1;
    active = Math.max(0, Math.min(shown.length - 1, place));
    const tile = tiles.get(active);
    if (tile) tile.firstChild.tabIndex = 0;
}

/** Goes to a tile, and scrolls just so far that all of it is in sight. */
function focusTile(place) {
    activate(place);
    const head = document.querySelector("header").offsetHeight;
    const top = grid.offsetTop + Math.floor(active / columns) * step, bottom = top + step;
    if (top - head < window.scrollY) window.scrollTo(0, top - head - 8);
    else if (bottom > window.scrollY + window.innerHeight) window.scrollTo(0, bottom - window.innerHeight);
    draw();
    tiles.get(active)?.firstChild.focus({ preventScroll: true });
}

grid.addEventListener("click", event => {
    const tile = event.target.closest(".tile");
    if (tile) location.hash = hash(shown[Number(tile.dataset.place)]);
});
grid.addEventListener("focusin", event => activate(Number(event.target.dataset.place)));
grid.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const rows = Math.max(1, Math.floor(window.innerHeight / step) - 1) * columns;
    const by = {
        ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, PageUp: -rows, PageDown: rows,
        Home: -active, End: shown.length - 1 - active,
    }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    if (active + by < 0 && event.key === "ArrowUp") query.focus();
    else focusTile(active + by);
});
let isDrawing = false;
addEventListener("scroll", () => {
    if (!isDrawing) requestAnimationFrame(() => { isDrawing = false; draw(); });
    isDrawing = true;
}, { passive: true });
let measured = 0;
new ResizeObserver(([entry]) => {
    if (entry.contentRect.width !== measured) layOut();
    measured = entry.contentRect.width;
}).observe(document.querySelector("main"));

// ---- The search

/** Shows the records whose name has the text; blanks around it, which keyboards add, don't count. */
function search() {
    const matches = folding.query(query.value.trim());
    shown = query.value.trim() ? records.filter(record => matches(foldedLabel(record))) : records;
    active = 0;
    tell();
    layOut();
    window.scrollTo(0, 0);
}

function tell() {
    const number = value => value.toLocaleString("en");
    const noun = records.length === 1 ? "record" : "records";
    count.textContent = shown === records ? `${number(records.length)} ${noun}`
        : `${number(shown.length)} of ${number(records.length)} ${noun}`;
    byID("none").hidden = shown.length > 0 || !isLoaded;
}

query.addEventListener("input", search);
query.addEventListener("keydown", event => {
    if (event.key === "ArrowDown" && shown.length) {
        event.preventDefault();
        focusTile(active);
    } else if (event.key === "Escape" && query.value) {
        event.preventDefault();
        query.value = "";
        search();
    }
});
addEventListener("keydown", event => {
    const isTyping = event.target.matches?.("input");
    if (event.key !== "/" || isTyping || detail.open || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    query.focus();
    query.select();
});

// ---- The detail view

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
    else if (detail.open) detail.close();
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
byID("close").addEventListener("click", () => detail.close());
detail.addEventListener("click", event => { if (event.target === detail) detail.close(); });
detail.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
});
detail.addEventListener("close", () => {
    if (location.hash) history.pushState(null, "", location.href.split("#")[0]);
    document.title = settings.title;
    byID("picture").replaceChildren();
    if (current) focusTile(shown.indexOf(current));
    current = null;
});
addEventListener("hashchange", follow);

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

// ---- The start: what has come is shown at once, the rest as it comes.

let isLoaded = document.readyState !== "loading";
settings.title = document.title;
byID("title").textContent = document.title;
byID("search").hidden = false;

function load() {
    if (takeRecords(isLoaded) && query.value.trim()) search();
    tell();
    if (step > 0) stretch();
    if (location.hash && !detail.open && (isLoaded || !current)) follow();
}
const timer = setInterval(load, 150);
addEventListener("DOMContentLoaded", () => {
    clearInterval(timer);
    isLoaded = true;
    load();
});
load();
