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
.question { font-size: 1.1875rem; font-weight: 600; line-height: 1.45; }
.formula { margin: 1.25rem 0; padding: .75rem 1rem; background: var(--tint); border-left: 3px solid var(--mark);
  overflow-x: auto; font-size: 1.125rem; line-height: 2; }
.formula math { margin-right: 1em; }
figure { margin: 1.5rem 0; text-align: center; }
figcaption { font-size: .875rem; color: var(--soft); }
img { max-width: 100%; width: auto; height: auto; }
pre { margin: 1rem 0; font: .8rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.output { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .375rem; }
.code { padding: .75rem 1rem; background: var(--tint); border-radius: .375rem; }
.code code { font: inherit; }
.lesson { margin: 1.25rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
.reading { margin: .25rem 0; font-size: .875rem; color: var(--soft); }
@media (max-width: 700px) {
  pre { font-size: .6875rem; }
  .formula { font-size: .9rem; padding: .5rem .625rem; }
  .code, .output { padding: .5rem; }
}
@media (min-width: 1200px) {
  body { max-width: 68rem; }
}
@media print {
  @page { size: A4; margin: 10mm; }
  :root { --ink: #000; --soft: #444; --paper: #fff; --tint: #f6f6f6; --line: #bbb; }
  html { font-size: 6.8pt; }
  body { max-width: none; padding: 0; line-height: 1.3; }
  section { border: 0; margin: 0; padding: 2mm 0 0; }
  nav ol { columns: 3; }
  p, figure, pre { margin: .5rem 0; }
  pre { font-size: 5.4pt; line-height: 1.2; }
  .formula { line-height: 1.4; padding: .25rem .75rem; }
  .output, .code { padding: .5rem; }
  .output { display: inline-block; vertical-align: top; margin-right: 1rem; }
  figure { display: inline-block; margin: .25rem .75rem .25rem 0; vertical-align: top; }
  figure, .formula, .lesson, .question { break-inside: avoid; }
  .programs { display: grid; grid-template-columns: 1fr 1fr; gap: 4mm; }
  h2 { margin: 0 0 .5rem; }
  h3 { margin: .5rem 0 .25rem; }
  .lesson { margin: .5rem 0; }
  img { max-height: 3.8cm; width: auto; max-width: 8.8cm; }
  h2, h3 { break-after: avoid; }
}
)css";

}  // namespace heed::tour
