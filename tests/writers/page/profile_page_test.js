'use strict';
// profile_page_test.js INDEXICAL MODULE CHROMIUM FOLDER [PROFILE_FILE.PY]
//
// The page of a profile against its JSON: the bar of the whole time, the rows
// that take longest over their ideal, the table, what a click filters, what has
// no instruction, and a profile against an earlier one.
const {execFileSync} = require('child_process');
const fs = require('fs');
const path = require('path');
const {module_, folder, others, problem, run, same, launched, opened, names, checkContrast,
       checkWidth, keep, end, start} = require('./browser.js');

const writer = others[0];
const ran = ['k', 'turned', 'cut', 'blur', 'moved', 'turned_tile', 'tiled', 'gone'];

// Every launch takes 10 or 11 us, as often as its name is given.
function profileOf(name, launches) {
  const file = path.join(folder, name);
  execFileSync('python3', [writer, 'pages', file, ...launches]);
  return file;
}

const near = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b));

async function checkUses(page, told) {
  const missing = told.unattributed.reduce((sum, each) => sum + each.measured_total_us, 0);
  const whole = missing + told.kernels.reduce(
      (sum, each) => sum + (each.measured_total_us || 0), 0);
  const parts = await page.$$eval('.uses:not(.work) > *', (all) => all.map((each) => Number(each.style.flexGrow)));
  if (!near(parts.reduce((a, b) => a + b, 0), 1)) problem('the parts sum to ' + parts);
  if (!near(parts[parts.length - 1], missing / whole))
    problem('without an instruction: ' + parts[parts.length - 1] + ', not ' + missing / whole);
  const words = await page.$$eval('.uses-list li', (all) => all.map((each) => each.textContent));
  if (!words[words.length - 1].startsWith('without an instruction'))
    problem('the last use is ' + words[words.length - 1]);
}

async function checkLargest(page, told) {
  const rows = await page.$$eval('.largest li', (all) => all.map((row) => [
    row.querySelector('a').dataset.kernel,
    parseFloat(row.querySelector('.over').style.width),
    parseFloat(row.querySelector('.over i').style.width)]));
  const kernels = new Map(told.kernels.map((each) => [each.instruction, each]));
  same('rows that take longest', rows.length, ran.length - 1);
  const most = Math.max(...told.kernels.map((each) => each.measured_total_us || 0));
  let before = Infinity;
  for (const [name, whole, part] of rows) {
    const kernel = kernels.get(name), time = kernel.measured_total_us;
    const avoidable = kernel.avoidable_us || 0;
    if (avoidable > before) problem(name + ' stands below one of which less is avoidable');
    before = avoidable;
    if (Math.abs(whole - 100 * time / most) > 0.01) problem('the bar of ' + name + ': ' + whole);
    const wanted = Math.min(100, 100 * avoidable / time);
    if (Math.abs(part - wanted) > 0.01) problem('the part of ' + name + ': ' + part + ', not ' + wanted);
  }
}

async function checkTable(page, told) {
  await page.check('#wide');
  const lost = (each) => each.avoidable_us === undefined ? -Infinity : each.avoidable_us;
  const wanted = told.kernels.filter((each) => each.measured_us !== undefined)
      .map((each, i) => [each, i]).sort(([a, i], [b, j]) => lost(b) - lost(a) || i - j)
      .map(([each]) => each.instruction);
  same('rows by what is avoidable', (await names(page)).slice(0, wanted.length), wanted);
  const heads = await page.$$eval('#table th[data-key]', (all) => all.map((each) => each.dataset.key));
  const row = page.locator('#table tbody tr[data-row]').first();
  const first = told.kernels.find((each) => each.instruction === wanted[0]);
  for (const key of ['measured_us', 'measured_min_us', 'measured_total_us', 'ideal_us']) {
    const at = heads.indexOf(key);
    if (at < 0) { problem('there is no column ' + key); continue; }
    const title = await row.locator('td').nth(at).getAttribute('title');
    if (!near(parseFloat(title), first[key])) problem(key + ' is ' + title + ', not ' + first[key]);
  }
  await page.click('[data-key=measured_total_us] button');
  const totals = (await names(page)).slice(0, ran.length - 1)
      .map((name) => told.kernels.find((each) => each.instruction === name).measured_total_us);
  same('by their totals', totals, [...totals].sort((a, b) => b - a));
}

async function checkFilter(page, told) {
  const all = (await names(page)).length;
  const button = page.locator('.uses:not(.work) button').first();
  const use = await button.getAttribute('data-filter');
  await button.click();
  const wanted = told.kernels.filter((each) => each.time_use === use)
      .map((each) => each.instruction).sort();
  same('after a click', (await names(page)).sort(), wanted);
  await button.click();
  same('after another', (await names(page)).length, all);
}

async function checkTotals(page, told) {
  const text = await page.textContent('#totals');
  for (const wanted of ['GPU 0', told.profile.gpus[0].kernels + ' launches',
                        '1 kernels without an instruction', 'no such instruction'])
    if (!text.includes(wanted)) problem('the totals do not say ' + wanted);
  // What is predicted is of as many launches as were measured.
  const shown = /predicted GPU time(?:at least )?([\d.]+) (ns|µs|ms|s) \(measured launches\)/.exec(text);
  const unit = {ns: 1e-3, 'µs': 1, ms: 1e3, s: 1e6};
  const time = told.kernels.reduce(
      (sum, each) => sum + (each.predicted_us || 0) * (each.launches || 0), 0);
  if (!shown || Math.abs(shown[1] * unit[shown[2]] / time - 1) > 0.01)
    problem('predicted for all launches ' + time + ': ' + text);
}

async function checkBaseline(browser, then) {
  const now = profileOf('now.xplane.pb', [...ran, 'turned', 'turned']);
  const html = path.join(folder, 'compared.html');
  run('report', now, '--hlo=' + module_, '--baseline=' + then, '--format=html', '-o', html);
  const page = await opened(browser, html);
  await checkWidth(page, 'a comparison');
  await page.close();
}

async function main() {
  const file = profileOf('then.xplane.pb', [...ran, 'k', 'k', 'cut']);
  const words = ['report', file, '--hlo=' + module_];
  const html = path.join(folder, 'profile.html');
  run(...words, '--format=html', '-o', html);
  const told = JSON.parse(run(...words, '--format=json', '--top=all'));
  same('kernels that ran', told.kernels.filter((each) => each.launches).map(
      (each) => each.instruction).sort(), ran.filter((name) => name !== 'gone').sort());
  const browser = await launched();
  const page = await opened(browser, html);
  await checkUses(page, told);
  await checkLargest(page, told);
  await checkTable(page, told);
  await checkFilter(page, told);
  await checkTotals(page, told);
  await checkContrast(page, 'a profile', 100);
  await checkWidth(page, 'a profile');
  await keep(page, 'profile');
  await page.close();
  await checkBaseline(browser, file);
  end('a profile as a page: ' + told.kernels.length + ' kernels, ' + (ran.length - 1) + ' of which ran');
}

start(main);
