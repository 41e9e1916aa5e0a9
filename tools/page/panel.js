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
