// What is long on a narrow screen is folded there, and open elsewhere and without scripts.
const narrowScreen = matchMedia("(max-width: 40rem)");
const foldNarrow = () => {
  for (const part of document.querySelectorAll("details.narrow")) part.open = !narrowScreen.matches;
};
narrowScreen.addEventListener("change", foldNarrow);
foldNarrow();
