'use strict';
// passes_page_test.js INDEXICAL MODULE CHROMIUM FOLDER
//
// The page of a chain of passes: the one that differs is open, both modules
// stand side by side, and the instructions of the difference are marked in them.
const fs = require('fs');
const path = require('path');
const {folder, problem, run, same, launched, shown, checkContrast, checkWidth, keep, end, start} = require('./browser.js');

const before = `HloModule m

ENTRY e {
  x = f32[4,6] parameter(0)
  unused = f32[4,6] negate(x)
  t = f32[6,4] transpose(x), dimensions={1,0}
  ROOT r = f32[6,4] reverse(t), dimensions={0}
}
`;
const turned = before.replace('reverse(t), dimensions={0}', 'reverse(t), dimensions={1}');
const renamed = turned.replace(/\br\b/g, 'result');

function chain() {
  const dumps = path.join(folder, 'dumps');
  fs.mkdirSync(dumps);
  [['0001', 'one', 'turn', before], ['0002', 'turn', 'rename', turned],
   ['0003', 'rename', 'last', renamed], ['0004', 'last', 'none', renamed]]
      .forEach(([number, after, next, text]) => fs.writeFileSync(path.join(dumps,
          'module_0001.m.' + number + '.p.after_' + after + '.before_' + next + '.txt'), text));
  return dumps;
}

const texts = (page, selector) => page.$$eval(selector, (all) => all.map((e) => e.textContent));

async function checkPasses(page) {
  same('chains', await texts(page, 'section > h2'), ['module_0001.m']);
  same('verdicts', await texts(page, '.passes .verdict'), ['different', 'equal', 'equal']);
  same('what is open', await page.$$eval('details', (all) => all.map((each) => each.open)), [true]);
  same('the pass', await page.textContent('details summary'), 'turn of p: different');
}

// Both modules, line by line; what leads to the element is marked.
async function checkSides(page) {
  const sides = await page.$$('.sides .lines');
  same('sides', sides.length, 2);
  for (const [side, text] of [[sides[0], before], [sides[1], turned]]) {
    same('lines', await side.$$eval('b', (all) => all.map((each) => Number(each.textContent))),
         text.trimEnd().split('\n').map((_, i) => i + 1));
    same('marks', await side.$$eval('mark', (all) => all.map((each) => each.textContent.trim())),
         text.split('\n').filter((line) => /^ +(x|t|ROOT r) =/.test(line)).map((line) => line.trim()));
  }
  const [left, right] = await Promise.all(sides.map((side) => side.boundingBox()));
  if (left.y !== right.y || left.x + left.width > right.x)
    problem('the modules do not stand side by side');
}

// A name leads to its line.
async function checkLinks(page) {
  const links = await page.$$('details p a');
  same('links', links.length, 6);
  for (const link of links) {
    const [name, line] = (await link.textContent()).split(' at line ');
    await link.click();
    const target = await page.$((await link.getAttribute('href')));
    if (!target) {
      problem('no line behind ' + name);
      continue;
    }
    same('line of ' + name, await target.$eval('b', (b) => b.textContent), line);
    if (!(await target.textContent()).includes(name + ' = '))
      problem('the line of ' + name + ' is another one');
    if (!await target.isVisible()) problem('the line of ' + name + ' is not seen');
  }
}

async function main() {
  const file = path.join(folder, 'passes.html');
  try {
    run('passes', chain(), '--format=html', '-o', file);
    problem('a difference ends with status 3, not 0');
  } catch (ended) {
    same('status', ended.status, 3);
  }
  const browser = await launched();
  for (const colorScheme of ['light', 'dark'])
    for (const [name, width] of [['wide', 1280], ['narrow', 420]]) {
      const what = 'passes-' + name + '-' + colorScheme;
      const page = await shown(browser, file, {colorScheme, viewport: {width, height: 900}});
      if (name === 'wide') {
        await checkPasses(page);
        await checkSides(page);
        await checkLinks(page);
      }
      await checkContrast(page, what, 20);
      await checkWidth(page, what);
      await keep(page, what);
    }
  end('the page of passes is as it should be');
}

start(main);
