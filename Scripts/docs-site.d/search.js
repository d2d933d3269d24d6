// Searches the text of the pages in the browser. The index is loaded when the field gets the focus; it is a script,
// not JSON, so that it also loads from a folder without a server.
"use strict";

const shownResults = 25;
const excerptLength = 180;
const root = document.currentScript.dataset.root;
const field = document.getElementById("query");
const results = document.getElementById("results");
let loading = null;

function loadIndex() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + "search-index.js";
    script.onload = () => resolve(window.searchIndex);
    script.onerror = () => reject(new Error("search-index.js is missing"));
    document.head.append(script);
  });
  return loading;
}

/** How well a section fits: 0 where a word is missing; headings count more than text. */
function score(section, words) {
  let sum = 0;
  for (const word of words) {
    const inHeading = section.heading.toLowerCase().includes(word);
    const inTitle = section.title.toLowerCase().includes(word);
    const inText = section.lower.includes(word);
    if (!inHeading && !inTitle && !inText) return 0;
    sum += (inHeading ? 10 : 0) + (inTitle ? 5 : 0) + (inText ? 1 : 0);
  }
  return sum;
}

/** Text around the first word that occurs in it, with all words marked; made of nodes, so nothing is HTML. */
function excerpt(section, words) {
  const first = Math.min(...words.map((word) => section.lower.indexOf(word)).filter((at) => at >= 0), Infinity);
  const before = Number.isFinite(first) ? first - excerptLength / 3 : 0;
  const begin = before > 0 ? section.text.indexOf(" ", before) + 1 : 0;
  const text = section.text.slice(begin, begin + excerptLength);
  const paragraph = document.createElement("p");
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  for (const part of text.split(new RegExp(`(${escaped.join("|")})`, "i"))) {
    if (words.includes(part.toLowerCase())) {
      const mark = document.createElement("mark");
      mark.textContent = part;
      paragraph.append(mark);
    } else {
      paragraph.append(part);
    }
  }
  return paragraph;
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  results.hidden = words.length === 0;
  if (results.hidden) return;
  let sections;
  try {
    sections = await loadIndex();
  } catch (problem) {
    results.textContent = problem.message;
    return;
  }
  const found = [];
  for (const section of sections) {
    section.lower ??= section.text.toLowerCase();
    const value = score(section, words);
    if (value > 0) found.push([value, section]);
  }
  // Sorting is stable: equal ones stay in the order of the pages.
  found.sort((a, b) => b[0] - a[0]);
  const list = document.createElement("ol");
  for (const [, section] of found.slice(0, shownResults)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = root + section.address;
    link.textContent = section.heading === section.title ? section.title : `${section.title}: ${section.heading}`;
    item.append(link, excerpt(section, words));
    list.append(item);
  }
  const count = document.createElement("p");
  count.textContent = found.length > shownResults
    ? `${found.length} sections, the best ${shownResults} of them`
    : `${found.length} ${found.length === 1 ? "section" : "sections"}`;
  results.replaceChildren(count, list);
}

field.addEventListener("focus", () => loadIndex().catch(() => {}));
field.addEventListener("input", search);
