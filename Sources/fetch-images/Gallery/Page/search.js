
// The search: what is typed, the member that it looks in, and the address, which says both.
//
//     #q=princess              the records whose name has the text
//     #q=princess&in=films     those that have it in a member
//     #q=princess&in=*         those that have it in any member
//     #214  #214&q=princess    a record by its id, alone or among those found; #/7 is the seventh, which has no id

const query = byID("query"), scope = byID("scope"), choice = byID("in"), count = byID("count");
/** The member that is searched: the name where it is empty, all of them where it is everything. */
let field = "";
const everything = "*";

/** What the address names. */
function addressed() {
    const decoded = (text = "") => {
        try { return decodeURIComponent(text); } catch { return text; /* A stray percent sign stands for itself. */ }
    };
    const parts = /^(.*?)(?:(?:^|&)q=([^&]*)(?:&in=([^&]*))?(?:&.*)?)?$/.exec(location.hash.slice(1)) ?? [];
    return { key: decoded(parts[1]), text: decoded(parts[2]).trim(), field: decoded(parts[3]) };
}

/** The part of an address after #, which has no & of its own. */
function fragment(key, text = query.value.trim(), name = field) {
    const search = text && `q=${encodeURIComponent(wellFormed(text))}${name && `&in=${encodeURIComponent(name)}`}`;
    return [encodeURIComponent(key), search].filter(part => part).join("&");
}

const address = key => [location.href.split("#")[0], fragment(key)].filter(part => part).join("#");

/** Puts the search into the address, in place of the one before. */
function remember() {
    clearTimeout(pending);
    pending = 0;
    history.replaceState(null, "", address(""));
}

/** The timer of what was typed: browsers refuse to change an address with every letter. */
let pending = 0;
function rememberSoon() {
    clearTimeout(pending);
    pending = setTimeout(remember, 300);
}

/** Searches for what the address says; tells whether that is something else than before. */
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

/** Shows the records that match, from the first one on. */
function search() {
    find();
    active = 0;
    tell();
    layOut();
    window.scrollTo(0, 0);
}

/** Finds the records that match; blanks around the text, which keyboards add, don't count. */
function find() {
    const text = query.value.trim(), matches = loose.query(text);
    if (!text) shown = records;
    else if (!field) shown = records.filter(record => matches(record.sought ??= loose.text(record.label)));
    else shown = records.filter(record => soughtTexts(record).some(matches));
}

/** The texts in the member that is searched, as filter-search -f finds them, or in all, as with -a: all strings inside. */
function soughtTexts(record) {
    if (record.found?.field !== field) {
        const texts = value => typeof value === "string" ? [loose.text(wellFormed(value))]
            : value && typeof value === "object" ? Object.values(value).flatMap(texts) : [];
        const members = JSON.parse(record.line);
        const { [settings.member]: file, ...others } = members;
        const sought = field === everything ? others : Object.hasOwn(members, field) ? members[field] : null;
        record.found = { field, texts: texts(sought) };
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

/** Names the page after what is looked at, as its bookmark will be. */
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
