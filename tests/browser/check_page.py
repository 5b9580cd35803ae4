# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Opens the tour's page in a browser, wide and on a phone, light and dark, and says what is wrong with it.

usage: check_page.py CHROMIUM HEED FOLDER
Screenshots are left in FOLDER. Then faults are planted in the page: each must be found.
"""

import base64
import pathlib
import subprocess
import sys
import tempfile

from devtools import Browser

VIEWS = {
    "light": {"width": 1000, "height": 900, "scheme": "light"},
    "dark": {"width": 1000, "height": 900, "scheme": "dark"},
    "phone": {"width": 360, "height": 780, "scheme": "light"},
    "wide": {"width": 1600, "height": 900, "scheme": "light"},
}

EXPERIMENTS = 13
MOST_PAGES = 12

# What the page looks like from inside.
MEASURE = """(() => {
  const luminance = colour => {
    const [r, g, b] = colour.match(/[0-9.]+/g).map(Number).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(document.body);
  return {
    images: [...document.images].map(i => ({alt: i.alt, loaded: i.complete && i.naturalWidth > 0,
      width: i.clientWidth, height: i.clientHeight, ratio: i.naturalWidth / i.naturalHeight})),
    formulas: [...document.querySelectorAll('math')].map(m => m.getBoundingClientRect().height),
    sections: document.querySelectorAll('section').length,
    dead_links: [...document.querySelectorAll('a[href^="#"]')]
      .filter(a => !document.querySelector(a.getAttribute('href'))).length,
    cut: [...document.querySelectorAll('body *')].filter(e => e.namespaceURI.endsWith('xhtml') && e.clientWidth > 0 &&
        (e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth + 1))
      .map(e => e.tagName + ' ' + e.textContent.slice(0, 40)),
    page_width: document.documentElement.scrollWidth,
    ink: luminance(style.color), paper: luminance(style.backgroundColor),
  };
})()"""


def complaints(events):
    """What the page said in its console, and what it asked for."""
    for event in events:
        parameters = event["params"]
        if event["method"] == "Runtime.exceptionThrown":
            yield "an exception: " + parameters["exceptionDetails"]["text"]
        elif event["method"] == "Runtime.consoleAPICalled":
            yield "console." + parameters["type"]
        elif event["method"] == "Log.entryAdded":
            yield "a message: " + parameters["entry"]["text"]
        elif event["method"] == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if not url.startswith(("data:", "file:")) or (url.startswith("file:") and parameters["type"] != "Document"):
                yield "a request: " + url[:80]


def problems(browser, page, view):
    """What is wrong with the page in this view."""
    browser.call("Emulation.setDeviceMetricsOverride", width=view["width"], height=view["height"], deviceScaleFactor=1,
                 mobile=view["width"] < 500)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": view["scheme"]}])
    browser.open(page.resolve().as_uri())
    found = list(complaints(browser.events))
    seen = browser.evaluate(MEASURE)
    if seen["sections"] != EXPERIMENTS:
        found.append(f"{seen['sections']} experiments")
    found += [f"cut off: {text}" for text in seen["cut"]]
    if len(seen["images"]) < EXPERIMENTS:
        found.append(f"{len(seen['images'])} pictures")
    for number, image in enumerate(seen["images"]):
        if not image["loaded"] or image["width"] < 100 or image["height"] < 50:
            found.append(f"picture {number} has no size: {image}")
        elif abs(image["width"] / image["height"] / image["ratio"] - 1) > 0.05:
            found.append(f"picture {number} is squeezed: {image}")
        if len(image["alt"]) < 20:
            found.append(f"picture {number} has no text alternative")
    if len(seen["formulas"]) < EXPERIMENTS or min(seen["formulas"]) < 8:
        found.append(f"formulas of heights {seen['formulas']}")
    if seen["dead_links"]:
        found.append("links that lead nowhere")
    if seen["page_width"] > view["width"]:
        found.append(f"{seen['page_width']} wide on a screen of {view['width']}")
    lighter, darker = max(seen["ink"], seen["paper"]), min(seen["ink"], seen["paper"])
    if (lighter + 0.05) / (darker + 0.05) < 7:
        found.append("text without contrast")
    if (seen["paper"] < seen["ink"]) != (view["scheme"] == "dark"):
        found.append(f"the wrong background for {view['scheme']}")
    return found


def chart_width(browser):
    """Of the first picture, which is a chart."""
    return browser.evaluate("document.images[0].clientWidth")


def printed_pages(browser, file):
    """How many A4 pages the page takes on paper."""
    file.write_bytes(base64.b64decode(browser.call("Page.printToPDF", preferCSSPageSize=True)["data"]))
    said = subprocess.run(["pdfinfo", str(file)], check=True, capture_output=True, text=True).stdout
    facts = dict(line.split(":", 1) for line in said.splitlines() if ":" in line)
    assert "A4" in facts["Page size"], facts["Page size"]
    return int(facts["Pages"])


def screenshot(browser):
    return base64.b64decode(browser.call("Page.captureScreenshot", format="png")["data"])


# A fault each, and a part of what must be said about it.
FAULTS = {
    "console.error": "<script>console.error('x')</script>",
    "an exception": "<script>throw new Error('x')</script>",
    "a request: http": "<img src='http://127.0.0.1:9/x.png' alt='twenty letters at the least' width=100 height=100>",
    "has no size": "<img src='data:,' alt='twenty letters at the least'>",
    "has no text alternative": "<script>document.images[3].removeAttribute('alt')</script>",
    "is squeezed": "<script>document.images[3].style.height = '900px'</script>",
    "wide on a screen of": "<div style='width: 2000px'>x</div>",
    "cut off: ": "<div style='width: 100px; overflow-x: auto'><div style='width: 500px'>x</div></div>",
    "text without contrast": "<style>body { color: #999 !important; background: #aaa !important }</style>",
    "links that lead nowhere": "<a href='#nothing'>x</a>",
    "the wrong background": "<style>body { color: #ddd; background: #111 }</style>",
}


def main(chromium, heed, folder):
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    subprocess.run([heed, "tour", "--out", folder], check=True, stdout=subprocess.DEVNULL)
    page = out / "index.html"
    failed = 0
    with tempfile.TemporaryDirectory() as profile, Browser(chromium, profile) as browser:
        pictures, widths = {}, {}
        for name, view in VIEWS.items():
            for problem in problems(browser, page, view):
                failed += 1
                print(f"{name}: {problem}")
            pictures[name] = screenshot(browser)
            (out / f"{name}.png").write_bytes(pictures[name])
            widths[name] = chart_width(browser)
        if pictures["light"] == pictures["dark"]:
            failed += 1
            print("light and dark look the same")
        if not widths["phone"] < widths["light"] < widths["wide"]:
            failed += 1
            print(f"charts do not grow with the screen: {widths}")
        browser.call("Emulation.clearDeviceMetricsOverride")
        browser.open(page.resolve().as_uri())
        pages = printed_pages(browser, out / "printed.pdf")
        if not 1 < pages <= MOST_PAGES:
            failed += 1
            print(f"{pages} pages are printed, expected at most {MOST_PAGES}")
        for expected, fault in FAULTS.items():
            broken = out / "broken.html"
            broken.write_text(page.read_text().replace("</body>", fault + "</body>"))
            found = problems(browser, broken, VIEWS["light"])
            if not any(expected in problem for problem in found):
                failed += 1
                print(f"planted '{expected}', found {found}")
            broken.unlink()
    print(f"{failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
