// --- What goes between devices ---------------------------------------------

// Larger meshes are shown with several devices in a row and column.
const kMostCells = 64;

// Calls each(from, to, bytes) for what goes from device to device, if each part
// goes from its holder to its needers directly.
function transfersOf(collective, each) {
  const bytes = collective.bytes;
  for (const [from, to] of collective.pairs || [])
    if (from !== to) each(from, to, bytes);
  for (const group of collective.groups || [])
    group.forEach((from, a) => group.forEach((to, b) => {
      if (a === b || collective.op === 'ragged-all-to-all') return;
      if (collective.op === 'collective-broadcast') {
        if (a === 0) each(from, to, bytes);
      } else if (collective.op === 'all-gather') {
        each(from, to, bytes);
      } else {
        each(from, to, (collective.op === 'all-reduce' ? 2 : 1) * bytes / group.length);
      }
    }));
}

// Sums of bytes by row (from) and column (to), of collectives together.
function matrixOf(collectives) {
  const devices = Math.max(...collectives.map((each) => each.devices));
  const step = Math.ceil(devices / kMostCells), side = Math.ceil(devices / step);
  const cells = Array.from({length: side}, () => new Array(side).fill(0));
  for (const collective of collectives)
    transfersOf(collective, (from, to, bytes) => {
      cells[Math.floor(from / step)][Math.floor(to / step)] += bytes;
    });
  return {devices, step, side, cells};
}

function matrixPicture(collectives, label) {
  const {devices, step, side, cells} = matrixOf(collectives);
  const most = Math.max(1, ...cells.flat());
  const name = (i) => step === 1 ? String(i)
      : i * step + '–' + (Math.min(devices, (i + 1) * step) - 1);
  const table = make('table', null, {'aria-label': label});
  table.append(make('caption', label + ': bytes from the device of a row to that of a column'));
  const top = make('tr');
  top.append(make('th'));
  for (let j = 0; j < side; ++j) top.append(make('th', name(j), {scope: 'col'}));
  table.append(top);
  for (let i = 0; i < side; ++i) {
    const row = make('tr');
    row.append(make('th', name(i), {scope: 'row'}));
    for (let j = 0; j < side; ++j) {
      const bytes = cells[i][j];
      const cell = make('td', '', {
        title: 'from ' + name(i) + ' to ' + name(j) + ': ' + bytes + ' bytes',
        'data-bytes': bytes});
      if (bytes) {
        const share = Math.ceil(10 * bytes / most);
        cell.className = 'heat heat' + share;
      }
      row.append(cell);
    }
    table.append(row);
  }
  const box = make('div', null, {class: 'grids', tabindex: '0'});
  box.append(table);
  return box;
}

// The first plan of a reshard in the words of the text: `2 x permute, slice,
// 4.2 MB, saves 2.1 MB`. Steps of one kind in a row are one word.
function planOf({plan}) {
  if (!plan) return '';
  const steps = [];
  for (const op of plan.ops)
    if (steps.length && steps[steps.length - 1].op === op) ++steps[steps.length - 1].count;
    else steps.push({op, count: 1});
  const words = steps.map(({op, count}) => (count > 1 ? count + ' x ' : '') + op);
  return (words.join(', ') || 'nothing') + ', ' + size(plan.all_bytes) +
      (plan.saved_bytes > 0 ? ', saves ' + size(plan.saved_bytes) : '');
}

function reshardRow(reshard, collectives, show) {
  const row = make('tr');
  const head = make('th', null, {scope: 'row'});
  const button = make('button', reshard.instruction, {type: 'button', class: 'link'});
  button.addEventListener('click', () => show(reshard, collectives));
  head.append(button);
  row.append(head, make('td', collectives.map((each) => each.op + ' ' + each.instruction).join(', ')),
             make('td', size(reshard.saved_bytes)),
             make('td', reshard.all_bytes === undefined ? '' : size(reshard.all_bytes)),
             make('td', size(reshard.needed_all_bytes) +
                  (reshard.needed_exact ? '' : ' at most')),
             make('td', reshard.ratio === undefined ? '' : reshard.ratio.toFixed(2)),
             make('td', planOf(reshard)),
             make('td', reshard.trips), make('td', reshard.op_name || ''),
             make('td', reshard.source || ''));
  return row;
}

function addCommunication(documents) {
  for (const each of documents) {
    if (!each.reshards) continue;
    // Instructions of several computations may have one name; a run begins in
    // its own.
    const byName = new Map(), byPlace = new Map();
    for (const one of each.collectives) {
      byName.set(one.module + ' ' + one.instruction, one);
      byPlace.set([one.module, one.computation, one.instruction].join(' '), one);
    }
    const of = (reshard) => reshard.collectives.map((name) =>
        byPlace.get([reshard.module, reshard.computation, name].join(' ')) ||
        byName.get(reshard.module + ' ' + name)).filter(Boolean);
    const list = make('details', null, {id: 'between'});
    const totals = each.totals || {};
    list.append(make('summary', each.collectives.length + ' collectives between ' +
        Math.max(...each.collectives.map((one) => one.devices)) + ' devices' +
        (totals.received_bytes === undefined ? '' : ': ' + size(totals.received_bytes) +
         ' received, ' + size(totals.needed_bytes) + ' needed')));
    const table = make('table', null, {class: 'reads'});
    const head = make('tr');
    for (const name of ['value', 'collectives', 'could be saved', 'moves', 'needs', 'ratio',
                        'plan', 'trips', 'op_name', 'source'])
      head.append(make('th', name, {scope: 'col'}));
    table.append(head);
    const picture = make('div', null, {class: 'devices'});
    const show = (reshard, collectives) => picture.replaceChildren(
        matrixPicture(collectives, reshard.instruction));
    for (const reshard of each.reshards.slice(0, 200))
      table.append(reshardRow(reshard, of(reshard), show));
    list.append(table);
    if (each.reshards.length > 200)
      list.append(make('p', 'and ' + (each.reshards.length - 200) + ' more', {class: 'soft'}));
    list.append(picture);
    // All of them together, until one is chosen.
    picture.append(matrixPicture(each.collectives, 'all collectives, each once'));
    $('totals').append(list);
  }
}

Object.assign(window.indexical, {matrixOf});
