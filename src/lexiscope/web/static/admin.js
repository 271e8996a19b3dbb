// Updates the numbers every few seconds while the page is visible.
"use strict";
async function update() {
  if (document.hidden) return;
  const response = await fetch("/admin/status");
  if (!response.ok) return;
  const counts = await response.json();
  for (const element of document.querySelectorAll("[data-count]")) {
    element.textContent = counts[element.dataset.count];
  }
  document.getElementById("bar").value = counts.percent;
}
setInterval(() => update().catch(() => {}), 3000);
