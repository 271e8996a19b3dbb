// Draws each chart when it is visible: those in folded sections when they are opened.
const narrow = element => {
  const width = element.clientWidth;
  if (width >= 560) return {};
  return {axis: {labelLimit: width - 30, titleLimit: width - 50}, axisQuantitative: {tickCount: 4},
    legend: {columns: 1, labelLimit: width - 40}};
};
const draw = element => {
  element.dataset.started = "yes";
  const spec = JSON.parse(document.getElementById(element.dataset.chart).textContent);
  for (const [part, settings] of Object.entries(narrow(element))) {
    Object.assign(spec.config[part], settings);
  }
  const actions = {export: true, source: false, compiled: false, editor: false};
  return vegaEmbed(element, spec, {actions, renderer: "svg", ast: true, loader: {http: {}},
    downloadFileName: element.dataset.name})
    .then(() => {
      element.dataset.drawn = "yes";
      element.querySelector("summary")?.setAttribute("aria-label", "Save this chart");
    })
    .catch(problem => { element.textContent = "This chart could not be drawn: " + problem; });
};
const waiting = part => [...part.querySelectorAll("[data-chart]:not([data-started])")]
  .filter(element => !element.closest("details:not([open])"));
document.addEventListener("toggle", event => { waiting(event.target).forEach(draw); }, true);
Promise.all(waiting(document).map(draw))
  .then(() => { document.documentElement.dataset.drawn = "yes"; });
