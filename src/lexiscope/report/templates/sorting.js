// Sorts a grid by a column, highest first; a second click reverses the order.
for (const head of document.querySelectorAll("table.sortable th.sort")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const table = head.closest("table");
    const column = [...head.parentElement.cells].indexOf(head);
    const rises = column === 0 ? head.ariaSort !== "ascending" : head.ariaSort === "descending";
    const value = row => row.cells[column].dataset.value;
    const compare = (one, other) => {
      if (column === 0) return one.cells[0].textContent.localeCompare(other.cells[0].textContent);
      const values = [one, other].map(row => Number.parseFloat(value(row)));
      if (values.some(Number.isNaN)) return rises
        ? Number.isNaN(values[0]) - Number.isNaN(values[1])
        : Number.isNaN(values[1]) - Number.isNaN(values[0]);
      return values[0] - values[1];
    };
    const sorted = rows => rows.sort((one, other) => rises ? compare(one, other) : compare(other, one));
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.ariaSort = rises ? "ascending" : "descending";
    for (const body of table.tBodies) {
      body.append(...sorted([...body.rows].filter(row => !row.classList.contains("group"))));
    }
  });
}
// A link to a folded section opens it.
const unfold = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") target.open = true;
};
addEventListener("hashchange", unfold);
unfold();
