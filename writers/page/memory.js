// --- Memory: a warp, a tile in shared memory, a block ----------------------

const kMostSectors = 10, kBanks = 32, kMostTried = 4096, kMostOfBlock = 1 << 18;
// The warps that are looked at for the one that wastes most: so many first ones,
// and as many of the others, each at a few values of its loops.
const kWarpsTried = 64, kTriedOfMany = 16;

// Where the elements of an array lie: the bits of one, and the bit at which an
// element begins. Nothing where the layout is not followed.
function layoutOf(access) {
  const array = state.data.arrays[access.shape];
  if (!array || !array.address || !array.bits) return null;
  const bitOf = (element) => {
    const place = resultsAt(array.address, element, []);
    return place && place[0] * array.bits;
  };
  return {bits: array.bits, unit: Math.max(8, array.bits), bitOf};
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

const mapsNamed = (texts) => (texts || '').split('; ').map((text) => state.data.maps[text]);

// The pieces of an access from thread and block to the array; nothing where one
// is not known, or goes elsewhere.
function threadMapsOf(access) {
  const maps = mapsNamed(access.thread_map);
  return maps.every((map) => map && map.dims.length === 6) ? maps : null;
}

// The next values of a map's ranges, the first one fastest; false at the end.
function advance(values, ranges) {
  for (let k = 0; k < values.length; ++k) {
    if (values[k] < ranges[k][1]) {
      ++values[k];
      return true;
    }
    values[k] = ranges[k][0];
  }
  return false;
}

// What the lanes of a warp read in their first access: units of memory (bytes,
// or elements that are larger), and the lanes. The access's thread map leads to
// the array itself, piece by piece.
function lanesOf(kernel, access, number, mostTried = kMostTried) {
  const maps = threadMapsOf(access), layout = layoutOf(access);
  if (!layout || !maps) return null;
  // Its domain may be a part of the launch's.
  const threads = state.data.maps[kernel.thread_map] || maps[0];
  const ids = idsOf(threads, kernel.on.warp, number);
  const loops = maps.map((map) => map.ranges.map((bounds) => bounds[0]));
  const open = maps.map(() => true);
  for (let tries = 0; tries < mostTried && open.some(Boolean); ++tries)
    for (const [m, map] of maps.entries()) {
      if (!open[m]) continue;
      const read = new Map();
      ids.forEach((own, lane) => {
        for (let v = 0; v < (access.vector || 1); ++v) {
          const values = loops[m].slice();
          if (v) values[values.length - 1] += v;
          const element = resultsAt(map, own, values);
          if (!element) continue;
          const unit = Math.floor(layout.bitOf(element) / layout.unit);
          const lanes = read.get(unit) || [];
          if (!lanes.includes(lane)) read.set(unit, [...lanes, lane]);
        }
      });
      if (read.size) return {read, bytes: layout.unit / 8};
      open[m] = advance(loops[m], map.ranges);
    }
  return null;
}

const shortLanes = (lanes) => lanes[0] + (lanes.length > 1 ? '…' : '');
const inWords = (lanes) => 'lane' + (lanes.length > 1 ? 's ' : ' ') + lanes.join(', ');

// Something that is shown for a number, which a field changes.
function byNumber(name, className, show, first = 0) {
  const box = make('div', null, {class: className});
  const again = (number, isAsked) => {
    const words = make('p', name + ' ');
    words.append(numberField(name, number, [0, null], (value) => again(value, true)));
    box.replaceChildren(words, ...show(number));
    if (isAsked) box.querySelector('input').focus();
  };
  again(first, false);
  return box;
}

// The warp whose first access wastes most, the first of several.
function worstWarp(kernel, access) {
  const maps = threadMapsOf(access);
  if (!maps) return 0;
  const threads = state.data.maps[kernel.thread_map] || maps[0];
  const {inBlock, blocks} = warpsOf(threads, kernel.on.warp), warps = inBlock * blocks;
  const wasted = (number) => {
    const answer = lanesOf(kernel, access, number, kTriedOfMany), sector = kernel.on.sector;
    if (!answer) return -1;
    const sectors = new Set([...answer.read.keys()].map(
        (unit) => Math.floor(unit * answer.bytes / sector)));
    return sectors.size - Math.ceil(answer.read.size * answer.bytes / sector);
  };
  let worst = 0, most = -1;
  const look = (number) => {
    const now = wasted(number);
    if (now > most) [worst, most] = [number, now];
  };
  for (let number = 0; number < Math.min(warps, kWarpsTried); ++number) look(number);
  const step = Math.ceil(warps / kWarpsTried);
  for (let number = kWarpsTried; number < warps; number += step) look(number);
  return worst;
}

// Its sectors, and which lanes use what of them.
function warpPicture(kernel, access) {
  const first = worstWarp(kernel, access);
  if (!lanesOf(kernel, access, first)) return [];
  return [byNumber('warp', 'warp', (number) => {
    const answer = lanesOf(kernel, access, number), sector = kernel.on.sector;
    if (!answer) return [make('p', 'This warp has no access.')];
    const {read, bytes} = answer;
    const sectors = [...new Set([...read.keys()].map((unit) => Math.floor(unit * bytes / sector)))]
        .sort((a, b) => a - b);
    const grids = make('div', null, {class: 'grids'}), table = make('table');
    table.append(make('caption', 'sectors of the first access'));
    for (const each of sectors.slice(0, kMostSectors)) {
      const row = make('tr');
      row.append(make('th', each, {scope: 'row'}));
      for (let byte = each * sector; byte < (each + 1) * sector; byte += bytes) {
        const lanes = read.get(byte / bytes);
        row.append(make('td', lanes ? shortLanes(lanes) : '', {
          class: lanes ? 'lane' : 'waste',
          title: 'byte ' + byte + ': ' + (lanes ? inWords(lanes) : 'moved, and not used')}));
      }
      table.append(row);
    }
    grids.append(table);
    if (sectors.length > kMostSectors)
      grids.append(make('p', 'and ' + (sectors.length - kMostSectors) + ' more', {class: 'soft'}));
    return [make('p', sectors.length + ' sectors, ' + sectors.length * sector +
                 ' bytes moved, ' + read.size * bytes + ' used'), grids];
  }, first)];
}

// --- Shared memory ---------------------------------------------------------

// The words of a tile that the lanes of a warp touch first, and the lanes. Half
// of a wavefront of 64 asks at once.
function wordsOf(map, tile, number, device) {
  const words = new Map();
  const bits = Math.max(8, 8 * tile.bytes / tile.shape.reduce((a, b) => a * b, 1));
  const loops = map.ranges.map((bounds) => bounds[0]);
  idsOf(map, device.warp, number).slice(0, kBanks).forEach((own, lane) => {
    const place = resultsAt(map, own, loops);
    if (!place) return;
    const word = Math.floor(place[0] * bits / 32);
    words.set(word, [...(words.get(word) || []), lane]);
  });
  return words;
}

function bankGrid(words, name) {
  const table = make('table', null, {'aria-label': name});
  table.append(make('caption', name));
  const top = make('tr');
  top.append(make('th', 'bank'));
  for (let bank = 0; bank < kBanks; ++bank) top.append(make('th', bank, {scope: 'col'}));
  table.append(top);
  const rows = [...new Set([...words.keys()].map((word) => Math.floor(word / kBanks)))];
  for (const first of rows.sort((a, b) => a - b).slice(0, 64)) {
    const row = make('tr');
    row.append(make('th', first * kBanks, {scope: 'row'}));
    for (let bank = 0; bank < kBanks; ++bank) {
      const lanes = words.get(first * kBanks + bank);
      row.append(make('td', lanes ? shortLanes(lanes) : '', {
        class: lanes ? 'lane' : '',
        title: 'word ' + (first * kBanks + bank) + ', bank ' + bank +
               (lanes ? ': ' + inWords(lanes) : '')}));
    }
    table.append(row);
  }
  return table;
}

// Words of a tile by banks, for what a warp writes and reads first.
function sharedPicture(kernel, tile) {
  const ways = [['writes', tile.write_map], ['reads', tile.read_map]]
      .map(([name, text]) => [name, state.data.maps[text]])
      .filter(([, map]) => map && map.dims.length === 6);
  if (!ways.length) return [];
  const box = make('details');
  box.append(make('summary', 'shared memory ' + tile.shape.join(' x ') + ' by banks'));
  box.append(byNumber('warp', 'shared', (number) => {
    const grids = make('div', null, {class: 'grids'});
    for (const [name, map] of ways) grids.append(bankGrid(wordsOf(map, tile, number, kernel.on), name));
    return [grids];
  }));
  return [box];
}

// --- A block ---------------------------------------------------------------

// The elements that the threads of a block touch, in all of their loops: the
// bits where they begin, and the elements. `more`: there may be others.
function blockOf(kernel, access, number) {
  const maps = threadMapsOf(access), layout = layoutOf(access);
  if (!layout || !maps) return null;
  const threads = state.data.maps[kernel.thread_map] || maps[0];
  const {inBlock, blocks} = warpsOf(threads, kernel.on.warp);
  if (number >= blocks) return null;
  const found = new Map();
  let left = kMostOfBlock;
  for (let warp = 0; warp < inBlock; ++warp)
    for (const own of idsOf(threads, kernel.on.warp, number * inBlock + warp))
      for (const map of maps) {
        const values = map.ranges.map((bounds) => bounds[0]);
        do {
          if (--left < 0) return {found, layout, more: true};
          const element = resultsAt(map, own, values);
          if (element) found.set(layout.bitOf(element), element);
        } while (advance(values, map.ranges));
      }
  return {found, layout, more: false};
}

// How much of an array a block touches, in numbers.
function footprintOf({found, layout, more}, {sector, line}) {
  const sectors = new Set(), lines = new Set();
  for (const bit of found.keys()) {
    sectors.add(Math.floor(bit / 8 / sector));
    lines.add(Math.floor(bit / 8 / line));
  }
  return {elements: found.size, bytes: Math.ceil(found.size * layout.bits / 8),
          sectors: sectors.size, lines: lines.size, more};
}

// The sides of the smallest box around elements.
function boxAround(elements) {
  const sides = elements[0].map((i) => [i, i]);
  for (const element of elements)
    element.forEach((i, k) => {
      sides[k] = [Math.min(sides[k][0], i), Math.max(sides[k][1], i)];
    });
  return sides;
}

// It is computed when it is opened.
function blockPicture(kernel, access) {
  if (!threadMapsOf(access) || !layoutOf(access)) return [];
  const box = make('details'), shown = lastTwo(sidesOf(access.shape).length);
  box.append(make('summary', 'footprint of a block'));
  box.addEventListener('toggle', () => {
    if (!box.open || box.querySelector('.block')) return;
    box.append(byNumber('block', 'block', (number) => {
      const answer = blockOf(kernel, access, number);
      if (!answer) return [make('p', 'There is no such block.')];
      if (!answer.found.size) return [make('p', 'This block has no access.')];
      const sum = footprintOf(answer, kernel.on);
      const elements = [...answer.found.values()], sides = boxAround(elements);
      const words = make('p', (sum.more ? 'at least ' : '') + sum.elements +
          ' elements, ' + sum.bytes + ' bytes, in ' + sum.sectors + ' sectors (' +
          sum.sectors * kernel.on.sector + ' bytes) of ' + sum.lines + ' lines', {class: 'sum'});
      const within = make('p', 'within ' + sides.map(([low, high], k) =>
          'd' + k + ' in [' + low + ', ' + high + ']').join(', '));
      const touched = new Set(elements.map(String));
      const place = make('div');
      const show = () => place.replaceChildren(
          ...planeChoice(shown.length && sides.length, shown, access.instruction, show),
          grid(sidesOf(access.shape), shown, elements[0], access.instruction, (at) => {
            const isRead = touched.has(String(at));
            return make('td', null, {class: isRead ? 'read piece0' : '',
                                     title: textOfIndex(at) + (isRead ? ': touched' : '')});
          }, elements[0].map((_, k) => spanOf(inPlane(elements, shown, elements[0]), k))));
      show();
      const grids = make('div', null, {class: 'grids'});
      grids.append(place);
      return [words, ...(sides.length ? [within] : []), grids];
    }));
  });
  return [box];
}

// Tests ask here.
window.indexical = {elementsOf, lanesOf, worstWarp, wordsOf, blockOf, footprintOf, state};
