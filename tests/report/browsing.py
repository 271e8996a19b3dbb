"""Visits to a page in a browser."""


def visit(browser, path, **settings):
    seen = {"dialogs": [], "requests": [], "errors": []}
    view = browser.new_page(**settings)
    view.on("dialog", lambda dialog: (seen["dialogs"].append(dialog.message), dialog.dismiss()))
    view.on("request", lambda request: seen["requests"].append(request.url))
    view.on("pageerror", lambda problem: seen["errors"].append(str(problem)))
    view.on(
        "console",
        lambda line: seen["errors"].append(line.text) if line.type == "error" else None,
    )
    view.goto(path.as_uri())
    view.wait_for_selector("html[data-drawn=yes]", state="attached")
    return view, seen


def unfold(view):
    """Open everything that is folded, and wait until every chart is drawn."""
    charts = view.locator("[data-chart]").count()
    assert charts > 0
    view.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    view.wait_for_function(
        f"document.querySelectorAll('[data-chart][data-drawn=yes] svg.marks').length === {charts}"
    )
