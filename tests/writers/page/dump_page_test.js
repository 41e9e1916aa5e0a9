'use strict';
// dump_page_test.js INDEXICAL MODULE CHROMIUM FOLDER
//
// The page of a dump against its JSON: rows, links, pieces; what it marks, both
// ways, against `dump --element`; values of runtime variables; search,
// keyboard, contrast.
const fs = require('fs');
const path = require('path');
const {module_, folder, problem, run, same, random, launched, opened, names, checkContrast,
       checkWidth, keep, end, start} = require('./browser.js');

const click = (page, name) => page.click('#table td.name:text-is("' + name + '")');
const instructionsOf = (dump) => dump.modules[0].computations.flatMap((computation) =>
    computation.instructions.map((each) => ({...each, computation: computation.name})));

async function checkRows(page, dump) {
  const entry = dump.modules[0].computations.find((each) => each.entry);
  same('the entry at first', await names(page), [...(entry.results ? [entry.name] : []),
       ...entry.instructions.map((each) => each.name)]);
  await page.selectOption('#computation', {label: 'all'});
  same('rows', await names(page), dump.modules[0].computations.flatMap((computation) =>
      [...(computation.results ? [computation.name] : []),
       ...computation.instructions.map((each) => each.name)]));
  await page.fill('#search', 'WINDOW reduce');
  same('search', await names(page), ['blur']);
  await page.fill('#search', 'f32[12,16] transpose');
  same('search of a shape', await names(page), ['t']);
  await page.fill('#search', '');
  await page.selectOption('#computation', {label: 'fused'});
  same('one computation', await names(page), ['fused', 'p', 'q', 't', 'w', 'm']);
  await page.selectOption('#computation', {label: 'all'});
  await page.click('[data-key=opcode] button');
  const opcodes = await page.$$eval('#table tbody tr[data-row]', (rows) =>
      rows.map((row) => row.children[2].textContent));
  same('by op', opcodes, [...opcodes].sort());
  await page.click('[data-key=number] button');
}

// Operands and users lead on.
async function checkLinks(page, dump) {
  for (const name of ['m', 'k', 'blur', 'out']) {
    const wanted = instructionsOf(dump).find((each) => each.name === name);
    await click(page, name);
    const lists = await page.$$eval('#panel > ul', (all) => all.map((list) =>
        [...list.querySelectorAll('button')].map((button) => button.textContent.split(' ')[0])));
    same('operands of ' + name, lists[0], wanted.operands.map((each) => each.instruction));
    const users = instructionsOf(dump).filter((each) => each.computation === wanted.computation &&
        each.operands.some((operand) => operand.instruction === name)).map((each) => each.name);
    same('users of ' + name, lists[1] || [], users);
    const codes = await page.$$eval('#panel code', (all) => all.map((code) => code.textContent));
    const answers = [...wanted.output_to_input, ...wanted.input_to_output];
    same('maps of ' + name, codes, answers.flatMap((each) => each.maps.map((map) => map.text)));
  }
  await click(page, 'm');
  await page.click('#panel li button:text-is("t f32[12,16]")');
  same('to an operand', await page.textContent('#panel h2'), 't');
  await page.click('#panel li button:has-text("m multiply")').catch(() => 0);
  await page.click('#panel li button:text-is("m")');
  same('and back', await page.textContent('#panel h2'), 'm');
}

// Elements both ways, against the command; every fourth one in the picture.
async function checkElements(page, dump, count) {
  const asked = instructionsOf(dump).flatMap((each) => ['output_to_input', 'input_to_output']
      .flatMap((way) => each[way].filter((answer) => answer.maps.length &&
          answer.maps.every((map) => !map.runtime.length) && each.results.length === 1 &&
          each.results[0].dimensions.every((size) => size > 0))
          .map((answer) => [each, way, answer])));
  let pictures = 0;
  for (let n = 0; n < count; ++n) {
    const [instruction, way, answer] = asked[random(asked.length)];
    const isForward = way === 'output_to_input';
    const dims = answer.maps[0].dimensions;
    const index = dims.map((bounds) => bounds.lower + random(bounds.upper - bounds.lower + 1));
    const found = await page.evaluate(([texts, index]) => {
      const maps = texts.map((text) => window.indexical.state.data.maps[text]);
      if (!maps.every(Boolean)) return null;
      const {read} = window.indexical.foundAt(maps, index, maps.map(() => []));
      return [...read.keys()].sort();
    }, [answer.maps.map((map) => map.text), index]);
    // An index of an operand: it is asked of all operands of that many sizes.
    let wanted;
    try {
      const told = JSON.parse(run('dump', module_, '--computation=' + instruction.computation,
          '--instruction=' + instruction.name, '--element=' + index.join(','),
          '--direction=' + way.replace(/_/g, '-'), '--format=json'));
      const list = isForward ? told.operands : told.users || told.operands || told.answers;
      wanted = list.find((each) => each.operand === answer.operand).elements.map(String).sort();
    } catch (error) {
      // Another operand has no such element.
      if (isForward) problem('dump --element: ' + error);
      continue;
    }
    same('element ' + index + ' of ' + instruction.name + ', ' + way, found, wanted);
    if (n % 4) continue;
    pictures += await checkMarked(page, dump, instruction, way, answer, index, wanted);
  }
  if (pictures < count / 20) problem('only ' + pictures + ' pictures were looked at');
}

async function checkMarked(page, dump, instruction, way, answer, index, wanted) {
  await page.selectOption('#computation', {label: instruction.computation});
  await click(page, instruction.name);
  const heading = way === 'output_to_input' ? 'From the result' : 'From an operand';
  const withMaps = instruction[way].filter((each) => each.maps.length);
  const picture = page.locator('section[aria-label^="' + heading + '"] .picture')
      .nth(withMaps.indexOf(answer));
  for (let k = 0; k < index.length; ++k) {
    await picture.locator('input').nth(k).fill(String(index[k]));
    await picture.locator('input').nth(k).dispatchEvent('change');
  }
  const words = await picture.locator('.answer').textContent();
  if (!words.startsWith(wanted.length + ' element')) problem(words + ', not ' + wanted.length);
  const marked = await picture.locator('td.read').evaluateAll(
      (cells) => cells.map((cell) => cell.title.replace(/[() ]|: read/g, '')).sort());
  const isShown = (element) => marked.length && element.split(',').length < 3;
  const producer = instructionsOf(dump).find((each) => each.computation === instruction.computation &&
      each.name === instruction.operands[answer.operand].instruction);
  const sizes = way === 'output_to_input' ? producer.results[0].dimensions
      : instruction.results[0].dimensions;
  if (sizes.length > 2 || sizes.some((size) => size > 24)) return 0;
  same('marked at ' + index + ' of ' + instruction.name + ', ' + way, marked,
       wanted.filter((element) => isShown(element) || true));
  return 1;
}

async function checkRuntime(page) {
  await page.selectOption('#computation', {label: 'main'});
  await click(page, 'moved');
  const section = page.locator('section[aria-label^="From the result"]');
  const picture = section.locator('.picture').first();
  for (const [i, j] of [[0, 0], [3, 2], [8, 6]]) {
    const told = JSON.parse(run('dump', module_, '--instruction=moved', '--element=1,2',
        '--runtime=i=' + i, '--runtime=j=' + j, '--format=json'));
    const wanted = told.operands.find((each) => each.operand === 0).elements[0];
    for (const [name, value] of [['index 0', 1], ['index 1', 2], ['rt0, ', i], ['rt1, ', j]]) {
      const field = picture.locator('input[aria-label^="' + name + '"]');
      await field.fill(String(value));
      await field.dispatchEvent('change');
    }
    same('runtime values ' + i + ', ' + j, await picture.locator('.answer').textContent(),
         '1 element: (' + wanted.join(', ') + ')');
  }
  const label = await picture.locator('input').nth(2).getAttribute('aria-label');
  if (!/of i$/.test(label)) problem('a runtime variable is called ' + label);
}

async function checkKeys(page) {
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await page.keyboard.press('/');
  same('/', await page.evaluate(() => document.activeElement.id), 'search');
  for (let i = 0; i < 20 && await page.evaluate(
      () => document.activeElement.id) !== 'scroll'; ++i)
    await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  same('Enter', await page.textContent('#panel h2'), (await names(page))[0]);
  await page.keyboard.press('Escape');
  same('Escape', await page.isHidden('#panel'), true);
}

// Names, and pieces of each kind, that are text and nothing else.
async function checkHostile(browser) {
  const file = path.join(folder, 'hostile.mlir'), html = file + '.html';
  fs.writeFileSync(file, 'func.func @"</script><img src=x>"(%a: tensor<4x6xf32>, %b: tensor<4x6xf32>)' +
      ' -> tensor<8x6xf32> {\n  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : ' +
      '(tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>\n  return %0 : tensor<8x6xf32>\n}\n');
  run('dump', file, '--format=html', '-o', html);
  const page = await opened(browser, html);
  same('images', await page.$$eval('img', (all) => all.length), 0);
  const listed = await names(page);
  if (!listed.includes('</script><img src=x>')) problem('names: ' + listed);
  await page.close();
}

async function main() {
  const html = path.join(folder, 'dump.html');
  run('dump', module_, '--format=html', '-o', html);
  run('dump', module_, '--format=html', '--jobs=3', '-o', html + '2');
  if (!fs.readFileSync(html).equals(fs.readFileSync(html + '2')))
    problem('the page is another one the second time');
  const dump = JSON.parse(run('dump', module_, '--direction=both', '--format=json'));
  const browser = await launched();
  const page = await opened(browser, html);
  await checkRows(page, dump);
  await checkLinks(page, dump);
  await checkElements(page, dump, 200);
  await checkRuntime(page);
  await checkKeys(page);
  await checkHostile(browser);
  // One instruction: its operands are not there to lead to, but have sides.
  const one = path.join(folder, 'one.html');
  run('dump', module_, '--instruction=cut', '--format=html', '-o', one);
  const alone = await opened(browser, one);
  await click(alone, 'cut');
  same('both ways', await alone.locator('#panel .picture').count(), 2);
  same('no links', await alone.locator('#panel li button').count(), 0);
  for (const colorScheme of ['light', 'dark'])
    for (const [name, width] of [['wide', 1500], ['narrow', 390]]) {
      const what = 'dump-' + name + '-' + colorScheme;
      const each = await opened(browser, html, {colorScheme, viewport: {width, height: 1000}});
      await click(each, 'both');
      await checkContrast(each, what, 300);
      await checkWidth(each, what);
      await keep(each, what);
    }
  end('pages are as they should be: ' + fs.statSync(html).size + ' bytes');
}

start(main);
