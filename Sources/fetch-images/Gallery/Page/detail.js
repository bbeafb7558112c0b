
// One record with all its members: the one that the address names.

const detail = byID("detail");
/** The record in view, and its position among those shown. */
let current = null, place = 0;

/** Shows the search and the record that the address names. */
function follow() {
    const isOther = takeSearch();
    if (followRecord()) return;
    if (detail.open) close(isOther ? 0 : shown.indexOf(current));
}

/** Shows the record that the address names; returns whether there is one. */
function followRecord() {
    const record = records[indexByKey.get(addressed().key)];
    if (record) open(record);
    return record !== undefined;
}

function open(record) {
    current = record;
    if (!shown.includes(record)) {
        query.value = field = "";
        search();
        history.replaceState(null, "", address(record.key));
    }
    place = shown.indexOf(record);
    showPicture(record, mainPicture(record));
    showStrip(record, mainPicture(record));
    byID("name").textContent = record.label;
    byID("place").textContent = `${(place + 1).toLocaleString("en")} of ${shown.length.toLocaleString("en")}`;
    byID("previous").disabled = place === 0;
    byID("next").disabled = place === shown.length - 1;
    byID("members").replaceChildren(...facts(record));
    entitle();
    if (!detail.open) detail.showModal();
    detail.scrollTop = document.querySelector(".facts").scrollTop = 0;
    byID("name").focus({ preventScroll: true });
}

function go(by) {
    const record = shown[place + by];
    if (record) location.replace("#" + fragment(record.key));
}

byID("previous").addEventListener("click", () => go(-1));
byID("next").addEventListener("click", () => go(1));
byID("close").addEventListener("click", () => isZoomed() ? zoom(false) : close());
detail.addEventListener("click", event => { if (event.target === detail) close(); });
detail.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || isZoomed()) return;
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
});
// If Escape closes the dialog, the browser's event follows a frame later.
detail.addEventListener("close", () => { if (!detail.open) close(); });
addEventListener("hashchange", follow);

/** Closes the record and moves the focus to a tile, by default that record's. */
function close(tile = shown.indexOf(current)) {
    if (detail.open) detail.close();
    if (!current) return;
    current = null;
    if (addressed().key) history.pushState(null, "", address(""));
    entitle();
    zoom(false);
    pane.replaceChildren();
    strip.replaceChildren();
    focusTile(tile);
}

// ---- The picture: a click enlarges it to fit the window, or to its own size if that is larger

const pane = byID("picture"), strip = byID("strip");
const isZoomed = () => detail.classList.contains("is-zoomed");

function showPicture(record, index) {
    zoom(false);
    const image = pictureAt(record, index, record.label);
    pane.replaceChildren(image);
    if (!image.source) return;
    const button = make("button", "zoom", image);
    button.type = "button";
    button.title = "Enlarge";
    button.setAttribute("aria-label", `Enlarge ${record.label}`);
    button.addEventListener("click", event => { if (image.isConnected) zoom(!isZoomed(), event); });
    pane.replaceChildren(button);
    if (image.file.status === "placeholder") {
        pane.append(make("span", "badge", `Placeholder: ${reason("failed", image.file.error)}`));
    }
    show(image);
    enlarge(image);
}

/** The pictures of a record that has several, in a row: a click shows one large. */
function showStrip(record, index) {
    const files = picturesOf(record.member);
    strip.hidden = files.length < 2;
    detail.classList.toggle("has-strip", !strip.hidden);
    if (strip.hidden) return strip.replaceChildren();
    strip.replaceChildren(...files.map((file, i) => {
        const image = picture(record, file, ""), button = make("button", "", image);
        button.type = "button";
        button.setAttribute("aria-label", `Picture ${i + 1} of ${files.length}`);
        button.setAttribute("aria-pressed", i === index);
        button.addEventListener("click", () => {
            for (const other of strip.children) other.setAttribute("aria-pressed", other === button);
            showPicture(record, i);
        });
        if (image.source) waiting.push(image);
        return button;
    }));
    requestAnimationFrame(fill);
}

/** - event: the click; the point under it moves to the middle. */
function zoom(on, event) {
    if (on === isZoomed()) return;
    const image = pane.querySelector("img"), fitted = image?.getBoundingClientRect();
    detail.classList.toggle("is-zoomed", on);
    if (!image) return;
    image.parentNode.title = on ? "Reduce" : "Enlarge";
    if (!on) {
        image.style.width = "";
        return enlarge(image);
    }
    const width = image.naturalWidth || 300, height = image.naturalHeight || 300;
    const room = Math.min(pane.clientWidth / width, pane.clientHeight / height), before = fitted.width / width;
    // On a phone there is hardly any more room.
    const large = room > 1.2 * before ? room : 1.5 * before;
    const isDrawing = image.file.type === "image/svg+xml";
    const times = Math.min(Math.max(1, large), isDrawing ? Infinity : 8);
    image.style.width = `${Math.round(width * times)}px`;
    // A click from the keyboard has no coordinates.
    const isPoint = event?.detail > 0, part = (value, start, length) => isPoint ? (value - start) / length : .5;
    pane.scrollLeft = part(event?.clientX, fitted.left, fitted.width) * pane.scrollWidth - pane.clientWidth / 2;
    pane.scrollTop = part(event?.clientY, fitted.top, fitted.height) * pane.scrollHeight - pane.clientHeight / 2;
    image.parentNode.focus({ preventScroll: true });
}

detail.addEventListener("keydown", event => {
    if (event.key === "Escape" && isZoomed()) {
        event.preventDefault();
        zoom(false);
    } else if (event.key === "Enter" && event.target === byID("name")) {
        event.preventDefault();
        zoom(true);
    }
});
// The back gesture of a phone.
detail.addEventListener("cancel", event => {
    if (!isZoomed()) return;
    event.preventDefault();
    zoom(false);
});
