// --- Where the time goes ---------------------------------------------------

// Uses of time, as they stand in the bar: key, words, what the key counts.
const kUses = [
  ['unused_sectors', 'unused sectors'], ['blocks_and_waits', 'blocks and waits'],
  ['movement', 'movement'], ['libraries', 'libraries'], ['rest', 'the rest'],
];
const kMostBars = 10;

// Microseconds of all launches, measured where they were, else predicted.
const timeOfAll = (kernel) => state.has.measured_us ? kernel.measured_total_us || 0
    : (kernel.predicted_us || 0) * launchesOf(kernel);

// The part of a kernel's time that its unused sectors take.
function unusedTime(kernel) {
  const isCut = kernel.time_use === 'movement' || kernel.time_use === 'rest';
  return isCut && leastOf(kernel, 'moved_bytes')
      ? timeOfAll(kernel) * leastOf(kernel, 'wasted_bytes') / leastOf(kernel, 'moved_bytes') : 0;
}

const isOfUse = (kernel, use) => use === 'unused_sectors' ? unusedTime(kernel) > 0
    : kernel.time_use === use;

// Kernels that are alike as one: the first of them, with the sums of all.
function joined(kernels) {
  const classes = new Map();
  for (const kernel of kernels) {
    const key = kernel.alike === undefined ? kernel
        : [kernel.file, kernel.alike, kernel.reason].join('\n');
    if (!classes.has(key)) classes.set(key, {key, members: []});
    classes.get(key).members.push(kernel);
  }
  return [...classes.values()].map(({key, members}) => {
    if (members.length === 1) return members[0];
    const sum = (name) => members.some((each) => each[name] !== undefined)
        ? members.reduce((all, each) => all + (each[name] || 0), 0) : undefined;
    const one = {...members[0], key, members, number: members.length};
    for (const name of ['wasted_bytes', 'moved_bytes', 'used_bytes', 'wasted_least_bytes',
                        'moved_least_bytes', 'lost_us', 'share',
                        'launches', 'measured_total_us', 'measured_share'])
      if (members[0][name] !== undefined) one[name] = sum(name);
    return one;
  });
}

// Shows those that the filter takes, or all where it was there before.
function filterBy(filter) {
  const isSame = state.filter && state.filter.name === filter.name;
  state.filter = isSame ? null : filter;
  for (const button of document.querySelectorAll('#overview button'))
    button.setAttribute('aria-pressed', String(!isSame && button.dataset.filter === filter.name));
  choose();
}

function filterButton(name, takes, attributes) {
  const button = make('button', null, {type: 'button', 'aria-pressed': 'false',
                                       'data-filter': name, ...attributes});
  button.addEventListener('click', () => filterBy({name, takes}));
  return button;
}

function useBar(unattributed) {
  const times = {};
  let whole = unattributed;
  for (const kernel of state.kernels) {
    const time = timeOfAll(kernel), unused = unusedTime(kernel);
    whole += time;
    times.unused_sectors = (times.unused_sectors || 0) + unused;
    times[kernel.time_use] = (times[kernel.time_use] || 0) + time - unused;
  }
  if (!(whole > 0)) return [];
  const bar = make('div', null, {class: 'uses'}), words = make('ul', null, {class: 'uses-list'});
  const add = (part, time, name, className) => {
    part.style.flexGrow = time / whole;
    bar.append(part);
    const item = make('li');
    item.append(make('span', null, {class: 'swatch ' + className, 'aria-hidden': 'true'}),
                name + ' ' + inUnit(time) + ', ' + percent(time, whole));
    words.append(item);
  };
  kUses.forEach(([key, name], i) => {
    if (!(times[key] > 0)) return;
    add(filterButton(key, (kernel) => isOfUse(kernel, key), {
      class: 'use' + i, title: name + ': ' + inUnit(times[key]),
      'aria-label': name + ', ' + percent(times[key], whole) + ' of the time'}),
        times[key], name, 'use' + i);
  });
  if (unattributed > 0)
    add(make('span', null, {class: 'use5', title: 'without an instruction'}), unattributed,
        'without an instruction', 'use5');
  return [make('h2', 'Where ' + inUnit(whole) + ' go' + (state.has.measured_us ? '' : ', predicted')),
          bar, words];
}

// The rows that take longest: time over ideal, the ideal part in its colour.
function largest() {
  const ideal = (kernel) => kernel.ideal_us === undefined ? 0
      : kernel.ideal_us * launchesOf(kernel);
  const rows = joined(state.kernels).map((row) => {
    const members = row.members || [row];
    return {row, members, time: members.reduce((sum, each) => sum + timeOfAll(each), 0),
            ideal: members.reduce((sum, each) => sum + ideal(each), 0)};
  }).filter((each) => each.time > 0).sort((a, b) => b.time - a.time).slice(0, kMostBars);
  if (!rows.length) return [];
  const table = make('table', null, {class: 'largest'});
  table.append(make('caption', 'What takes longest, and the part that it would take ideally'));
  for (const {row, members, time, ideal: best} of rows) {
    const line = make('tr'), head = make('th', null, {scope: 'row'});
    const wanted = new Set(members);
    const button = filterButton(members[0].instruction, (kernel) => wanted.has(kernel), {});
    button.textContent = row.instruction + (row.number ? ' and ' + (row.number - 1) + ' alike' : '');
    head.append(button);
    const bar = make('td', null, {class: 'over'}), whole = make('div'), part = make('i');
    whole.style.width = 100 * time / rows[0].time + '%';
    part.style.width = Math.min(100, 100 * best / time) + '%';
    whole.append(part);
    bar.append(whole);
    line.append(head, bar, make('td', inUnit(time), {class: 'n'}),
                make('td', best ? 'ideal ' + inUnit(best) : '', {class: 'n'}),
                make('td', row.reason || row.time_use.replace(/_/g, ' '), {class: 'soft'}));
    table.append(line);
  }
  return [table];
}

function addOverview(documents) {
  if (!state.has.time_use) return;
  let unattributed = 0;
  for (const each of documents)
    for (const kernel of each.unattributed || []) unattributed += kernel.measured_total_us;
  $('overview').append(...useBar(unattributed), ...largest());
}
