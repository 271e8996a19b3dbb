// Sends the token after "#" in the link, and removes it from the address.
"use strict";
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname);
  const form = document.getElementById("login");
  form.elements.token.value = token;
  form.submit();
}
