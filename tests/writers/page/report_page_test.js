'use strict';
// report_page_test.js INDEXICAL MODULE CHROMIUM FOLDER
//
// The page of a report against the JSON of the same report: its rows, sorted,
// searched and grouped; the elements that it marks against `dump --element`; a
// warp and shared memory against `draw`; the footprint of a block against
// `count`; by keyboard alone; with 100,000 rows.
const fs = require('fs');
const path = require('path');
const {module_, folder, problem, run, same, random, launched, opened, names, checkContrast,
       checkWidth, keep, end, start} = require('./browser.js');

// By what is certain, then by what is possible.
const sorted = (kernels, key, sign) => kernels.map((k, i) => [k, i])
    .sort(([a, i], [b, j]) => {
      const least = key.replace('_bytes', '_least_bytes');
      return ((a[least] - b[least]) || (a[key] - b[key])) * sign || i - j;
    })
    .map(([k]) => k.instruction);

// Shows a kernel with all of its reads and writes open; at first the worst is.
async function choose(page, name) {
  await page.click('#table td.name a:text-is("' + name + '")');
  same('open accesses', await page.$$eval('#panel details.access', (all) =>
      all.filter((each) => each.open).length), 1);
  await page.$$eval('#panel details.access', (all) => all.forEach((each) => { each.open = true; }));
}

async function checkTable(page, report) {
  same('rows', await names(page), sorted(report.kernels, 'wasted_bytes', -1));
  await page.click('[data-key=moved_bytes] button');
  same('by moved', await names(page), sorted(report.kernels, 'moved_bytes', -1));
  await page.click('[data-key=moved_bytes] button');
  same('by moved, rising', await names(page), sorted(report.kernels, 'moved_bytes', 1));
  same('aria-sort', await page.getAttribute('[data-key=moved_bytes]', 'aria-sort'),
       'ascending');
  await page.click('[data-key=wasted_bytes] button');
  await page.fill('#search', 'MODEL.py slice');
  same('search', await names(page), ['cut']);
  await page.fill('#search', '');
  const least = report.kernels[2].wasted_least_bytes;
  await page.fill('#least', String(least));
  same('threshold', (await names(page)).length,
       report.kernels.filter((k) => k.wasted_least_bytes >= least).length);
  await page.selectOption('#figure', 'moved_bytes');
  same('threshold of what is moved', (await names(page)).length,
       report.kernels.filter((k) => k.moved_least_bytes >= least).length);
  await page.selectOption('#figure', 'wasted_bytes');
  await page.fill('#least', '');
  const hostile = report.kernels.find((k) => k.instruction === 'k').op_name;
  const cells = await page.$$eval('#table td', (all) => all.map((td) => td.textContent));
  if (!cells.includes(hostile)) problem('the op_name is not text');
  same('images', await page.$$eval('img', (all) => all.length), 0);
}

async function checkGroups(page, report) {
  await page.selectOption('#group', 'pattern');
  const found = await page.$$eval('#table tbody tr[data-row]', (rows) => rows.map(
      (row) => [row.children[0].textContent, row.children[1].title, row.children[4].textContent]));
  const wanted = new Map();
  for (const kernel of report.kernels)
    for (const access of [...kernel.reads, ...kernel.writes]) {
      const name = access.pattern || '';
      const [wasted, count] = wanted.get(name) || [0, 0];
      const own = access.wasted_bytes || 0;
      wanted.set(name, [wasted + kernel.trips * (Array.isArray(own) ? own[1] : own), count + 1]);
    }
  same('groups', found.map((row) => row.join('|')).sort(),
       [...wanted].map(([name, [wasted, count]]) => [name, wasted, count].join('|')).sort());
  await page.selectOption('#group', '');
}

// Marked cells, and what the page computes, against the command.
async function checkElements(page, report, count) {
  let asked = 0, marked = 0;
  const reads = report.kernels.flatMap((kernel) => kernel.reads
      .filter((read) => read.map && !read.map.includes('rt0')).map((read) => [kernel, read]));
  while (asked < count) {
    const [kernel, read] = reads[random(reads.length)];
    const shape = /\[(.*?)\]/.exec(kernel.shapes[0])[1].split(',').map(Number);
    const index = shape.map((n) => random(n));
    const found = await page.evaluate(([texts, index]) => {
      const maps = texts.map((text) => window.indexical.state.data.maps[text]);
      if (maps.some((map) => !map || map.dims.length !== index.length))
        return null;
      const all = maps.flatMap((map) =>
          [...window.indexical.elementsOf(map, index).found.values()]);
      return [...new Set(all.map(String))].sort();
    }, [read.map.split('; '), index]);
    ++asked;
    if (!found) { problem('no tree of ' + read.map); continue; }
    const answer = JSON.parse(run('dump', module_, '--instruction=' + kernel.instruction,
        '--element=' + index.join(','), '--format=json'));
    const same_ = report.kernels.find((k) => k === kernel).reads
        .filter((other) => other.operand === read.operand);
    const operand = answer.operands.find((each) => each.operand === read.operand);
    // Several reads of an operand are each a part of the answer.
    const wanted = operand.elements.map(String).sort();
    const isPart = found.every((element) => wanted.includes(element));
    if (same_.length === 1 ? found.join(';') !== wanted.join(';') : !isPart)
      problem('element ' + index + ' of ' + kernel.instruction + ': ' + found +
              ' not ' + wanted);
    if (asked % 8 === 0) {
      marked += await checkMarked(page, kernel, read, index, found);
    }
  }
  if (marked < count / 40) problem('only ' + marked + ' pictures were looked at');
}

async function checkMarked(page, kernel, read, index, wanted) {
  await choose(page, kernel.instruction);
  const at = [...kernel.reads, ...kernel.writes].filter((a) => a.map).indexOf(read);
  const picture = page.locator('.picture').nth(at);
  for (let k = 0; k < index.length; ++k) {
    await picture.locator('input').nth(k).fill(String(index[k]));
    await picture.locator('input').nth(k).dispatchEvent('change');
  }
  const marked = await picture.locator('td.read').evaluateAll(
      (cells) => cells.map((cell) => cell.title.replace(/[() ]|: read/g, '')).sort());
  const sides = /\[(.*?)\]/.exec(read.shape)[1].split(',').map(Number);
  if (sides.length > 2 || sides.some((n) => n > 24)) return 0;
  same('marked for ' + index + ' of ' + kernel.instruction, marked, wanted);
  const asked = await picture.locator('td.asked').count();
  if (asked !== 1) problem(asked + ' elements are asked');
  return 1;
}

// Bytes and lanes of a warp, against the picture that the command draws.
async function checkWarps(page, report) {
  for (const name of ['k', 'turned', 'cut', 'wide', 'tiled', 'narrow'])
    for (const warp of [0, 1]) {
      const drawn = [];
      const svg = run('draw', module_, '--instruction=' + name, '--warp=' + warp);
      for (const match of svg.matchAll(/<title>byte (\d+): lanes? ([\d, ]+), element/g))
        drawn.push(match[1] + ':' + match[2]);
      const found = await page.evaluate(([name, warp]) => {
        const {lanesOf, state} = window.indexical;
        const kernel = state.kernels.find((each) => each.instruction === name);
        return [...kernel.reads, ...kernel.writes].flatMap((access) => {
          const answer = lanesOf(kernel, access, warp);
          return answer ? [...answer.read].map(([unit, lanes]) =>
              unit * answer.bytes + ':' + lanes.join(', ')) : [];
        });
      }, [name, warp]);
      same('warp ' + warp + ' of ' + name, found.sort(), drawn.sort());
      if (warp === 0 && found.length < 20) problem(found.length + ' lanes of ' + name);
    }
  const text = await page.textContent('#notices');
  if (!text.includes('no kernels yet: the module is not scheduled'))
    problem('the page does not say that nothing is scheduled: ' + text);
  // The picture begins with a warp that wastes no less than another.
  const worse = await page.evaluate(() => {
    const {lanesOf, worstWarp, state} = window.indexical, sector = state.kernels[0].on.sector;
    const wasted = (kernel, access, warp) => {
      const answer = lanesOf(kernel, access, warp);
      if (!answer) return -1;
      const sectors = new Set([...answer.read.keys()].map(
          (unit) => Math.floor(unit * answer.bytes / sector)));
      return sectors.size - Math.ceil(answer.read.size * answer.bytes / sector);
    };
    return state.kernels.flatMap((kernel) => [...kernel.reads, ...kernel.writes].filter(
        (access) => access.map && lanesOf(kernel, access, worstWarp(kernel, access)) &&
            [0, 1, 2, 3, 4, 5, 6, 7].some((warp) => wasted(kernel, access, warp) >
                wasted(kernel, access, worstWarp(kernel, access)))).map(
        () => kernel.instruction));
  });
  same('pictures that begin with a better warp', worse, []);
  await page.click('#table td.name a:text-is("k")');
  const around = await page.$$eval('#panel li button', (all) => all.map((b) => b.textContent));
  same('neighbours of k', around, ['turned', 'shaped']);
  const cells = await page.$$eval('.warp td.lane', (all) => all.length);
  if (cells < 32) problem(cells + ' cells of lanes');
}

// `12.2 ms` of microseconds; fields of the page say likewise.
function unitOf(time) {
  for (const [unit, of] of [['s', 1e6], ['ms', 1e3], ['µs', 1], ['ns', 1e-3]])
    if (time >= 0.99995 * of || unit === 'ns')
      return String(Number((time / of).toFixed(time / of < 9.995 ? 2 : 1))) + ' ' + unit;
  return '';
}

// The bar, and the rows that take longest, against the report.
async function checkOverview(page, told) {
  const uses = Object.entries(told.time_uses).filter(([, use]) => use.us > 0);
  const whole = uses.reduce((sum, [, use]) => sum + use.us, 0);
  const parts = await page.$$eval('.uses:not(.work) button', (all) => all.map(
      (each) => [each.dataset.filter, Number(each.style.flexGrow)]));
  same('uses', parts.map(([name]) => name).sort(), uses.map(([name]) => name).sort());
  for (const [name, part] of parts)
    if (Math.abs(part - told.time_uses[name].us / whole) > 0.001)
      problem('the part of ' + name + ' is ' + part);
  // What to change first, and its words; a click opens it, at the top of the page.
  const first_ = [...told.kernels].map((each, i) => [each, i]).sort(([a, i], [b, j]) =>
      (b.avoidable_us || 0) - (a.avoidable_us || 0) ||
      b.predicted_us * b.trips - a.predicted_us * a.trips || i - j)[0][0];
  const item = page.locator('.largest li').first();
  same('what to change first', await item.locator('a').textContent(), first_.instruction);
  if (!(await item.textContent()).includes(first_.advice.replace(/`/g, ''))) problem('the row does not say ' + first_.advice);
  await item.locator('a').click();
  same('opened', await page.textContent('#panel h2'), first_.instruction);
  const box = await page.locator('#panel h2').boundingBox();
  if (box.y < 0 || box.y > 100) problem('the panel begins at ' + box.y);
  if (!(await page.textContent('#panel .advice')).includes(first_.advice.replace(/`/g, '')))
    problem('the panel does not say ' + first_.advice);
  same('the address', await page.evaluate(() => location.hash),
       '#kernel=' + encodeURIComponent(first_.instruction) +
       (first_.module ? '&module=' + first_.module : ''));
  await page.click('#close');
  same('no address', await page.evaluate(() => location.hash), '');
  const all = (await names(page)).length;
  const first = page.locator('.uses button').first();
  const use = await first.getAttribute('data-filter');
  await first.click();
  same('those of the use', (await names(page)).length, told.time_uses[use].kernels);
  same('pressed', await first.getAttribute('aria-pressed'), 'true');
  await first.click();
  same('all again', (await names(page)).length, all);
  // What the time goes to, and its kernels.
  const works = await page.$$eval('.uses.work button', (buttons) => buttons.map(
      (each) => [each.dataset.filter, Number(each.style.flexGrow)]));
  same('kinds of work', works.map(([name]) => name).sort(),
       told.time_by_work.map((each) => each.work).sort());
  for (const {work, us, kernels} of told.time_by_work) {
    const part = works.find(([name]) => name === work)[1];
    if (Math.abs(part - us / whole) > 0.001) problem('the part of ' + work + ' is ' + part);
    await page.click('.uses.work [data-filter=' + work + ']');
    const shown = await page.evaluate(() => window.indexical.state.rows.flatMap(
        (row) => row.members || [row]).map((each) => each.work));
    const wanted = told.kernels.filter((each) => each.work === work);
    if (shown.some((each) => each !== work) || shown.length !== wanted.length)
      problem(work + ' has ' + shown);
    if (wanted.filter((each) => each.predicted_us > 0).length !== kernels)
      problem(work + ' has ' + kernels + ' kernels with a time');
    await page.click('.uses.work [data-filter=' + work + ']');
  }
  // The page says what it is, and each row has an address.
  const origin = await page.textContent('#origin');
  if (!origin.includes('indexical ' + told.version) || !/\d{4}-\d\d-\d\d/.test(origin) ||
      !origin.includes('indexical report')) problem('the origin is ' + origin);
  const addresses = await page.$$eval('#table td.name a', (all) => all.map(
      (each) => [each.textContent, each.getAttribute('href')]));
  for (const [name, address] of addresses)
    if (!address.startsWith('#kernel=' + encodeURIComponent(name)))
      problem(name + ' has the address ' + address);
  const untold = await page.$$eval('#table th button', (all) => all.filter(
      (each) => !each.title).map((each) => each.textContent));
  same('columns without a word', untold, []);
}

// Kernels that are alike are one row, which opens.
async function checkAlike(browser) {
  const lines = ['HloModule m, is_scheduled=true', 'ENTRY main {', '  x = f32[64,96]{1,0} parameter(0)'];
  for (let i = 0; i < 12; ++i)
    lines.push('  c' + i + ' = f32[64,96]{1,0} negate(' + (i ? 'c' + (i - 1) : 'x') + ')');
  lines.push('  ROOT r = f32[64,96]{1,0} exponential(c11)', '}', '');
  const text = path.join(folder, 'alike.hlo'), html = path.join(folder, 'alike.html');
  fs.writeFileSync(text, lines.join('\n'));
  run('report', text, '--format=html', '-o', html);
  const told = JSON.parse(run('report', text, '--format=json', '--top=all', '--maps'));
  const page = await opened(browser, html);
  same('rows of alike kernels', (await names(page)).sort(), ['c0', 'r']);
  const lost = told.kernels.filter((each) => /^c/.test(each.instruction))
      .reduce((sum, each) => sum + each.avoidable_us, 0);
  const cell = await page.$eval('#table tbody tr[data-row]', (row) => Number(
      row.children[2].title));
  if (Math.abs(cell - lost) > 1e-4) problem('together they avoid ' + cell + ', not ' + lost);
  const rows = await page.$$eval('.largest a', (all) => all.map((each) => each.textContent));
  if (!rows.includes('c0 and 11 more')) problem('what to change first: ' + rows);
  await page.click('[aria-label="12 kernels that are alike"]');
  same('opened', (await names(page)).length, 2 + 12);
  await checkContrast(page, 'an overview', 20);
  await checkWidth(page, 'an overview');
  await keep(page, 'overview');
  await page.close();
}

// Words of shared memory and their lanes, against the picture.
async function checkShared(browser) {
  const html = path.join(folder, 'xla.html');
  run('report', module_, '--launch=xla', '--format=html', '-o', html);
  const page = await opened(browser, html);
  for (const warp of [0, 1]) {
    const svg = run('draw', module_, '--instruction=turned_tile', '--warp=' + warp, '--launch=xla');
    const drawn = [...svg.matchAll(/<title>word (\d+), bank \d+: lanes? ([\d, ]+)</g)]
        .map((match) => match[1] + ':' + match[2]);
    const found = await page.evaluate((warp) => {
      const {wordsOf, state} = window.indexical;
      const kernel = state.kernels.find((each) => each.instruction === 'turned_tile');
      return kernel.shared.flatMap((tile) => [tile.write_map, tile.read_map].flatMap((text) =>
          [...wordsOf(state.data.maps[text], tile, warp, state.kernels[0].on)].map(([word, lanes]) =>
              word + ':' + lanes.join(', '))));
    }, warp);
    same('shared memory of warp ' + warp, found.sort(), drawn.sort());
    if (drawn.length < 64) problem('only ' + drawn.length + ' words of shared memory');
  }
  const told = JSON.parse(run('report', module_, '--launch=xla', '--format=json', '--top=all', '--maps'));
  const time = told.kernels.reduce((sum, each) => sum + (each.predicted_us || 0) * each.trips, 0);
  const totals = await page.textContent('#totals');
  if (!totals.includes(unitOf(time) + ' (all launches)')) problem('predicted: ' + totals);
  await checkOverview(page, told);
  await page.click('#table td.name a:text-is("turned_tile")');
  await page.click('summary:has-text("by banks")');
  same('lanes by banks', await page.locator('.shared td.lane').count(), 64);
  await checkContrast(page, 'shared memory', 100);
  await keep(page, 'shared');
  await page.close();
}

// How many elements a block touches, counted exactly of the same map, in which
// the block is this one. (One piece: those of two pieces may overlap.)
async function checkBlocks(page, report) {
  const maps = path.join(folder, 'block.maps');
  let asked = 0;
  for (const kernel of report.kernels)
    for (const [at, access] of [...kernel.reads, ...kernel.writes].entries()) {
      const text = access.thread_map;
      if (!text || text.includes('; ') || !/bl_x in \[0, (\d+)\]/.test(text)) continue;
      const most = Number(/bl_x in \[0, (\d+)\]/.exec(text)[1]);
      for (const block of new Set([0, random(most + 1)])) {
        fs.writeFileSync(maps, text.replace(/bl_x in \[0, \d+\]/,
                                            'bl_x in [' + block + ', ' + block + ']'));
        const [counted] = JSON.parse(run('count', maps, '--format=json')).counts;
        const found = await page.evaluate(([name, at, block]) => {
          const {blockOf, footprintOf, state} = window.indexical;
          const kernel = state.kernels.find((each) => each.instruction === name);
          const answer = blockOf(kernel, [...kernel.reads, ...kernel.writes][at], block);
          return answer && footprintOf(answer, kernel.on);
        }, [kernel.instruction, at, block]);
        ++asked;
        if (!found || found.more || found.elements !== counted.image)
          problem('block ' + block + ' of ' + kernel.instruction + ', access ' + at + ': ' +
                  JSON.stringify(found) + ', not ' + counted.image);
      }
    }
  if (asked < 20) problem('only ' + asked + ' blocks were looked at');
  await choose(page, 'turned_tile');
  await page.locator('summary:has-text("footprint")').first().click();
  const words = await page.locator('.block .sum').first().textContent();
  if (!/^512 elements, 2048 bytes, in 64 sectors/.test(words)) problem('footprint: ' + words);
  // One more than there are.
  await page.locator('.block input').first().fill('99999');
  await page.locator('.block input').first().dispatchEvent('change');
  same('no such block', await page.locator('.block p').nth(1).textContent(),
       'There is no such block.');
}

// A runtime variable is what the fields say.
async function checkRuntime(page) {
  await choose(page, 'moved');
  const picture = page.locator('.picture').first();
  for (const [i, j] of [[0, 0], [3, 2], [7, 5]]) {
    const answer = JSON.parse(run('dump', module_, '--instruction=moved', '--element=1,2',
        '--runtime=i=' + i, '--runtime=j=' + j, '--format=json'));
    const wanted = answer.operands.find((each) => each.operand === 0).elements;
    for (const [name, value] of [['index 0', 1], ['index 1', 2], ['rt0', i], ['rt1', j]]) {
      await picture.locator('input[aria-label="' + name + '"]').fill(String(value));
      await picture.locator('input[aria-label="' + name + '"]').dispatchEvent('change');
    }
    same('runtime values ' + i + ', ' + j, await picture.locator('.answer').textContent(),
         '1 element: (' + wanted[0].join(', ') + ')');
    same('it is marked', await picture.locator('td.read').getAttribute('title'),
         '(' + wanted[0].join(', ') + '): read');
  }
}

// Of three dimensions any two are shown.
async function checkPlanes(page) {
  await choose(page, 'rows');
  const picture = page.locator('.picture').last();
  // A side of up to 24 elements is shown whole.
  same('rows and columns', await picture.locator('table').first().locator('tr').count(), 13 + 1);
  same('the outline', await picture.locator('table').first().locator('.whole').count(), 0);
  await picture.locator('select').first().selectOption('2,0');
  same('others', await picture.locator('table').first().locator('tr').count(), 2 + 1);
  await picture.locator('table').first().locator('td[title="(5, 0, 1)"]').click();
  same('asked', await picture.locator('td.asked').getAttribute('title'), '(5, 0, 1)');
}

async function checkKeys(page) {
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await page.keyboard.press('/');
  same('/', await page.evaluate(() => document.activeElement.id), 'search');
  let steps = 0;
  while (await page.evaluate(() => document.activeElement.id) !== 'scroll' && steps++ < 40)
    await page.keyboard.press('Tab');
  if (steps > 30) problem('the list is not reached by Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const name = (await names(page))[1];
  same('Enter', await page.textContent('#panel h2'), name);
  same('chosen', await page.$$eval('tr[aria-selected=true]', (rows) => rows.length), 1);
  await page.keyboard.press('Escape');
  same('Escape', await page.isHidden('#panel'), true);
  same('back', await page.evaluate(() => document.activeElement.id), 'scroll');
}

// A point of the roofline opens its kernel, and lies below the roof.
async function checkRoofline(browser) {
  const text = path.join(folder, 'roof.hlo'), html = path.join(folder, 'roof.html');
  fs.writeFileSync(text, `HloModule roof, is_scheduled=true
ENTRY main {
  a = bf16[2048,2048]{1,0} parameter(0)
  b = bf16[2048,2048]{1,0} parameter(1)
  n = bf16[2048,2048]{1,0} negate(a)
  ROOT c = bf16[2048,2048]{1,0} dot(n, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
`);
  run('report', text, '--format=html', '-o', html);
  const told = JSON.parse(run('report', text, '--format=json', '--top=all', '--maps'));
  const page = await opened(browser, html);
  same('points', await page.locator('.roof circle').count(), 2);
  for (const kernel of told.kernels) {
    const point = page.locator('.roof circle[aria-label^="' + kernel.instruction + ',"]');
    const part = /, (\d+)% of the roof/.exec(await point.getAttribute('aria-label'));
    // The roof is the ideal time: bytes at the bandwidth, or products at the rate.
    const wanted = 100 * kernel.ideal_us / kernel.predicted_us;
    if (!part || Math.abs(part[1] - wanted) > 1)
      problem(kernel.instruction + ' is at ' + (part && part[1]) + '%, not ' + wanted);
    await point.click();
    same('a point opens', await page.textContent('#panel h2'), kernel.instruction);
  }
  // What an address names is open from the beginning.
  await page.goto('file://' + path.resolve(html) + '#kernel=n');
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  same('by its address', await page.textContent('#panel h2'), 'n');
  same('the title', await page.title(), 'Report of roof.hlo: 2 kernels');
  await page.close();
}

async function checkManyRows(page) {
  const took = await page.evaluate(() => {
    const {state} = window.indexical, one = state.kernels;
    state.kernels = Array.from({length: 100000}, (_, i) =>
        ({...one[i % one.length], instruction: 'k' + i, wasted_bytes: i,
          wasted_least_bytes: i, text: ''}));
    const begin = performance.now();
    const search = document.getElementById('search');
    search.dispatchEvent(new Event('input'));
    const scroll = document.getElementById('scroll');
    scroll.scrollTop = scroll.scrollHeight;
    scroll.dispatchEvent(new Event('scroll'));
    return performance.now() - begin;
  });
  const rows = await names(page);
  same('the last of 100,000 rows', rows[rows.length - 1], 'k0');
  if (rows.length > 200) problem(rows.length + ' rows are in the page at once');
  if (took > 5000) problem('100,000 rows take ' + took + ' ms');
  return took;
}

// A module of many kernels: what its page weighs, and how soon it is ready.
function manyKernels() {
  const lines = ['ENTRY main {', '  x = f32[64,96] parameter(0)'];
  let last = 'x';
  for (let i = 0; i < 5000; ++i) {
    const shape = i % 2 ? 'f32[64,96]' : 'f32[96,64]';
    lines.push('  t' + i + ' = ' + shape + ' transpose(' + last +
        '), dimensions={1,0}, metadata={op_name="jit(f)/layer' + i % 97 +
        '/transpose" source_file="model.py" source_line=' + i % 213 + '}');
    last = 't' + i;
  }
  lines.push('  ROOT r = f32[64,96] negate(' + last + ')', '}', '');
  return lines.join('\n');
}

// The matrix of devices against the bytes of the report.
async function checkDevices(browser) {
  const file = path.join(folder, 'between.hlo'), html = path.join(folder, 'between.html');
  fs.writeFileSync(file, `HloModule between, num_partitions=4, is_scheduled=true
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[16] parameter(0)
  v = f32[16] exponential(x)
  s = f32[16] all-reduce(v), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add
  n = f32[16] negate(s)
  m = f32[16] collective-permute(n), channel_id=2, source_target_pairs={{0,3},{1,1}}
  ROOT t = f32[16] negate(m)
}
`);
  run('report', file, '--format=html', '-o', html);
  const report = JSON.parse(run('report', file, '--format=json', '--top=all', '--maps'));
  const page = await opened(browser, html);
  await page.$$eval('details', (all) => all.forEach((one) => { one.open = true; }));
  const matrix = () => page.$$eval('#between .devices tr', (rows) => rows.slice(1).map(
      (row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.dataset.bytes))));
  const sum = (rows) => rows.flat().reduce((a, b) => a + b, 0);
  same('bytes of all', sum(await matrix()),
       report.collectives.reduce((all, each) => all + each.all_bytes, 0));
  for (const reshard of report.reshards) {
    await page.click('#between button:text-is("' + reshard.instruction + '")');
    const rows = await matrix();
    same('bytes of ' + reshard.instruction, sum(rows), reshard.all_bytes);
    const received = rows.map((_, j) => rows.reduce((all, row) => all + row[j], 0));
    same('a device receives', [Math.min(...received), Math.max(...received)],
         reshard.receives_bytes);
  }
}

// The first plan of each reshard, in the words of the text.
async function checkPlans(browser) {
  const file = path.join(folder, 'planned.mlir'), html = path.join(folder, 'planned.html');
  fs.writeFileSync(file, `sdy.mesh @m = <["x"=2, "y"=2]>
func.func @f(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}, {}]>},
             %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = sdy.all_gather [{"y"}, {}] %a out_sharding=<@m, [{"x"}, {}]> : tensor<8x8xf32>
  %1 = sdy.all_slice [{}, {"y"}] %0 out_sharding=<@m, [{"x"}, {"y"}]> : tensor<8x8xf32>
  %2 = sdy.reshard %b <@m, [{}, {"x"}]> : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
`);
  run('report', file, '--format=html', '-o', html);
  const text = run('report', file).replace(/\s+/g, ' ');
  const page = await opened(browser, html);
  await page.$$eval('details', (all) => all.forEach((one) => { one.open = true; }));
  const plans = await page.$$eval('#between table.reads', ([table]) => {
    const [head, ...rows] = [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent));
    return rows.map((row) => row[head.indexOf('plan')]);
  });
  same('plans', plans, ['all-to-all, 128 B, saves 128 B', 'all-to-all, 256 B']);
  for (const plan of plans)
    if (!text.includes('plan: ' + plan)) problem('the text has no plan: ' + plan);
}

async function main() {
  const html = path.join(folder, 'report.html');
  run('report', module_, '--format=html', '-o', html);
  const report = JSON.parse(run('report', module_, '--format=json', '--top=all', '--maps'));
  const once = fs.readFileSync(html);
  run('report', module_, '--format=html', '-o', html);
  if (!once.equals(fs.readFileSync(html)))
    problem('the page is another one the second time');
  const browser = await launched();
  const page = await opened(browser, html);
  await checkTable(page, report);
  await checkGroups(page, report);
  await checkElements(page, report, 200);
  await checkWarps(page, report);
  await checkBlocks(page, report);
  await checkRuntime(page);
  await checkPlanes(page);
  await checkShared(browser);
  await checkAlike(browser);
  await checkRoofline(browser);
  await checkKeys(page);
  await checkDevices(browser);
  await checkPlans(browser);
  const took = await checkManyRows(page);

  const large = path.join(folder, 'many.hlo'), largePage = path.join(folder, 'many.html');
  fs.writeFileSync(large, manyKernels());
  run('report', large, '--format=html', '-o', largePage);
  const bytes = fs.statSync(largePage).size;
  if (bytes > 350000) problem('the page of 5,000 kernels has ' + bytes + ' bytes');
  const second = await opened(browser, largePage);
  const ready = Number(await second.getAttribute('body', 'data-ready'));
  if (ready > 5000) problem('the page of 5,000 kernels is ready after ' + ready + ' ms');

  run('report', module_, '--format=json', '--top=all', '-o', html + '.json');
  fs.writeFileSync(html + '.json', fs.readFileSync(html + '.json', 'utf8')
      .replace('"wasted_bytes":', '"wasted_bytes":7'));
  run('report', module_, '--format=html', '--baseline=' + html + '.json', '-o', html);
  const third = await opened(browser, html, {colorScheme: 'dark'});
  same('a column of changes', await third.locator('[data-key=change]').count(), 1);
  for (const colorScheme of ['light', 'dark'])
    for (const [name, width] of [['wide', 1500], ['narrow', 390]]) {
      const what = 'report-' + name + '-' + colorScheme;
      const each = await opened(browser, html, {colorScheme, viewport: {width, height: 1000}});
      await each.click('#table td.name a:text-is("k")');
      await each.$$eval('details', (all) => all.forEach((one) => { one.open = true; }));
      await each.waitForSelector('.block .sum');
      await checkContrast(each, what, 300);
      await checkWidth(each, what);
      await keep(each, what);
    }
  end('pages are as they should be: 100,000 rows in ' + Math.round(took) +
      ' ms; 5,000 kernels are ' + bytes + ' bytes, ready after ' + ready + ' ms');
}

start(main);
