
// The start: what has come is shown at once, the rest as it comes.

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
