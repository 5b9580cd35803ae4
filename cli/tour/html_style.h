// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// How the page looks: readable on a phone, in the dark and on paper.
#pragma once

#include <string_view>

namespace heed::tour {

inline constexpr std::string_view kStyle = R"css(
:root { --ink: #1c1c1e; --soft: #5c5c66; --paper: #ffffff; --tint: #f3f3f6; --line: #d8d8e0; --mark: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dddddd; --soft: #a3a3ad; --paper: #17171a; --tint: #222227; --line: #3a3a42; --mark: #ff8f85; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 54rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif; }
h1 { font-size: 2rem; line-height: 1.2; margin: 1rem 0; }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 1rem; }
h3 { font-size: .8125rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 1.75rem 0 .5rem; }
section { margin-top: 3rem; padding-top: 2rem; border-top: 1px solid var(--line); }
nav ol { columns: 2 18rem; padding-left: 1.75rem; margin: 1.5rem 0 0; }
nav li { padding: .2rem 0; break-inside: avoid; }
a { color: inherit; text-decoration-color: var(--mark); text-underline-offset: .2em; }
a:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; }
.formula { margin: 1.25rem 0; padding: .75rem 1rem; background: var(--tint); border-left: 3px solid var(--mark);
  overflow-x: auto; font-size: 1.125rem; line-height: 2; }
.formula math { margin-right: 1em; }
figure { margin: 1.5rem 0; text-align: center; overflow-x: auto; }
img { max-width: 100%; height: auto; }
pre, table { font: .875rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { margin: 1rem 0; overflow-x: auto; }
.code { font-size: .8rem; padding: .75rem 1rem; background: var(--tint); border-radius: .375rem; }
.code code { font: inherit; }
.numbers { display: inline-block; vertical-align: top; max-width: 100%; margin: .5rem 0; padding-right: 2rem; overflow-x: auto; }
table { border-collapse: collapse; }
.numbers p { margin: 0 0 .25rem; font-size: .875rem; color: var(--soft); }
td, th { padding: .1rem .75rem .1rem 0; text-align: right; font-weight: inherit; white-space: nowrap; }
th[scope=row] { text-align: left; }
th { color: var(--soft); }
.lesson { margin: 1.25rem 0; padding-left: 1rem; border-left: 3px solid var(--line); font-style: italic; }
@media print {
  :root { --ink: #000; --soft: #444; --paper: #fff; --tint: #f6f6f6; --line: #bbb; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  pre, .numbers, .formula { overflow: visible; white-space: pre-wrap; }
  section { break-before: page; border: 0; margin: 0; padding: 0; }
  figure, table, .formula, .lesson { break-inside: avoid; }
  img { max-height: 9cm; width: auto; }
  h2, h3 { break-after: avoid; }
}
)css";

}  // namespace heed::tour
