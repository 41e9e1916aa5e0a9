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
  const what = state.group ? ' group' : ' kernel';
  $('count').textContent = state.rows.length + what +
      (state.rows.length === 1 ? '' : 's') +
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
