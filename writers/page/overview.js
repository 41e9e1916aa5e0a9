// --- Where the time goes ---------------------------------------------------

// Uses of time, as they stand in the bar: key, words, what the key counts.
const kUses = [
  ['unused_sectors', 'unused sectors (uncoalesced)',
   'the part of the bytes that no lane uses'],
  ['blocks_and_waits', 'blocks and waits (launch-bound)',
   'kernels whose blocks take longest to start, or that wait for memory'],
  ['movement', 'moving data', 'kernels that compute nothing'],
  ['libraries', 'libraries', 'kernels of cuBLAS, cuDNN and others, and what is not known'],
  ['rest', 'the rest', 'kernels at the roof of memory, of the caches, or of the matrix units'],
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
        : [kernel.document, kernel.alike, kernel.reason, kernel.avoid_by].join('\n');
    if (!classes.has(key)) classes.set(key, {key, members: []});
    classes.get(key).members.push(kernel);
  }
  return [...classes.values()].map(({key, members}) => {
    if (members.length === 1) return members[0];
    const sum = (name) => members.some((each) => each[name] !== undefined)
        ? members.reduce((all, each) => all + (each[name] || 0), 0) : undefined;
    const one = {...members[0], key, members, number: members.length};
    for (const name of ['wasted_bytes', 'moved_bytes', 'used_bytes', 'wasted_least_bytes',
                        'moved_least_bytes', 'lost_us', 'avoidable_us', 'share',
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

function useBar() {
  const times = state.totals, whole = times.whole_us, unattributed = times.unattributed_us;
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
  kUses.forEach(([key, name, meaning], i) => {
    if (!(times[key] > 0)) return;
    add(filterButton(key, (kernel) => isOfUse(kernel, key), {
      class: 'use' + i, title: name + ', ' + meaning + ': ' + inUnit(times[key]),
      'aria-label': name + ', ' + percent(times[key], whole) + ' of the time'}),
        times[key], name, 'use' + i);
  });
  if (unattributed > 0)
    add(make('span', null, {class: 'use5', title: 'without an instruction'}), unattributed,
        'without an instruction', 'use5');
  return [make('h2', 'Where ' + inUnit(whole) + ' go' + (state.has.measured_us ? '' : ', predicted')),
          bar, words];
}

// What a change could win, of all launches; nothing where nobody knows.
const avoidableOf = (kernel) => kernel.avoidable_us || 0;

// The rows of which most is avoidable, each with the change. A click opens it.
function largest() {
  const rows = joined(state.kernels).map((row) => {
    const members = row.members || [row];
    const sum = (of) => members.reduce((all, each) => all + of(each), 0);
    return {row, time: sum(timeOfAll), avoidable: sum(avoidableOf)};
  }).filter((each) => each.time > 0)
      .sort((a, b) => b.avoidable - a.avoidable || b.time - a.time).slice(0, kMostBars);
  if (!rows.length) return [];
  const longest = Math.max(...rows.map((each) => each.time));
  const items = make('ol', null, {class: 'largest'});
  for (const {row, time, avoidable} of rows) {
    const item = make('li'), head = make('div', null, {class: 'row'});
    const button = make('button', row.instruction +
        (row.number ? ' and ' + (row.number - 1) + ' alike' : ''), {
      type: 'button', 'data-kernel': row.instruction});
    button.addEventListener('click', () => show(row));
    const part = avoidable ? 'at most ' + inUnit(avoidable) + ' of ' : '';
    const name = make('span');
    name.append(button);
    if (row.file && state.has.file)
      name.append(make('span', ' of ' + shortFile(row.file), {class: 'soft', title: row.file}));
    head.append(name, make('span', part + inUnit(time), {
      title: avoidable ? kMeanings.avoidable_us : ''}));
    const bar = make('div', null, {class: 'over', 'aria-hidden': 'true'});
    const lost = make('i', null, {class: 'lost'}), kept = make('i');
    bar.style.width = Math.max(1, 100 * time / longest) + '%';
    lost.style.width = Math.min(100, 100 * avoidable / time) + '%';
    kept.style.width = 100 - Math.min(100, 100 * avoidable / time) + '%';
    bar.append(lost, kept);
    item.append(head, bar, sentence(row.advice || row.reason ||
        'nothing is known to be avoidable' +
        (row.limited_by ? ': it is bound by ' + (kLimits[row.limited_by] || row.limited_by) : ''),
        row.advice ? '' : 'soft'));
    items.append(item);
  }
  const box = make('div', null, {class: 'change'});
  box.append(make('h2', 'What to change first'), items);
  return [box];
}

// What binds a kernel, in words of the trade.
const kLimits = {
  memory: 'memory (bandwidth-bound)', cache: 'the shared cache',
  cores: 'the cores\' own caches', blocks: 'the start of blocks (launch-bound)',
  waits: 'waits for memory (latency-bound)', operations: 'the matrix units (compute-bound)',
};

// --- The roofline --------------------------------------------------------

const kRoof = {width: 560, height: 340, left: 58, right: 12, top: 14, bottom: 40};
const kMostPoints = 1500;

function svg(tag, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  if (text !== undefined) node.textContent = text;
  return node;
}

// Each kernel by its operations for a byte, and the operations that it does in a
// second. One without products stands at the left, by its bytes alone: the
// distance below the roof means the same.
function rooflinePoints(device) {
  return joined(state.kernels.filter((kernel) => kernel.on.name === device.name)).filter((row) => row.needed_bytes > 0 && launchesOf(row) > 0)
      .map((row) => ({row, time: timeOfAll((row.members || [row])[0]) /
                                 launchesOf((row.members || [row])[0]),
                      whole: (row.members || [row]).reduce((sum, each) => sum + timeOfAll(each), 0)}))
      .filter((point) => point.time > 0)
      .sort((a, b) => b.whole - a.whole).slice(0, kMostPoints)
      .map(({row, time, whole}) => {
        const intensity = Math.max(row.operations ? row.operations / row.needed_bytes : 0, 0.1);
        return {row, whole, intensity: row.operations ? intensity : 0.1,
                rate: (row.operations ? intensity : 0.1) * row.needed_bytes / time * 1e6};
      });
}

function roofline(device) {
  const points = rooflinePoints(device), bandwidth = device.bytes_per_s;
  if (!points.length || !bandwidth) return [];
  const peaks = [...new Set(points.map((each) => each.row.peak_operations_per_s)
      .filter(Boolean))].sort((a, b) => a - b);
  const mostX = Math.max(10, ...points.map((each) => each.intensity * 2),
                         ...peaks.map((peak) => 4 * peak / bandwidth));
  const topY = Math.max(bandwidth * (peaks.length ? 0 : mostX), ...peaks) * 2;
  const bottomY = Math.min(bandwidth * 0.1 / 30, ...points.map((each) => each.rate)) / 1.5;
  const {width, height, left, right, top, bottom} = kRoof;
  const scale = (value, from, to, begin, end) =>
      begin + (end - begin) * Math.log(value / from) / Math.log(to / from);
  const x = (value) => scale(value, 0.07, mostX, left, width - right);
  const y = (value) => scale(value, bottomY, topY, height - bottom, top);
  const picture = svg('svg', {viewBox: '0 0 ' + width + ' ' + height, role: 'group',
                              'aria-label': 'Roofline of the kernels'});
  picture.append(svg('rect', {class: 'ix-b', width, height}));
  const word = (at, text, anchor) => picture.append(
      svg('text', {x: at[0], y: at[1], 'text-anchor': anchor || 'middle'}, text));
  for (let power = 0; 10 ** power <= mostX; ++power) {
    picture.append(svg('line', {class: 'grid', x1: x(10 ** power), x2: x(10 ** power),
                                y1: top, y2: height - bottom}));
    word([x(10 ** power), height - bottom + 14], String(10 ** power));
  }
  word([x(0.1), height - bottom + 14], 'none');
  word([(left + width) / 2, height - 8], 'operations of products for each byte');
  for (let power = Math.ceil(Math.log10(bottomY)); 10 ** power <= topY; ++power) {
    picture.append(svg('line', {class: 'grid', x1: left, x2: width - right,
                                y1: y(10 ** power), y2: y(10 ** power)}));
    word([left - 5, y(10 ** power) + 4], rateText(10 ** power), 'end');
  }
  const most = peaks.length ? peaks[peaks.length - 1] : bandwidth * mostX;
  const knee = Math.min(mostX, most / bandwidth);
  picture.append(svg('polyline', {class: 'bound', points: [
    [x(0.07), y(0.07 * bandwidth)], [x(knee), y(knee * bandwidth)],
    ...(peaks.length ? [[x(mostX), y(most)]] : [])].map((each) => each.join(',')).join(' ')}));
  for (const peak of peaks.slice(0, -1))
    picture.append(svg('line', {class: 'bound', 'stroke-dasharray': '4 3', x1: x(peak / bandwidth),
                                x2: x(mostX), y1: y(peak), y2: y(peak)}));
  // The largest lie below, so that small ones can be clicked.
  const longest = points[0].whole;
  for (const {row, whole, intensity, rate} of points) {
    const part = 100 * rate / Math.min(bandwidth * intensity,
                                       row.peak_operations_per_s || Infinity);
    const at = kUses.findIndex(([key]) => key === row.time_use);
    const point = svg('circle', {
      cx: x(intensity), cy: y(rate), r: 3 + 9 * Math.sqrt(whole / longest), class: 'use' + at,
      tabindex: points.length > 40 ? '-1' : '0', role: 'button',
      'aria-label': row.instruction + ', ' + part.toFixed(0) + '% of the roof'});
    point.append(svg('title', {}, row.instruction + ': ' + part.toFixed(0) +
                     '% of the roof, ' + inUnit(whole)));
    point.addEventListener('click', () => show(row));
    point.addEventListener('keydown', (event) => { if (event.key === 'Enter') show(row); });
    picture.append(point);
  }
  const box = make('div', null, {class: 'roof'});
  box.append(make('h2', 'Roofline' + (state.has.device ? ' of ' + device.name : '')), picture, make('p', 'A kernel at the line does all that ' +
      device.name + ' can: below it is what is lost. The area is its time. ' +
      (state.has.measured_us ? 'Times are measured.' : 'Times are predicted.'), {class: 'soft'}));
  return [box];
}

function rateText(rate) {
  const units = [['P', 1e15], ['T', 1e12], ['G', 1e9], ['M', 1e6], ['k', 1e3], ['', 1]];
  const [unit, of] = units.find(([, least]) => rate >= least * 0.999) || ['', 1];
  return Number((rate / of).toPrecision(3)) + ' ' + unit + 'op/s';
}

// --- Figures -------------------------------------------------------------

function figure(value, words, title, className) {
  const box = make('div', null, {class: 'figure ' + (className || ''), title: title || ''});
  box.append(make('strong', value), make('span', words, {class: 'soft'}));
  return box;
}

// What is known of the whole, in a line of boxes.
function addFigures() {
  const totals = state.totals, time = state.time = totals.time_us, avoidable = totals.avoidable_us;
  if (!(time > 0)) return;
  const isLeast = state.kernels.some((each) => each.predicted_least && launchesOf(each));
  const boxes = [];
  if (avoidable > 0)
    boxes.push(figure('at most ' + inUnit(Math.min(avoidable, time)), 'avoidable, ' +
        percent(Math.min(avoidable, time), time) + ' of the time', kMeanings.avoidable_us, 'first'));
  boxes.push(figure((isLeast && !state.has.measured_us ? 'at least ' : '') + inUnit(time),
      state.has.measured_us ? 'measured' : 'predicted, all trips',
      state.has.measured_us ? '' : kMeanings.predicted_us));
  if (totals.moved_bytes !== undefined) {
    boxes.push(figure(sizesOf(totals, 'moved_bytes'), 'moved', kMeanings.moved_bytes));
    boxes.push(figure(sizesOf(totals, 'wasted_bytes'), 'of that wasted', kMeanings.wasted_bytes));
  }
  boxes.push(figure(String(state.kernels.length), 'kernels'));
  $('figures').append(...boxes);
}

function addOverview() {
  if (!state.has.time_use) return;
  const pair = make('div', null, {class: 'pair'});
  pair.append(...largest(), ...devicesOf(state.kernels).flatMap(roofline));
  $('overview').append(...useBar(), pair);
}
