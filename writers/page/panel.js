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
             sizesOf(item, 'wasted_bytes') + ' wasted of ' + sizesOf(item, 'moved_bytes')));
    return;
  }
  const close = make('button', 'Close', {id: 'close', type: 'button'});
  close.addEventListener('click', shut);
  const parts = [make('h2', item.instruction), close];
  parts.push(...accessTable(item));
  if (item.members)
    parts.push(line('alike', item.members.length + ' kernels, one after another: ' +
                    item.members.slice(0, 8).map((each) => each.instruction).join(', ') +
                    (item.members.length > 8 ? ' …' : '')));
  if (item.reason) parts.push(line('why', item.reason));
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
                    ' bytes' + (tile.conflicts ? ', conflicts ' + tile.conflicts : '')),
               ...sharedPicture(tile));
  if (item.predicted_us !== undefined)
    parts.push(line('predicted', (item.predicted_least ? 'at least ' : '') +
                    inUnit(item.predicted_us) +
                    (item.ideal_us === undefined ? '' : ', ideal ' + inUnit(item.ideal_us)) +
                    (item.share === undefined ? '' : ', ' + percent(item.share, 1))));
  parts.push(line('bytes', sizesOf(item, 'wasted_bytes') + ' wasted of ' +
                  sizesOf(item, 'moved_bytes')));
  if (item.was)
    parts.push(line('was', size(item.was.wasted_bytes) + ' wasted of ' +
                    size(item.was.moved_bytes) + ' (' + item.was.instruction + ')'));
  const worst = worstOf(item);
  for (const [key, name] of [['reads', 'reads'], ['writes', 'writes']])
    for (const access of item[key])
      parts.push(accessDetails(item, access, name, access === worst));
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
      item.append(button, ' ' + sizesOf(other, 'wasted_bytes') + ' wasted');
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

const movedBy = (access) =>
    access.moved_bytes === undefined ? access.bytes : access.moved_bytes;
const boundsText = (figure) => sizes(least(figure), most(figure));
const patternOf = (access) => access.pattern + (access.by_every_thread ? ', by every thread' : '');

// The access that wastes most, else the one that moves most.
function worstOf(kernel) {
  const key = (access) => [least(access.wasted_bytes), most(access.wasted_bytes),
                           most(movedBy(access))];
  return accessesOf(kernel).reduce((worst, each) => {
    if (!worst) return each;
    const [a, b] = [key(worst), key(each)], at = a.findIndex((value, k) => value !== b[k]);
    return at >= 0 && b[at] > a[at] ? each : worst;
  }, null);
}

// What each read and write moves, in one line; a click opens its pictures.
function accessTable(kernel) {
  if (!accessesOf(kernel).length) return [];
  const table = make('table', null, {class: 'reads accesses'}), head = make('tr');
  for (const name of ['', 'array', 'moved', 'wasted', 'pattern', 'would mend it', 'line'])
    head.append(make('th', name, {scope: 'col'}));
  table.append(head);
  for (const [key, name] of [['reads', 'reads'], ['writes', 'writes']])
    for (const access of kernel[key]) {
      const row = make('tr'), of = make('td'), source = make('td', null, {
        class: 'path', title: access.source || ''});
      const button = make('button', access.instruction, {type: 'button', class: 'link'});
      button.addEventListener('click', () => {
        const at = accessesOf(kernel).indexOf(access);
        const details = document.querySelectorAll('#panel details.access')[at];
        details.open = true;
        details.scrollIntoView({block: 'nearest'});
      });
      of.append(button);
      source.append(make('bdi', access.source || ''));
      row.append(make('td', name), of,
          make('td', boundsText(movedBy(access)), {class: 'n'}),
          make('td', access.reason ? '-' : boundsText(access.wasted_bytes), {class: 'n'}),
          make('td', access.reason || patternOf(access)),
          make('td', (access.remedy || '') +
               (access.layout ? ', layout {' + access.layout.join(',') + '}' : '')), source);
      table.append(row);
    }
  return [table];
}

function accessDetails(kernel, access, name, isOpen) {
  const details = make('details', null, {class: 'access'});
  details.open = isOpen;
  details.append(make('summary', name + ' ' + access.instruction + ' ' + access.shape),
                 ...accessParts(kernel, access));
  return details;
}

function accessParts(kernel, access) {
  const parts = [];
  if (access.reason) {
    parts.push(make('p', access.reason));
  } else {
    parts.push(make('p', patternOf(access) +
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
    const pictures = make('div', null, {class: 'pictures'});
    pictures.append(...readsPicture(kernel, access), ...warpPicture(kernel, access));
    parts.push(pictures, ...blockPicture(kernel, access));
  }
  return parts;
}

// The index space of a kernel: what its accesses of that rank have together.
function spaceOf(kernel, rank) {
  let sides = null;
  for (const access of accessesOf(kernel))
    for (const map of mapsNamed(access.map)) {
      if (!map || map.dims.length !== rank) continue;
      sides = sides ? sides.map((side, k) => [Math.min(side[0], map.dims[k][0]),
                                              Math.max(side[1], map.dims[k][1])])
                    : map.dims.map((bounds) => bounds.slice());
    }
  return sides;
}

// The sides of an array, from its shape.
const sidesOf = (shape) => (/\[([^\]]*)\]/.exec(shape) || ['', ''])[1]
    .split(',').filter(Boolean)
    .map((n) => [0, Math.max(0, parseInt(n.replace('<=', ''), 10) - 1 || 0)]);

// An element of the index space, and those of the array that it reads.
function readsPicture(kernel, access) {
  const maps = mapsNamed(access.map);
  if (!maps.length || !maps.every(Boolean)) return [];
  return [picture({
    maps, from: {sides: spaceOf(kernel, maps[0].dims.length), name: 'index'},
    to: {sides: sidesOf(access.shape), name: access.instruction},
    runtime: maps.map((map, piece) => map.runtime.map(
        (bounds) => bounds[2] + (maps.length > 1 ? ' of map ' + (piece + 1) : ''))),
  })];
}
