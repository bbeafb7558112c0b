
// The page holds records as inert text, and pictures too or links to them; they become elements when they come into sight.
//
//     script.picture  #p-SHA256, data-type     a picture in base64, once
//     script.records                           records, one a line; each names its pictures by SHA-256
//     settings.pictures                        where the pictures are, if the page links them
//
// No data ever becomes markup: the script creates each element, and sets texts as text.

const byID = id => document.getElementById(id);
const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
};
const settings = JSON.parse(byID("settings").textContent);
const table = name => byID(name).textContent;
const folding = new Folding({
    ...settings.folding, stages: table("stages"), blocks: table("blocks"), atoms: table("atoms"),
});
const loose = new LooseSearch(folding, table("spellings"));

// ---- Records

/** All records: {line, label, names, key, member}, and their texts for the search; the rest of a line is read when it is shown. */
const records = [];
/** The index of the first record with an id. */
const indexByKey = new Map();
const chunks = document.getElementsByClassName("records");
let chunksTaken = 0;

/** Replaces half of a surrogate pair with U+FFFD, as the tools do. */
const wellFormed = text => text.replace(/\p{Cs}/gu, "\ufffd");
const written = value => typeof value === "string" ? wellFormed(value).trim()
    : typeof value === "number" ? String(value) : "";

/** All strings in a value. */
const strings = value => typeof value === "string" ? [wellFormed(value)]
    : value && typeof value === "object" ? Object.values(value).flatMap(strings) : [];

/** A record's id as its line has it: JavaScript rounds large numbers. */
const exactID = (id, line) => typeof id !== "number" || Number.isSafeInteger(id) ? written(id)
    : readJSON(line).members.findLast(([name]) => name === "id")[1].number;

/** Takes the records that have loaded; until the page is complete, an element is whole once another follows it. */
function takeRecords(isLoaded) {
    const count = records.length;
    for (; chunksTaken < chunks.length; chunksTaken++) {
        const chunk = chunks[chunksTaken];
        if (!isLoaded && !chunk.nextElementSibling) break;
        for (const line of chunk.textContent.split("\n")) if (line) addRecord(line);
    }
    return records.length > count;
}

const creditNames = ["credit", "creditLine", "credit_line", "copyright"];
const licenceNames = ["licence", "license", "rights", "rightsStatement"];
/** Whether tiles have a line for credits, as one of the first records has some. */
let hasCredits = false;

/** The credit that a museum requires beside a picture, and the licence. */
function credit(members) {
    const first = names => names.map(name => written(members[name])).find(text => text);
    return [first(creditNames), first(licenceNames)].filter(text => text).join(" · ");
}

function addRecord(line) {
    const record = JSON.parse(line), index = records.length, id = exactID(record.id, line);
    const names = strings(record.name).map(name => name.trim()).filter(name => name);
    const label = names[0] || written(record.name) || written(record.title) || id || `Record ${index + 1}`;
    const key = id && !id.startsWith("/") && !indexByKey.has(id) ? id : "/" + (index + 1);
    indexByKey.set(key, index);
    if (settings.source && record.source !== settings.source) byID("title").textContent = settings.title = settings.fileName;
    if (index < 100) hasCredits ||= credit(record) !== "";
    records.push({
        line, key, index, label, names: names.length > 1 ? names : [label], member: record[settings.member],
        sought: null, found: null,
    });
}

// ---- Pictures

/** What a record's member tells of its pictures, as JSON.parse or readJSON has read it: a list, of one for an object. */
const picturesOf = member => [member ?? []].flat();

/** The index of the picture that stands for a record: the first that there is. */
const mainPicture = record => Math.max(0, picturesOf(record.member).findIndex(file => file.sha256));

/** A record's picture by its index. */
const pictureAt = (record, index, alternative) => picture(record, picturesOf(record.member)[index] ?? {}, alternative);

/** One of a record's pictures, or a text if it can't be shown. */
function picture(record, file, alternative) {
    const { sha256, width, height, type, status, error } = file;
    const linked = settings.pictures && sha256 && settings.pictures + file.path.split("/").slice(-2).join("/");
    const source = linked || sha256 && byID("p-" + sha256);
    if (!source) return blank(record, sha256 ? "Not in this page" : reason(status, error));
    const image = linked ? byID("linked").content.firstChild.cloneNode() : make("img");
    Object.assign(image, { alt: alternative, decoding: "async", draggable: false, source, file });
    if (width && height) {
        const shape = width / height;
        image.classList.toggle("is-whole", shape < .55 || shape > 1.8 || type === "image/svg+xml");
        image.classList.toggle("is-tiny", Math.max(width, height) < 64 && type !== "image/svg+xml");
    }
    image.onerror = () => {
        const kind = type.replace("image/", "").toUpperCase();
        image.replaceWith(blank(record, linked ? `No ${kind} that this browser shows at ${linked}` : `This browser shows no ${kind}`));
    };
    return image;
}

/** Why there is no picture: what is wrong, without what to do about it. */
function reason(status, error) {
    if (typeof error !== "string" || !error) return "No picture";
    const what = error.split("; ")[0]
        .replace(/(^|[^\w:.])(\d{5,})(?![\w.])/g, (_, before, digits) => before + Number(digits).toLocaleString("en"));
    return what[0].toUpperCase() + what.slice(1);
}

/** As large as there is room, but three times its size at most: more would only show how small it is. */
function enlarge(image) {
    const { width, height, type } = image.file;
    if (!width || !height) return;
    const times = type === "image/svg+xml" ? 1000 : 3;
    image.style.aspectRatio = `${width} / ${height}`;
    // cqw and cqh refer to the button around it: neither side exceeds it.
    image.style.width = `min(100cqw, 100cqh * ${width / height}, ${times * width}px)`;
}

/** Gives an image its bytes, or its link. */
function show(image) {
    image.src = settings.pictures ? image.source : `data:${image.source.dataset.type};base64,${image.source.textContent}`;
}

function blank(record, words) {
    const letters = record.label.split(/\s+/).slice(0, 2).map(word => [...word][0] ?? "").join("").toUpperCase();
    const initials = make("span", "", letters);
    initials.setAttribute("aria-hidden", "true");
    const small = make("small", "", words);
    small.title = words;
    return make("span", "blank", initials, small);
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
