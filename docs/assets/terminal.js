// The colours that mdbench has in a terminal, in the blocks that show what it printed.
const FINDINGS = [
  [/\bMB\d{3} error(?=:)/, "error"],
  [/\bMB\d{3} warning(?=:)/, "warning"],
  [/\bMB\d{3} info(?=:)/, "info"],
  [/(?<=^ *(?:\.\.)? *\| +)\^+$/, "error"],
  [/= help: .*$/, "help"],
];
const DIFF = [
  [/^\+(?!\+\+ ).*$/, "added"],
  [/^-(?!-- ).*$/, "removed"],
];

function paint(line, kinds) {
  for (const [pattern, kind] of kinds) {
    const found = pattern.exec(line);
    if (!found) continue;
    const span = document.createElement("span");
    span.className = `terminal-${kind}`;
    span.textContent = found[0];
    return [line.slice(0, found.index), span, line.slice(found.index + found[0].length)];
  }
  return [line];
}

function paintText(node, kinds) {
  const lines = node.data.split(/(?<=\n)/);
  node.replaceWith(...lines.flatMap((line) => {
    const end = line.endsWith("\n") ? "\n" : "";
    return [...paint(end ? line.slice(0, -1) : line, kinds), end];
  }));
}

for (const code of document.querySelectorAll("pre > code")) {
  const outputs = code.querySelectorAll(".go");
  const shown = outputs.length ? [...outputs] : /^\S+:\d+:\d+ MB\d{3} /.test(code.textContent) ? [code] : [];
  const kinds = /^@@ /m.test(code.textContent) ? DIFF : FINDINGS;
  for (const part of shown) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) paintText(text, kinds);
  }
}
