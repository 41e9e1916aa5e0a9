'use strict';
// pictures_page_test.js INDEXICAL MODULE CHROMIUM FOLDER PICTURE…
//
// Pictures in the browser, light and dark: no request, contrasts of text, no
// text over another one, and none that is cut at the picture's edge.
const path = require('path');
const {others, problem, launched, shown, checkContrast, keep, end, start} = require('./browser.js');

// Runs in the browser.
function misplaced() {
  const svg = document.documentElement, wide = svg.viewBox.baseVal;
  const texts = [...svg.querySelectorAll('text')].map((node) => [node, node.getBBox()]);
  const found = [];
  texts.forEach(([node, box], i) => {
    const words = [...node.childNodes].filter((child) => child.nodeType === 3)
        .map((child) => child.textContent).join('');
    if (box.x < 0 || box.y < 0 || box.x + box.width > wide.width ||
        box.y + box.height > wide.height)
      found.push('cut: ' + words);
    const cell = node.parentNode.querySelector(':scope > rect');
    if (node.parentNode.matches('g.ix-c') && box.width > cell.getBBox().width)
      found.push('wider than its cell: ' + words);
    for (const [other, its] of texts.slice(i + 1)) {
      const x = Math.min(box.x + box.width, its.x + its.width) - Math.max(box.x, its.x);
      const y = Math.min(box.y + box.height, its.y + its.height) - Math.max(box.y, its.y);
      if (x > 1 && y > 4) found.push('over each other: ' + words + ' and ' + other.textContent);
    }
  });
  return found;
}

async function main() {
  const browser = await launched();
  for (const file of others)
    for (const colorScheme of ['light', 'dark']) {
      const what = path.basename(file) + ', ' + colorScheme;
      const page = await shown(browser, file, {colorScheme});
      await checkContrast(page, what, 3);
      for (const text of (await page.evaluate(misplaced)).slice(0, 3)) problem(what + ': ' + text);
      await keep(page, 'svg-' + path.basename(file, '.svg') + '-' + colorScheme);
      await page.context().close();
    }
  if (others.length < 10) problem('only ' + others.length + ' pictures');
  end(others.length + ' pictures are as they should be');
}

start(main);
