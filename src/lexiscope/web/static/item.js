// Keys of an item: 1-9 choose, Enter sends, Backspace goes back. The page works without it.
"use strict";
const form = document.getElementById("item");
const options = [...form.querySelectorAll("input[type=radio]")];
let sent = false;

function choose(number) {
  const option = options[number - 1];
  if (option) {
    option.checked = true;
    option.focus();
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.repeat && (event.key === "Backspace" || event.key === "Enter")) {
    // A key that is held down acts on one item only.
  } else if (event.key >= "1" && event.key <= "9" && event.key.length === 1) {
    choose(Number(event.key));
  } else if (event.key === "Backspace") {
    const back = document.getElementById("back");
    if (back) back.click();
  } else if (event.key === "Enter" && !event.target.closest("a, button")) {
    form.requestSubmit();
  } else {
    return;
  }
  event.preventDefault();
});

form.addEventListener("submit", (event) => {
  if (sent) event.preventDefault();
  sent = true;
});
window.addEventListener("pageshow", () => { sent = false; });
