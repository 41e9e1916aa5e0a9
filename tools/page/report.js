'use strict';
// The page of a report. Its data is packed (html.cc): strings of some keys are
// numbers of a table, maps are trees. Texts go into the page as text alone.
const kRow = 28, kAround = 20, kSide = 24, kMostListed = 20000;
const state = {kernels: [], rows: [], sort: 'wasted_bytes', down: true,
               picked: -1, group: '', data: null};
const $ = (id) => document.getElementById(id);

function make(tag, text, attributes) {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = text;
  for (const name in attributes || {}) node.setAttribute(name, attributes[name]);
  return node;
}

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
const percent = (part, whole) => whole ? Math.round(100 * part / whole) + '%' : '-';

// --- Maps: trees, evaluated ------------------------------------------------

// A form is [constant, coefficient, atom, coefficient, atom, …]. An atom is
// ['v', kind, number], ['d', form, stride, modulus], or an operator of forms.
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

// --- A warp ----------------------------------------------------------------

// Bytes of an element, and the step of each dimension, in elements; nothing
// where the layout has tiles.
function layoutOf(access) {
  const parts = /^\w+\[([\d,]*)\](?:\{([\d,]*)\})?$/.exec(access.shape);
  if (!parts) return null;
  const sizes = parts[1].split(',').filter(Boolean).map(Number);
  const count = sizes.reduce((a, b) => a * b, 1);
  const bytes = access.bytes / count;
  if (!Number.isInteger(bytes) || bytes < 1) return null;
  const order = parts[2] === undefined ? sizes.map((_, k) => sizes.length - 1 - k)
      : parts[2].split(',').filter(Boolean).map(Number);
  const steps = sizes.map(() => 1);
  let step = 1;
  for (const k of order) {
    steps[k] = step;
    step *= sizes[k];
  }
  return {bytes, steps};
}

const warpsOf = (threads, lanes) => {
  const sizes = threads.dims.map((bounds) => bounds[1] + 1);
  return {sizes, inBlock: Math.ceil(sizes[0] * sizes[1] * sizes[2] / lanes),
          blocks: sizes[3] * sizes[4] * sizes[5]};
};

// The ids of thread and block of the lanes of a warp.
function idsOf(threads, lanes, number) {
  const {sizes, inBlock} = warpsOf(threads, lanes);
  const block = Math.floor(number / inBlock), ids = [];
  for (let lane = 0; lane < lanes; ++lane) {
    const thread = number % inBlock * lanes + lane;
    if (thread >= sizes[0] * sizes[1] * sizes[2]) break;
    ids.push([thread % sizes[0], Math.floor(thread / sizes[0]) % sizes[1],
              Math.floor(thread / sizes[0] / sizes[1]), block % sizes[3],
              Math.floor(block / sizes[3]) % sizes[4],
              Math.floor(block / sizes[3] / sizes[4])]);
  }
  return ids;
}

// What the lanes of a warp read in their first access: bytes, and the lanes.
function lanesOf(kernel, access, number) {
  const threads = state.data.maps[access.thread_map || kernel.thread_map];
  const maps = (access.map || '').split('; ').map((text) => state.data.maps[text]);
  const layout = layoutOf(access);
  if (!threads || threads.dims.length !== 6 || !layout || !maps.every(Boolean)) return null;
  const ids = idsOf(threads, state.device.warp, number);
  const loops = threads.ranges.map((bounds) => bounds[0]);
  for (let tries = 0; tries < 4096; ++tries) {
    for (const map of maps) {
      const first = map.ranges.map((bounds) => bounds[0]), read = new Map();
      ids.forEach((own, lane) => {
        for (let v = 0; v < (access.vector || 1); ++v) {
          const values = loops.slice();
          if (v) values[values.length - 1] += v;
          const index = resultsAt(threads, own, values);
          const element = index && resultsAt(map, index, first);
          if (!element) continue;
          const byte = layout.bytes *
              element.reduce((sum, i, k) => sum + i * layout.steps[k], 0);
          read.set(byte, [...(read.get(byte) || []), lane]);
        }
      });
      if (read.size) return {read, bytes: layout.bytes, warps: warpsOf(threads, state.device.warp)};
    }
    let k = 0;
    while (k < loops.length && loops[k] === threads.ranges[k][1])
      loops[k] = threads.ranges[k++][0];
    if (k === loops.length) break;
    ++loops[k];
  }
  return null;
}

// Its sectors, and which lanes use what of them.
function warpPicture(kernel, access) {
  if (!lanesOf(kernel, access, 0)) return [];
  const box = make('div', null, {class: 'warp'});
  const show = (number) => {
    const answer = lanesOf(kernel, access, number), sector = state.device.sector;
    const input = make('input', null, {type: 'number', min: 0, value: number, 'aria-label': 'warp'});
    const label = make('p', 'warp ');
    label.append(input);
    input.addEventListener('change', () => {
      show(Math.max(0, Math.floor(Number(input.value)) || 0));
      box.querySelector('input').focus();
    });
    if (!answer) {
      box.replaceChildren(label, make('p', 'This warp has no access.'));
      return;
    }
    const sectors = [...new Set([...answer.read.keys()].map((b) => Math.floor(b / sector)))]
        .sort((a, b) => a - b);
    const grids = make('div', null, {class: 'grids'}), table = make('table');
    table.append(make('caption', 'sectors of the first access'));
    for (const each of sectors.slice(0, 64)) {
      const row = make('tr');
      row.append(make('th', each, {scope: 'row'}));
      for (let byte = each * sector; byte < (each + 1) * sector; byte += answer.bytes) {
        const lanes = answer.read.get(byte);
        row.append(make('td', lanes ? lanes[0] + (lanes.length > 1 ? '…' : '') : '', {
          class: lanes ? 'lane' : 'waste',
          title: 'byte ' + byte + (lanes ? ': lane ' + lanes.join(', ')
                                         : ': moved, and not used')}));
      }
      table.append(row);
    }
    grids.append(table);
    box.replaceChildren(label, make('p', sectors.length + ' sectors, ' +
        sectors.length * sector + ' bytes moved, ' +
        answer.read.size * answer.bytes + ' used'), grids);
  };
  show(0);
  return [box];
}

// Tests ask here.
window.indexical = {elementsOf, lanesOf, state};

// --- The table -------------------------------------------------------------

const columns = () => state.group ? [
  ['name', state.group, 'name'], ['wasted_bytes', 'wasted', 'bytes'],
  ['moved_bytes', 'moved', 'bytes'], ['kernels', 'kernels', 'number'],
  ['accesses', 'accesses', 'number'],
] : [
  ['instruction', 'kernel', 'name'], ['wasted_bytes', 'wasted', 'bytes'],
  ['moved_bytes', 'moved', 'bytes'],
  ...(state.has.predicted_us ? [['predicted_us', 'predicted µs', 'number']] : []),
  ...(state.has.was ? [['change', 'change of waste', 'bytes']] : []),
  ['opcode', 'op', 'text'],
  ...(state.has.emitter ? [['emitter', 'emitter', 'text']] : []),
  ['trips', 'trips', 'number'], ['op_name', 'op_name', 'text'],
  ['source', 'source', 'text'],
];

const accessesOf = (kernel) => [...kernel.reads, ...kernel.writes];

function textOf(kernel) {
  if (!kernel.text)
    kernel.text = [kernel.instruction, kernel.op_name, kernel.source,
                   kernel.opcode, kernel.emitter, kernel.file,
                   ...accessesOf(kernel).flatMap((access) => [
                     access.instruction, access.op_name, access.source,
                     access.pattern, access.reason])].join('\n').toLowerCase();
  return kernel.text;
}

function grouped(kernels) {
  const groups = new Map();
  for (const kernel of kernels) {
    const mine = new Set();
    for (const access of accessesOf(kernel)) {
      const own = state.group in access || ['pattern'].includes(state.group)
          ? access[state.group] : kernel[state.group];
      const name = own || '';
      if (!groups.has(name))
        groups.set(name, {name, wasted_bytes: 0, moved_bytes: 0, kernels: 0,
                          accesses: 0});
      const group = groups.get(name);
      group.wasted_bytes += most(access.wasted_bytes) * kernel.trips;
      group.moved_bytes +=
          most(access.moved_bytes === undefined ? access.bytes
                                                : access.moved_bytes) *
          kernel.trips;
      ++group.accesses;
      if (!mine.has(name)) ++group.kernels;
      mine.add(name);
    }
  }
  return [...groups.values()];
}

function choose() {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const least = Number($('least').value) || 0;
  let rows = state.kernels.filter(
      (kernel) => words.every((word) => textOf(kernel).includes(word)));
  if (state.group) rows = grouped(rows);
  rows = rows.filter((row) => row.wasted_bytes >= least);
  const key = state.sort, sign = state.down ? -1 : 1;
  const value = (row) => row[key] === undefined ? '' : row[key];
  rows = rows.map((row, i) => [row, i]);
  rows.sort(([a, i], [b, j]) => {
    const x = value(a), y = value(b);
    const order = typeof x === 'number' && typeof y === 'number' ? x - y
        : String(x) < String(y) ? -1 : String(x) > String(y) ? 1 : 0;
    return order * sign || i - j;
  });
  state.rows = rows.map(([row]) => row);
  state.picked = -1;
  $('count').textContent = state.rows.length + (state.group ? ' groups' : ' kernels') +
      (state.rows.length === state.kernels.length ? '' : ', of ' +
       state.kernels.length + ' kernels');
  $('table').setAttribute('aria-rowcount', state.rows.length);
  head();
  $('scroll').scrollTop = 0;
  draw(true);
}

function head() {
  const row = make('tr');
  for (const [key, name, kind] of columns()) {
    const isSorted = key === state.sort;
    const cell = make('th', null, {
      scope: 'col', 'data-key': key, class: kind === 'name' || kind === 'text' ? '' : 'n',
      'aria-sort': isSorted ? (state.down ? 'descending' : 'ascending') : 'none'});
    const button = make('button', name + (isSorted ? (state.down ? ' ▾' : ' ▴') : ''),
                        {type: 'button'});
    button.addEventListener('click', () => {
      state.down = isSorted ? !state.down : kind !== 'name' && kind !== 'text';
      state.sort = key;
      choose();
      document.querySelector('[data-key="' + key + '"] button').focus();
    });
    cell.append(button);
    row.append(cell);
  }
  $('table').tHead.replaceChildren(row);
}

function rowOf(item, number) {
  const row = make('tr', null, {
    'data-row': number, id: 'row' + number, 'aria-rowindex': number + 1,
    'aria-selected': number === state.picked});
  for (const [key, , kind] of columns()) {
    const value = item[key];
    const isNumber = kind === 'bytes' || kind === 'number';
    const text = kind === 'bytes' ? size(value || 0)
        : typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2)
        : value === undefined ? '' : String(value);
    const cell = make('td', text, {class: kind === 'name' ? 'name' : isNumber ? 'n' : '',
                                   title: isNumber ? String(value) : text});
    if (key === 'change' && value)
      cell.classList.add(value > 0 ? 'worse' : 'better');
    if (key === 'wasted_bytes') {
      const bar = make('span', null, {class: 'bar', 'aria-hidden': 'true'});
      const part = make('i');
      part.style.width = Math.min(100, 100 * value / (state.totals.wasted_bytes || 1)) + '%';
      bar.append(part);
      cell.append(' ' + percent(value, state.totals.wasted_bytes), bar);
    }
    row.append(cell);
  }
  row.addEventListener('click', () => { pick(number); open(item); });
  return row;
}

// Only the rows around what is seen are there; two rows stand for the others.
function draw(always) {
  const box = $('scroll');
  const first = state.printing ? 0
      : Math.max(0, Math.floor(box.scrollTop / kRow) - kAround);
  const last = state.printing ? Math.min(state.rows.length, 2000)
      : Math.min(state.rows.length,
                 Math.ceil((box.scrollTop + box.clientHeight) / kRow) + kAround);
  if (!always && first === state.first && last === state.last) return;
  state.first = first;
  state.last = last;
  const space = (rows) => {
    const row = make('tr', null, {'aria-hidden': 'true'});
    const cell = make('td', null, {colspan: columns().length});
    cell.style.cssText = 'padding:0;border:0;height:' + rows * kRow + 'px';
    row.append(cell);
    return row;
  };
  const rows = [];
  if (first) rows.push(space(first));
  for (let i = first; i < last; ++i) rows.push(rowOf(state.rows[i], i));
  if (last < state.rows.length && !state.printing)
    rows.push(space(state.rows.length - last));
  $('table').tBodies[0].replaceChildren(...rows);
}

function pick(number) {
  state.picked = Math.max(0, Math.min(state.rows.length - 1, number));
  const box = $('scroll'), top = state.picked * kRow;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + 3 * kRow > box.scrollTop + box.clientHeight)
    box.scrollTop = top + 3 * kRow - box.clientHeight;
  box.setAttribute('aria-activedescendant', 'row' + state.picked);
  draw(true);
}

// --- One kernel ------------------------------------------------------------

function line(name, value) {
  const row = make('p');
  row.append(make('strong', name + ' '), make('span', value));
  return row;
}

function open(item) {
  const panel = $('panel');
  panel.hidden = false;
  if (state.group) {
    panel.replaceChildren(make('h2', item.name || '(none)'),
        make('p', item.kernels + ' kernels, ' + item.accesses + ' accesses, ' +
             size(item.wasted_bytes) + ' wasted of ' + size(item.moved_bytes)));
    return;
  }
  const close = make('button', 'Close', {id: 'close', type: 'button'});
  close.addEventListener('click', shut);
  const parts = [make('h2', item.instruction), close];
  parts.push(line('op', item.opcode + ' in ' + item.computation +
                  (item.line ? ', line ' + item.line : '')));
  parts.push(line('result', item.shapes.join(', ')));
  if (item.op_name) parts.push(line('op_name', item.op_name));
  if (item.stack) parts.push(line('source', item.stack.join(' < ')));
  let launch = item.launch + (item.emitter ? ', emitter ' + item.emitter : '');
  if (item.grid)
    launch += ', grid ' + item.grid.join(' x ') + ', block ' + item.block.join(' x ');
  parts.push(line('launch', launch + ', runs ' +
                  (item.trips === 1 ? 'once' : item.trips + ' times')));
  for (const tile of item.shared || [])
    parts.push(line('shared', tile.shape.join(' x ') + ', ' + tile.bytes +
                    ' bytes' + (tile.conflicts ? ', conflicts ' + tile.conflicts : '')));
  if (item.predicted_us !== undefined)
    parts.push(line('predicted', item.predicted_us + ' µs' +
                    (item.share === undefined ? '' : ', ' + percent(item.share, 1))));
  parts.push(line('bytes', size(item.wasted_bytes) + ' wasted of ' +
                  size(item.moved_bytes)));
  if (item.was)
    parts.push(line('was', size(item.was.wasted_bytes) + ' wasted of ' +
                    size(item.was.moved_bytes) + ' (' + item.was.instruction + ')'));
  for (const [key, name] of [['reads', 'reads'], ['writes', 'writes']])
    for (const access of item[key]) parts.push(...accessParts(item, access, name));
  parts.push(...neighbours(item, 'made by', (kernel) => kernel.from),
             ...neighbours(item, 'read by', (kernel) => kernel.to));
  panel.replaceChildren(...parts);
}

// The kernels around one, two steps far.
function neighbours(kernel, name, next) {
  const list = (from, depth) => {
    const items = make('ul');
    for (const other of next(from).slice(0, 12)) {
      const item = make('li'), button = make('button', other.instruction, {type: 'button'});
      button.addEventListener('click', () => { open(other); $('panel').focus(); });
      item.append(button, ' ' + size(other.wasted_bytes) + ' wasted');
      if (depth > 1 && next(other).length) item.append(list(other, depth - 1));
      items.append(item);
    }
    if (next(from).length > 12) items.append(make('li', 'and ' + (next(from).length - 12) + ' more'));
    return items;
  };
  return next(kernel).length ? [make('h3', name), list(kernel, 2)] : [];
}

function connect() {
  const byName = new Map();
  const key = (kernel, name) =>
      [kernel.file, kernel.module, kernel.computation, name].join('\n');
  for (const kernel of state.kernels) {
    kernel.from = [];
    kernel.to = [];
    byName.set(key(kernel, kernel.instruction), kernel);
  }
  for (const kernel of state.kernels)
    for (const read of kernel.reads) {
      const maker = byName.get(key(kernel, read.instruction));
      if (!maker || kernel.from.includes(maker)) continue;
      kernel.from.push(maker);
      maker.to.push(kernel);
    }
}

function shut() {
  $('panel').hidden = true;
  $('scroll').focus();
}

function accessParts(kernel, access, name) {
  const parts = [make('h3', name + ' ' + access.instruction + ' ' + access.shape)];
  if (access.reason) {
    parts.push(make('p', access.reason));
  } else {
    parts.push(make('p', access.pattern +
        (access.pattern_bits ? ', ' + access.pattern_bits / 8 + ' B' : '') +
        (access.coalesced ? '' : ', not coalesced') + ': ' +
        shown(access.wasted_bytes) + ' bytes wasted of ' + shown(access.moved_bytes)));
    if (access.remedy)
      parts.push(line('would mend it', access.remedy +
          (access.layout ? ', layout {' + access.layout.join(',') + '}' : '')));
  }
  if (access.source) parts.push(line('source', access.source));
  if (access.map) {
    const code = make('p');
    code.append(make('code', access.map));
    parts.push(code);
    const maps = access.map.split('; ').map((text) => state.data.maps[text]);
    if (maps.every(Boolean) && maps.length)
      parts.push(picture(maps, access, kernel));
    parts.push(...warpPicture(kernel, access));
  }
  return parts;
}

// The part of a side that is shown: around the middle one of interest.
function part(bounds, middle) {
  const count = bounds[1] - bounds[0] + 1;
  const first = count <= kSide ? bounds[0]
      : Math.max(bounds[0], Math.min(bounds[1] - kSide + 1, middle - kSide / 2));
  const indices = [];
  for (let i = first; i <= bounds[1] && i < first + kSide; ++i) indices.push(i);
  return indices;
}

// Two dimensions of a space, the others where `at` is.
function grid(bounds, at, label, cellOf) {
  const rank = bounds.length;
  const rows = rank > 1 ? part(bounds[rank - 2], at[rank - 2]) : [0];
  const across = rank > 0 ? part(bounds[rank - 1], at[rank - 1]) : [0];
  const table = make('table', null, {'aria-label': label});
  table.append(make('caption', label));
  const top = make('tr');
  top.append(make('th'));
  for (const c of across) top.append(make('th', rank ? c : '', {scope: 'col'}));
  table.append(top);
  for (const r of rows) {
    const row = make('tr');
    row.append(make('th', rank > 1 ? r : '', {scope: 'row'}));
    for (const c of across) {
      const index = at.slice();
      if (rank > 1) index[rank - 2] = r;
      if (rank > 0) index[rank - 1] = c;
      row.append(cellOf(index));
    }
    table.append(row);
  }
  return table;
}

// The index space of a kernel: what its accesses of that rank have together.
function spaceOf(kernel, rank) {
  let sides = null;
  for (const access of accessesOf(kernel))
    for (const text of (access.map || '').split('; ')) {
      const map = state.data.maps[text];
      if (!map || map.dims.length !== rank) continue;
      sides = sides ? sides.map((side, k) => [Math.min(side[0], map.dims[k][0]),
                                              Math.max(side[1], map.dims[k][1])])
                    : map.dims.map((bounds) => bounds.slice());
    }
  return sides;
}

// An element of the index space, and those of the array that it reads.
function picture(maps, access, kernel) {
  const box = make('div', null, {class: 'picture'});
  const dims = spaceOf(kernel, maps[0].dims.length);
  let index = dims.map((bounds) => bounds[0]);
  const sides = (/\[([^\]]*)\]/.exec(access.shape) || ['', ''])[1]
      .split(',').filter(Boolean).map((n) => [0, Math.max(0, parseInt(n.replace('<=', ''), 10) - 1)]);
  const show = () => {
    const read = new Map();
    let more = false;
    for (const map of maps) {
      const answer = elementsOf(map, index);
      more = more || answer.more;
      for (const [key, element] of answer.found) read.set(key, element);
    }
    const first = read.size ? read.values().next().value : sides.map(() => 0);
    const inputs = make('p');
    inputs.append('element ');
    dims.forEach((bounds, k) => {
      const input = make('input', null, {
        type: 'number', min: bounds[0], max: bounds[1], value: index[k],
        'aria-label': 'index ' + k});
      input.addEventListener('change', () => {
        const value = Number(input.value);
        if (isIn(value, bounds)) index[k] = value;
        show();
        box.querySelectorAll('input')[k].focus();
      });
      inputs.append(input, ' ');
    });
    const text = [...read.values()].slice(0, 12)
        .map((element) => '(' + element.join(', ') + ')').join(' ');
    const words = make('p', read.size + (read.size === 1 ? ' element' : ' elements') +
        (more ? ', and more' : '') + (text ? ': ' + text : '') +
        (read.size > 12 ? ' …' : ''), {'aria-live': 'polite', class: 'answer'});
    const grids = make('div', null, {class: 'grids'});
    grids.append(grid(dims, index, 'index', (at) => {
      const cell = make('td', null, {'data-index': at.join(','), title: '(' + at.join(', ') + ')'});
      if (at.join(',') === index.join(',')) {
        cell.className = 'asked';
      } else if (!maps.some((map) => map.dims.every((side, k) => isIn(at[k], side)))) {
        cell.className = 'hole';
        cell.title += ': reads nothing here';
      }
      cell.addEventListener('click', () => { index = at; show(); });
      return cell;
    }), grid(sides, first, access.instruction, (at) => {
      const isRead = read.has(at.join(','));
      return make('td', null, {class: isRead ? 'read' : '', title: '(' + at.join(', ') + ')' +
                               (isRead ? ': read' : '')});
    }));
    box.replaceChildren(inputs, words, grids);
  };
  show();
  return box;
}

// --- Begin -----------------------------------------------------------------

function addTotals(documents) {
  const totals = {};
  for (const each of documents)
    for (const key in each.totals || {})
      if (typeof each.totals[key] === 'number')
        totals[key] = (totals[key] || 0) + each.totals[key];
  state.totals = totals;
  const table = make('table', null, {class: 'reads'});
  table.append(make('caption', 'Totals'));
  for (const [name, key] of [['reads', 'read_'], ['writes', 'write_'], ['all', '']]) {
    const row = make('tr');
    row.append(make('th', name, {scope: 'row'}));
    row.append(make('td', size(totals[key + 'moved_bytes'] || 0) + ' moved'));
    row.append(make('td', size(totals[key + 'wasted_bytes'] || 0) + ' wasted (' +
        percent(totals[key + 'wasted_bytes'], totals[key + 'moved_bytes']) + ')'));
    table.append(row);
  }
  if (totals.moved_bytes !== undefined) $('totals').append(table);
}

function addGone(documents) {
  const gone = documents.flatMap((each) => each.gone || []);
  if (!gone.length) return;
  const list = make('details');
  list.append(make('summary', gone.length + ' kernels are gone'));
  for (const each of gone)
    list.append(make('p', each.instruction + ' ' + each.shapes.join(', ') + ', ' +
                     size(each.wasted_bytes) + ' wasted'));
  $('totals').append(list);
}

function keys(event) {
  const inField = /INPUT|SELECT/.test(document.activeElement.tagName);
  if (event.key === '/' && !inField) {
    event.preventDefault();
    $('search').focus();
  } else if (event.key === 'Escape' && !$('panel').hidden) {
    shut();
  } else if (document.activeElement === $('scroll')) {
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15};
    const isEnd = event.key === 'End', isHome = event.key === 'Home';
    if (event.key in steps) pick(state.picked + steps[event.key]);
    else if (isEnd || isHome) pick(isEnd ? state.rows.length - 1 : 0);
    else if (event.key === 'Enter' && state.picked >= 0) {
      open(state.rows[state.picked]);
      $('panel').focus();
    } else return;
    event.preventDefault();
  }
}

async function begin() {
  const data = state.data = await unpacked();
  data.documents = data.documents.map((each) => restored(each, data));
  state.kernels = data.documents.flatMap((each) => (each.kernels || []).map(
      (kernel) => Object.assign(kernel, each.file ? {file: each.file} : {})));
  state.has = {};
  for (const kernel of state.kernels) {
    for (const key of ['was', 'emitter', 'predicted_us'])
      if (kernel[key] !== undefined) state.has[key] = true;
    if (kernel.was) kernel.change = kernel.wasted_bytes - kernel.was.wasted_bytes;
  }
  const device = data.documents.length ? data.documents[0].device : {};
  state.device = device;
  connect();
  document.title = $('about').textContent = state.kernels.length +
      ' kernels on ' + device.name + ': warps of ' + device.warp +
      ' lanes, sectors of ' + device.sector + ' bytes';
  addTotals(data.documents);
  addGone(data.documents);
  for (const [value, name] of [['', 'nothing'], ['pattern', 'pattern'],
      ['op_name', 'op_name'], ['source', 'source'], ['opcode', 'op'],
      ...(state.has.emitter ? [['emitter', 'emitter']] : [])])
    $('group').append(make('option', name, {value}));
  $('search').addEventListener('input', choose);
  $('least').addEventListener('input', choose);
  $('group').addEventListener('change', () => {
    state.group = $('group').value;
    state.sort = 'wasted_bytes';
    state.down = true;
    choose();
  });
  $('controls').addEventListener('submit', (event) => event.preventDefault());
  $('scroll').addEventListener('scroll', () => draw(false));
  window.addEventListener('resize', () => draw(false));
  document.addEventListener('keydown', keys);
  window.addEventListener('beforeprint', () => { state.printing = true; draw(true); });
  window.addEventListener('afterprint', () => { state.printing = false; draw(true); });
  choose();
  document.body.dataset.ready = String(Math.round(performance.now()));
}
begin();
