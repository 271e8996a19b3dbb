"""Texts of a page that cover each other, as a browser draws them."""

_OVERLAPS = r"""
least => {
  const hides = part => getComputedStyle(part).overflow !== "visible";
  const clipped = (box, part) => {  // what scrolls out of its container covers nothing
    let {left, right, top, bottom} = box;
    for (; part; part = part.parentElement) {
      if (!hides(part) || part === document.documentElement || part === document.body) continue;
      const outer = part.getBoundingClientRect();
      left = Math.max(left, outer.left); right = Math.min(right, outer.right);
      top = Math.max(top, outer.top); bottom = Math.min(bottom, outer.bottom);
    }
    return {left, right, top, bottom};
  };
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest(".hidden, script, style")) continue;
    if (!parent.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const each of range.getClientRects()) {
      const box = clipped(each, parent);
      if (box.right > box.left && box.bottom > box.top) boxes.push({...box, node});
    }
  }
  boxes.sort((one, other) => one.top - other.top);
  const found = [];
  boxes.forEach((one, k) => {
    for (let n = k + 1; n < boxes.length && boxes[n].top < one.bottom - least; n++) {
      const other = boxes[n];
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - other.top;
      if (one.node !== other.node && across > 1 && down > least) {
        found.push([one.node.textContent, other.node.textContent]);
      }
    }
  });
  return found;
}
"""
_LEAST = 4  # pixels: the line boxes of neighbouring lines may touch, their letters do not


def overlapping_texts(view):
    """Pairs of visible texts that cover each other."""
    return view.evaluate(_OVERLAPS, _LEAST)
