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
// The access's thread map leads to the array itself, piece by piece.
function lanesOf(kernel, access, number) {
  const maps = (access.thread_map || '').split('; ').map((text) => state.data.maps[text]);
  const layout = layoutOf(access);
  if (!layout || !maps.every((map) => map && map.dims.length === 6)) return null;
  // Its domain may be a part of the launch's.
  const threads = state.data.maps[kernel.thread_map] || maps[0];
  const ids = idsOf(threads, state.device.warp, number);
  const loops = maps.map((map) => map.ranges.map((bounds) => bounds[0]));
  const open = maps.map(() => true);
  for (let tries = 0; tries < 4096 && open.some(Boolean); ++tries)
    for (const [m, map] of maps.entries()) {
      if (!open[m]) continue;
      const read = new Map();
      ids.forEach((own, lane) => {
        for (let v = 0; v < (access.vector || 1); ++v) {
          const values = loops[m].slice();
          if (v) values[values.length - 1] += v;
          const element = resultsAt(map, own, values);
          if (!element) continue;
          const byte = layout.bytes *
              element.reduce((sum, i, k) => sum + i * layout.steps[k], 0);
          read.set(byte, [...(read.get(byte) || []), lane]);
        }
      });
      if (read.size)
        return {read, bytes: layout.bytes, warps: warpsOf(threads, state.device.warp)};
      let k = 0;
      while (k < loops[m].length && loops[m][k] === map.ranges[k][1])
        loops[m][k] = map.ranges[k++][0];
      if (k === loops[m].length) open[m] = false;
      else ++loops[m][k];
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
