// --- The table -------------------------------------------------------------

const columns = () => state.group ? [
  ['name', state.group, 'name'],
  ...(state.has.avoidable_us ? [['avoidable_us', 'avoidable', 'time']] : []),
  ['wasted_bytes', 'wasted', 'bytes'],
  ['moved_bytes', 'moved', 'bytes'], ['kernels', 'kernels', 'number'],
  ['accesses', 'accesses', 'number'],
] : [...narrow(), ...(state.isWide ? wide() : [])];

// The columns that fit beside each other.
const narrow = () => [
  ['instruction', 'kernel', 'name'],
  ...(state.ranking.some((each) => each.members.length > 1) ? [['number', 'alike', 'number']] : []),
  ...(state.has.avoidable_us ? [['avoidable_us', 'avoidable', 'time']] : []),
  ...(state.has.measured_us ? [
    ['measured_us', 'measured', 'time'], ['measured_total_us', 'total', 'time'],
    ['measured_share', '% of time', 'share'], ['launches', 'launches', 'number'],
  ] : []),
  ...(state.has.predicted_us ? [['predicted_us', 'predicted', 'time']] : []),
  ...(state.has.predicted_us && !state.has.measured_us ? [['share_of_all', '% of time', 'share']] : []),
  ...(state.has.measured_us ? [['predicted_ratio', 'ratio', 'number']] : []),
  ...(state.has.predicted_us ? [['limited_by', 'bound by', 'text']] : []),
  ['wasted_bytes', 'wasted', 'bytes'], ['moved_bytes', 'moved', 'bytes'],
  ...(state.has.was ? [['change', 'change of waste', 'bytes']] : []),
  ...(state.has.change_us ? [['change_us', 'change of time', 'time']] : []),
  ...(state.has.change_avoidable_us
      ? [['change_avoidable_us', 'change of avoidable', 'time']] : []),
  ...(state.has.work ? [['work', 'work', 'text']] : [['opcode', 'op', 'text']]),
  ...(state.has.measured_us ? [] : [['op_name', 'op_name', 'path']]),
];

// The others.
const wide = () => [
  ...(state.has.lost_us ? [['lost_us', 'lost', 'time'], ['ideal_us', 'ideal', 'time']] : []),
  ...(state.has.measured_us ? [
    ['over_ideal', 'measured / ideal', 'number'], ['measured_min_us', 'least', 'time'],
    ['launch_match', 'launch', 'text'], ['module_name', 'module', 'text'],
    ['op_name', 'op_name', 'path'],
  ] : []),
  ...(state.has.work ? [['opcode', 'op', 'text']] : []),
  ...(state.has.emitter ? [['emitter', 'emitter', 'text']] : []),
  ['trips', 'trips', 'number'],
  ...(state.has.time_use ? [['time_use', 'use', 'text'], ['reason', 'why', 'text']] : []),
  ['source', 'source', 'path'],
  ...(state.has.device ? [['device', 'device', 'text']] : []),
  ...(state.has.file ? [['file', 'file', 'path']] : []),
];

const accessesOf = (kernel) => [...kernel.reads, ...kernel.writes];

function textOf(kernel) {
  if (!kernel.text)
    kernel.text = [kernel.instruction, kernel.op_name, kernel.source,
                   kernel.opcode, kernel.emitter, kernel.file,
                   kernel.advice, kernel.work,
                   ...accessesOf(kernel).flatMap((access) => [
                     access.instruction, access.op_name, access.source,
                     access.pattern, access.reason])].join('\n').toLowerCase();
  return kernel.text;
}

// The groups of all reads and writes, which the report has.
const grouped = (words) => (state.groups[state.group] || []).filter((group) =>
    words.every((word) => group.name.toLowerCase().includes(word)));

function choose() {
  const words = wordsOfSearch();
  const from = Number($('least').value) || 0, figure = $('figure').value;
  const kernels = state.kernels.filter((kernel) =>
      words.every((word) => textOf(kernel).includes(word)) &&
      (!state.filter || state.filter.takes(kernel)));
  let rows = state.group ? grouped(words) : joined(kernels);
  if (from) rows = rows.filter((row) => leastOf(row, figure) >= from);
  rows = sorted(rows);
  const what = state.group ? ' group' : rows.some((row) => row.members) ? ' row' : ' kernel';
  const words_ = rows.length + what + (rows.length === 1 ? '' : 's') +
      (rows.length === state.kernels.length ? '' : ', of ' +
       state.kernels.length + ' kernels');
  // Those that are open have their kernels below them.
  list(rows.flatMap((row) => row.members && state.opened.has(row.key)
      ? [row, ...row.members.map((each) => ({...each, isMember: true}))] : [row]), words_);
}

// What a cell has beside its text: a bar, or a colour.
function adorn(cell, key, value, row) {
  if (key === 'instruction') cell.replaceChildren(linkTo(row, value));
  if (key === 'instruction' && row.isMember) cell.classList.add('member');
  if (key === 'number' && row.members) {
    const isOpen = state.opened.has(row.key);
    const button = make('button', row.number + (isOpen ? ' ▾' : ' ▸'), {
      type: 'button', 'aria-expanded': String(isOpen),
      'aria-label': row.number + ' kernels that are alike'});
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      if (isOpen) state.opened.delete(row.key);
      else state.opened.add(row.key);
      choose();
    });
    cell.replaceChildren(button);
  }
  if (key.startsWith('change') && value)
    cell.classList.add(value > 0 ? 'worse' : 'better');
  if (key === 'over_ideal' && value) {
    // The part that the ideal takes is dark; a kernel of ten times is full.
    const bar = make('span', null, {class: 'bar', 'aria-hidden': 'true'});
    const part = make('i');
    part.style.width = Math.min(100, 10 * value) + '%';
    bar.append(part);
    cell.append(bar);
  }
  if (key !== 'wasted_bytes') return;
  const bar = make('span', null, {class: 'bar', 'aria-hidden': 'true'});
  const part = make('i');
  // Where there is no sum, of the most that one wastes.
  const whole = state.totals.wasted_bytes;
  const isKnown = leastOf(row, key) === value && leastOf(state.totals, key) === whole;
  const sure = leastOf(row, key), ofAll = leastOf(state.totals, key);
  part.style.width = Math.min(100, 100 * sure / (ofAll || state.most || 1)) + '%';
  bar.append(part);
  cell.append(isKnown && whole !== undefined ? ' ' + percent(value, whole) : '', bar);
}
