'use strict';
// The beginning of every page. Its data is packed (html.cc): strings of some
// keys are numbers of a table, maps are trees. Texts go into the page as text alone.
const kRow = 28, kAround = 20, kSide = 24, kShort = 24, kPieces = 6, kMostListed = 20000;
const state = {kernels: [], rows: [], sort: 'wasted_bytes', down: true,
               picked: -1, group: '', data: null, filter: null,
               opened: new Set()};
const $ = (id) => document.getElementById(id);

function make(tag, text, attributes) {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = text;
  for (const name in attributes || {}) node.setAttribute(name, attributes[name]);
  return node;
}

// What the words of columns and figures mean.
const kMeanings = {
  avoidable_us: 'an upper bound on what a change can save',
  lost_us: 'the time beyond the ideal',
  ideal_us: 'each array moved once at the peak bandwidth, or the products at the peak rate',
  predicted_us: 'by a model of memory, caches, cores and the start of blocks',
  wasted_bytes: 'unused bytes of transferred sectors (uncoalesced accesses)',
  moved_bytes: 'bytes of all sectors that the accesses of warps touch, without caches',
  trips: 'how often its loops run it',
  pattern: 'how the lanes of a warp go through memory',
  number: 'kernels that one change would improve, as one row',
  instruction: 'the fusion or the op; a link to it',
  share_of_all: 'the part of the predicted time of all kernels',
  measured_share: 'the part of the measured time of all kernels',
  limited_by: 'what takes longest of a launch', work: 'what the kernel does',
  launches: 'how often the profile has it', opcode: 'as in the module',
  op_name: 'where the program asks for it', source: 'the line of the source',
  file: 'the file of its module', device: 'the device of its module',
  time_use: 'what its time goes to', reason: 'why a copy is there',
  launch_match: 'whether it was launched as predicted', module_name: 'the module that ran',
  change: 'bytes wasted, against the earlier report', change_us: 'predicted time, against the earlier report',
  change_avoidable_us: 'avoidable time, against the earlier report',
  name: 'what the reads and writes have in common', kernels: 'kernels with such a read or write',
  accesses: 'reads and writes',
  measured_us: 'the median of its launches', measured_total_us: 'all of its launches',
  measured_min_us: 'the fastest of its launches', over_ideal: 'measured for each of the ideal time',
  predicted_ratio: 'predicted for each of the measured time',
  emitter: 'how XLA:GPU writes the kernel',
  precision: 'exact: the dependence; cover: no less; opaque: all of the operand',
};

// --- Reading ---------------------------------------------------------------

async function unpacked() {
  const bytes = Uint8Array.from(atob($('data').textContent.trim()),
                                (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream()
      .pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

// Lists begin with -1, objects with the number of their keys.
function restored(value, data) {
  if (!Array.isArray(value)) return value;
  if (value[0] < 0) return value.slice(1).map((each) => restored(each, data));
  const object = {};
  data.shapes[value[0]].forEach((key, i) => {
    const member = value[i + 1], isNumber = typeof member === 'number';
    object[key] = isNumber && data.keys.includes(key) ? data.strings[member]
        : isNumber && data.list_keys.includes(key)
        ? data.lists[member].map((each) => data.strings[each])
        : restored(member, data);
  });
  return object;
}

const most = (figure) => Array.isArray(figure) ? figure[1] : figure || 0;
function shown(figure) {
  if (figure === undefined || figure === null) return '';
  return Array.isArray(figure) ? figure.join(' to ') : String(figure);
}
function size(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let value = Math.abs(bytes), unit = 0;
  while (value >= 1000 && unit < 5) { value /= 1000; ++unit; }
  return (bytes < 0 ? '-' : '') +
      (unit ? value.toFixed(1) : String(value)) + ' ' + units[unit];
}
// Microseconds in the unit that fits: `12.2 ms`.
function inUnit(microseconds) {
  const units = ['ns', 'µs', 'ms', 's'];
  let value = Math.abs(microseconds) * 1000, unit = 0;
  while (value >= 999.95 && unit < 3) { value /= 1000; ++unit; }
  return (microseconds < 0 ? '-' : '') +
      String(Number(value.toFixed(value < 9.995 ? 2 : 1))) + ' ' + units[unit];
}
// Bounds of a number of bytes: `0 to 4.2 MB`, or the number if both are one.
const sizes = (least, most) =>
    least === undefined || least === most || size(least) === size(most) ? size(most || 0)
    : (least ? size(least) : '0') + ' to ' + size(most);
const least = (figure) => Array.isArray(figure) ? figure[0] : figure || 0;
// The least and the most that a row, a group or the totals have under a key.
const leastKey = (key) => key.replace(/_bytes$/, '_least_bytes');
const sizesOf = (item, key) => sizes(item[leastKey(key)], item[key]);
const leastOf = (item, key) =>
    item[leastKey(key)] === undefined ? item[key] : item[leastKey(key)];
const percent = (part, whole) => {
  if (!whole) return '-';
  const of = 100 * part / whole;
  return (of > 0 && of < 0.95 ? of.toFixed(1) : Math.round(of)) + '%';
};
// A sentence in which names stand between backquotes.
function sentence(text, className) {
  const node = make('p', null, className ? {class: className} : {});
  text.split('`').forEach((part, i) => node.append(i % 2 ? make('code', part) : part));
  return node;
}

// --- Maps: trees, evaluated ------------------------------------------------

// A form is [constant, coefficient, atom, coefficient, atom, …]. An atom is
// ['v', kind, number], ['d', form, stride, modulus], ['+', form], which is the
// form or 0 if that is more, or an operator of forms.
const floorDiv = (a, b) => Math.floor(a / b);
const modulo = (a, b) => a - b * Math.floor(a / b);
function valueOf(form, at) {
  let sum = form[0];
  for (let i = 1; i < form.length; i += 2)
    sum += form[i] * atomOf(form[i + 1], at);
  return sum;
}
function atomOf(atom, at) {
  switch (atom[0]) {
    case 'v': return at[atom[1]][atom[2]];
    case 'd': {
      const value = floorDiv(valueOf(atom[1], at), atom[2]);
      return atom[3] ? modulo(value, atom[3]) : value;
    }
    case '+': return Math.max(valueOf(atom[1], at), 0);
    case '*': return valueOf(atom[1], at) * valueOf(atom[2], at);
    case '/': return floorDiv(valueOf(atom[1], at), valueOf(atom[2], at));
    default: return modulo(valueOf(atom[1], at), valueOf(atom[2], at));
  }
}
const isIn = (value, bounds) =>
    (bounds[0] === null || value >= bounds[0]) &&
    (bounds[1] === null || value <= bounds[1]);

// The results of a map at an index, for all values of its ranges.
function elementsOf(map, index, runtime) {
  const found = new Map();
  if (!map.dims.every((bounds, k) => isIn(index[k], bounds)))
    return {found, more: false};
  const ranges = map.ranges.map((bounds) => bounds[0]);
  const at = [index, ranges, runtime || map.runtime.map((bounds) => bounds[0])];
  for (let n = 0; n < kMostListed; ++n) {
    if (map.constraints.every(([form, low, high]) =>
        isIn(valueOf(form, at), [low, high]))) {
      const element = map.results.map((form) => valueOf(form, at));
      found.set(element.join(','), element);
    }
    let k = ranges.length - 1;
    while (k >= 0 && ranges[k] === map.ranges[k][1]) {
      ranges[k] = map.ranges[k][0];
      --k;
    }
    if (k < 0) return {found, more: false};
    ++ranges[k];
  }
  return {found, more: true};
}

// The results of a map for these values; nothing outside of its domain.
function resultsAt(map, index, ranges) {
  const at = [index, ranges, map.runtime.map((bounds) => bounds[0])];
  const holds = map.dims.every((bounds, k) => isIn(index[k], bounds)) &&
      map.constraints.every(([form, low, high]) =>
          isIn(valueOf(form, at), [low, high]));
  return holds ? map.results.map((form) => valueOf(form, at)) : null;
}
