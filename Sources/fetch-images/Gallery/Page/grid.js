
// The grid of pictures: only the tiles in sight exist.

const grid = byID("grid");
/** The matches, and the existing tiles by their position among them. */
let shown = records;
const tiles = new Map();
let columns = 1, side = 0, step = 0, gap = 0, active = 0, showsCredits = false;

/** Measures, and rebuilds all tiles; the record at the top stays there. */
function layOut() {
    const top = Math.floor((window.scrollY - grid.offsetTop) / (step || 1)) * columns;
    gap = parseFloat(getComputedStyle(grid).getPropertyValue("--gap"));
    const width = grid.clientWidth;
    columns = Math.max(2, Math.floor((width + gap) / ((width < 600 ? 140 : 190) + gap)));
    side = (width - gap * (columns - 1)) / columns;
    showsCredits = hasCredits;
    step = side + 42 + (showsCredits ? 18 : 0) + gap;
    const isFocused = grid.contains(document.activeElement);
    grid.replaceChildren();
    tiles.clear();
    waiting = [];
    stretch();
    if (top > 0) window.scrollTo(0, grid.offsetTop + Math.floor(top / columns) * step);
    if (isFocused) tiles.get(active)?.firstChild.focus({ preventScroll: true });
}

/** Sets the grid's height to that of all its rows. */
function stretch() {
    grid.style.height = `${Math.ceil(shown.length / columns) * step}px`;
    for (const tile of tiles.values()) tile.setAttribute("aria-setsize", shown.length);
    draw();
}

/** Builds the tiles in sight, and removes the others except the one with the focus. */
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
    // In their order, as screen readers follow it.
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
    const record = shown[place], image = pictureAt(record, mainPicture(record), "");
    const frame = make("span", "frame", image), number = picturesOf(record.member).length;
    if (number > 1) frame.append(make("span", "badge many", `${number.toLocaleString("en")} pictures`));
    if (image.source && image.file.status === "placeholder") frame.append(make("span", "badge", "Placeholder"));
    const label = make("span", "label", record.label);
    label.dir = "auto";
    const button = make("button", "tile", frame, label);
    if (showsCredits) {
        const named = make("span", "credit", credit(JSON.parse(record.line)));
        named.title = named.textContent;
        button.append(named);
    }
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

/** Makes Tab go to this tile. */
function activate(place) {
    const old = tiles.get(active);
    if (old) old.firstChild.tabIndex = -1;
    active = Math.max(0, Math.min(shown.length - 1, place));
    const tile = tiles.get(active);
    if (tile) tile.firstChild.tabIndex = 0;
}

/** Moves the focus to a tile, and scrolls just far enough to show all of it. */
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
    if (!tile) return;
    if (pending) remember();
    location.hash = fragment(shown[Number(tile.dataset.place)].key);
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
