
// The search field, the member that it searches, and the address, which holds both.
//
//     #q=princess              the records whose name contains the text
//     #q=princess&in=films     those that contain it in a member
//     #q=princess&in=*         those that contain it in any member
//     #214  #214&q=princess    a record by its id, alone or among the matches; #/7 is the seventh record, for one without an id

const query = byID("query"), scope = byID("scope"), choice = byID("in"), count = byID("count");
/** The member to search: empty for the name, `everything` for all. */
let field = "";
const everything = "*";

/** The parts of the address. */
function addressed() {
    const decoded = (text = "") => {
        try { return decodeURIComponent(text); } catch { return text; /* A stray percent sign stands for itself. */ }
    };
    const parts = /^(.*?)(?:(?:^|&)q=([^&]*)(?:&in=([^&]*))?(?:&.*)?)?$/.exec(location.hash.slice(1)) ?? [];
    return { key: decoded(parts[1]), text: decoded(parts[2]).trim(), field: decoded(parts[3]) };
}

/** The part of an address after #; its texts have no & of their own. */
function fragment(key, text = query.value.trim(), name = field) {
    const search = text && `q=${encodeURIComponent(wellFormed(text))}${name && `&in=${encodeURIComponent(name)}`}`;
    return [encodeURIComponent(key), search].filter(part => part).join("&");
}

const address = key => [location.href.split("#")[0], fragment(key)].filter(part => part).join("#");

/** Replaces the search in the address. */
function remember() {
    clearTimeout(pending);
    pending = 0;
    history.replaceState(null, "", address(""));
}

/** Delays the change of the address while someone types: browsers refuse one for every letter. */
let pending = 0;
function rememberSoon() {
    clearTimeout(pending);
    pending = setTimeout(remember, 300);
}

/** Searches for the text in the address; returns whether it has changed. */
function takeSearch() {
    clearTimeout(pending);
    pending = 0;
    const { text, field: name } = addressed();
    if (text === query.value.trim() && (text === "" || name === field)) return false;
    query.value = text;
    field = name;
    search();
    return true;
}

/** Shows the matches, from the first. */
function search() {
    find();
    active = 0;
    tell();
    layOut();
    window.scrollTo(0, 0);
}

/** Finds the matches; ignores spaces around the text, as keyboards add them. */
function find() {
    const text = query.value.trim(), matches = loose.query(text);
    if (!text) shown = records;
    else if (!field) shown = records.filter(record =>
        (record.sought ??= record.names.map(name => loose.text(name))).some(matches));
    else shown = records.filter(record => soughtTexts(record).some(matches));
}

/** All strings in the member to search, as with filter-search -f, or in all members, as with -a. */
function soughtTexts(record) {
    if (record.found?.field !== field) {
        const members = JSON.parse(record.line);
        const { [settings.member]: files, ...others } = members;
        const sought = field === everything ? others : Object.hasOwn(members, field) ? members[field] : null;
        record.found = { field, texts: strings(sought).map(text => loose.text(text)) };
    }
    return record.found.texts;
}

function tell() {
    const number = value => value.toLocaleString("en"), text = query.value.trim();
    const noun = records.length === 1 ? "record" : "records";
    count.textContent = shown === records ? `${number(records.length)} ${noun}`
        : `${number(shown.length)} of ${number(records.length)} ${noun}`;
    const none = byID("none");
    none.hidden = shown.length > 0 || !isLoaded;
    none.textContent = !records.length ? "There are no records"
        : field ? `Nothing in ${searched()} matches ${text}` : `No names match ${text}`;
    scope.hidden = !field || field === everything;
    choice.hidden = !scope.hidden;
    choice.value = field;
    byID("member").textContent = words(field);
    query.placeholder = `Search ${searched()}`;
    query.setAttribute("aria-label", query.placeholder);
    entitle();
}

const searched = () => field === everything ? "all members" : field ? words(field) : "names";

/** Gives the page a title for its bookmark: the record or the search in view. */
function entitle() {
    document.title = [current?.label ?? query.value.trim(), settings.title].filter(part => part).join(" – ");
}

/** Searches the names again. */
function clear() {
    query.value = "";
    field = "";
    search();
    rememberSoon();
}

query.addEventListener("input", () => { search(); rememberSoon(); });
query.addEventListener("keydown", event => {
    if (event.key === "ArrowDown" && shown.length) {
        event.preventDefault();
        focusTile(active);
    } else if (event.key === "Escape" && (query.value || field)) {
        event.preventDefault();
        clear();
    }
});
choice.addEventListener("change", () => {
    field = choice.value;
    search();
    remember();
    query.focus();
});
scope.addEventListener("click", () => { clear(); query.focus(); });
addEventListener("keydown", event => {
    const isTyping = event.target.matches?.("input");
    if (event.key !== "/" || isTyping || detail.open || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    query.focus();
    query.select();
});
