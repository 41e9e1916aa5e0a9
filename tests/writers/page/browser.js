'use strict';
// What tests of pages share: calls of the command, the browser, problems that
// are collected, and what each page is held to.
const {execFileSync} = require('child_process');
const path = require('path');
const {chromium} = require('playwright-core');

const [tool, module_, browserPath, folder, ...others] = process.argv.slice(2);
const problems = [];
const problem = (text) => problems.push(text);
const run = (...words) => execFileSync(tool, words, {maxBuffer: 1 << 28}).toString();
const same = (what, found, wanted) => {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    problem(what + ': ' + JSON.stringify(found).slice(0, 400) + '\n  not ' +
            JSON.stringify(wanted).slice(0, 400));
};

// Numbers of its own, the same in every run.
let seed = Number(process.env.INDEXICAL_PAGE_SEED || 1);
const random = (n) => {
  seed = (seed * 48271) % 2147483647;
  return seed % n;
};

const browsers = [];
async function launched() {
  const browser = await chromium.launch({executablePath: browserPath,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']});
  browsers.push(browser);
  return browser;
}

// A file in the browser. It makes no request, and logs no error.
async function shown(browser, path_, options) {
  const file = path.resolve(path_);
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') problem('console: ' + message.text());
  });
  page.on('pageerror', (error) => problem('error: ' + error));
  page.on('request', (request) => {
    if (request.url() !== 'file://' + file) problem('request: ' + request.url());
  });
  await page.goto('file://' + file);
  return page;
}

// A page of ours, when it is ready.
async function opened(browser, file, options) {
  const page = await shown(browser, file, options);
  await page.waitForSelector('body[data-ready]', {timeout: 60000});
  return page;
}

const names = (page) => page.$$eval('#table tbody tr[data-row]', (rows) =>
    rows.map((row) => row.querySelector('td.name').textContent));

// Runs in the browser: texts whose contrast with what lies behind them is below
// what WCAG AA asks, 4.5 (3 where letters are large); outlines of fields and of
// coloured cells below 3.
function poorContrasts() {
  const numbers = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const isOpaque = (colour) => /^rgb\(/.test(colour) ||
      (/^rgba/.test(colour) && numbers(colour)[3] === 1);
  const luminance = (colour) => {
    const [r, g, b] = numbers(colour).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  // Of SVG: the rectangle in the same cell, or that behind all.
  const behindText = (node) => {
    const own = node.parentNode.querySelectorAll(':scope > rect');
    const fills = [...own].map((rect) => getComputedStyle(rect).fill);
    const solid = fills.filter((fill) => fill !== 'none');
    return node.parentNode.matches('g.ix-c') && solid.length ? solid[solid.length - 1]
        : getComputedStyle(node.ownerSVGElement.querySelector('.ix-b')).fill;
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== 'none') return style.backgroundImage;
      if (isOpaque(style.backgroundColor)) return style.backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const poor = [];
  let looked = 0;
  const check = (what, colour, under, least) => {
    ++looked;
    if (!isOpaque(colour) || !isOpaque(under)) poor.push(what + ': ' + colour + ' on ' + under);
    else if (contrast(colour, under) < least)
      poor.push(what + ': ' + contrast(colour, under).toFixed(2) + ', ' + colour + ' on ' + under);
  };
  for (const node of document.querySelectorAll('*')) {
    const style = getComputedStyle(node);
    if (!node.getClientRects().length || style.visibility === 'hidden') continue;
    const what = node.tagName + '.' + node.getAttribute('class') + ' ' + node.textContent.slice(0, 20);
    const hasText = [...node.childNodes].some(
        (child) => child.nodeType === 3 && child.textContent.trim());
    if (node.tagName === 'text') {
      check(what, style.fill, behindText(node), 4.5);
    } else if (node.ownerSVGElement || node.tagName === 'svg') {
      continue;
    } else if (hasText || node.tagName === 'INPUT' || node.tagName === 'SELECT') {
      const isLarge = parseFloat(style.fontSize) >= (style.fontWeight >= 700 ? 18.66 : 24);
      check(what, style.color, behind(node), isLarge ? 3 : 4.5);
      if (node.placeholder)
        check('placeholder', getComputedStyle(node, '::placeholder').color, behind(node), 4.5);
    }
    if (node.matches('input, select, .asked, .read, .lane, .swatch'))
      check('outline of ' + what, style.borderTopColor, behind(node.parentElement), 3);
  }
  return {poor, looked};
}

async function checkContrast(page, what, least) {
  const {poor, looked} = await page.evaluate(poorContrasts);
  for (const text of poor.slice(0, 5)) problem('contrast in ' + what + ': ' + text);
  if (looked < least) problem(what + ': only ' + looked + ' contrasts were looked at');
}

// Nothing sticks out to the right of a page.
async function checkWidth(page, what) {
  const [wide, room] = await page.evaluate(() =>
      [document.documentElement.scrollWidth, window.innerWidth]);
  if (wide > room) problem(what + ' is ' + wide + ' wide, in a window of ' + room);
}

// SCREENSHOTS=folder keeps pictures.
async function keep(page, name) {
  if (process.env.SCREENSHOTS)
    await page.screenshot({path: process.env.SCREENSHOTS + '/' + name + '.png', fullPage: !name.startsWith('svg-')});
}

function end(words) {
  console.log(problems.slice(0, 20).join('\n') || words);
  process.exitCode = problems.length ? 1 : 0;
}

// Runs a test. An error is a problem like any other, and browsers are closed:
// the process would wait for an open one for ever.
async function start(main) {
  try {
    await main();
  } catch (error) {
    problem(String(error.stack));
    end();
  }
  for (const browser of browsers) await browser.close();
}

module.exports = {module_, folder, others, problem, run, same, random, launched, shown, opened,
                  names, checkContrast, checkWidth, keep, end, start};
