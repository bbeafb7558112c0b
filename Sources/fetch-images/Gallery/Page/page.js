
// The start: shows the records that have loaded, and the others as they load.

let isLoaded = document.readyState !== "loading";
settings.title = document.title;
byID("search").hidden = false;
takeSearch();

function load() {
    if (takeRecords(isLoaded)) find();
    tell();
    if (step > 0 && hasCredits !== showsCredits) layOut();
    else if (step > 0) stretch();
    if (!detail.open) followRecord();
}
const timer = setInterval(load, 150);
addEventListener("DOMContentLoaded", () => {
    clearInterval(timer);
    isLoaded = true;
    load();
});
load();
