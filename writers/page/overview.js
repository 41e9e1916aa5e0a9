// --- Where the time goes ---------------------------------------------------

// Uses of time, as they stand in the bar: key, words, what the key counts.
const kUses = [
  ['unused_sectors', 'uncoalesced accesses',
   'the unused bytes of transferred sectors'],
  ['blocks_and_waits', 'block scheduling and latency',
   'kernels that are block-scheduling-bound or latency-bound'],
  ['movement', 'moving data', 'kernels that compute nothing'],
  ['libraries', 'libraries', 'library and unmodelled kernels'],
  ['rest', 'the rest', 'kernels at the roof of memory, of the caches, or of the matrix units'],
];
const kMostBars = 10;
// Rows of a smaller part of the time are not listed.
const kLittle = 0.01;
// What a share of the time is of.
const ofTheTime = () => ' of the ' + (state.has.measured_us ? 'measured' : 'predicted') + ' time';

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

// The rows of the ranking that hold one of the kernels, each as its first
// kernel with the sums of all, which the report has; without a ranking, the
// kernels.
function joined(kernels) {
  if (!state.ranking.length) return kernels;
  const chosen = new Set(kernels);
  return state.ranking.filter((each) => each.members.some((kernel) => chosen.has(kernel)))
      .map((each) => each.row);
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

// A bar of parts of the time, [key, words, meaning, filter], and its words.
function timeBar(parts, timeOf, className) {
  const times = state.totals, whole = times.whole_us, unattributed = times.unattributed_us;
  const bar = make('div', null, {class: className === 'work' ? 'uses work' : 'uses'}), words = make('ul', null, {class: 'uses-list'});
  const add = (part, time, name, colour) => {
    part.style.flexGrow = time / whole;
    bar.append(part);
    const item = make('li');
    item.append(make('span', null, {class: 'swatch ' + colour, 'aria-hidden': 'true'}),
                name + ' ' + inUnit(time) + ', ' + percent(time, whole));
    words.append(item);
  };
  parts.forEach(([key, name, meaning, takes], i) => {
    const time = timeOf(key);
    if (!(time > 0)) return;
    add(filterButton(key, takes, {
      class: className + i, title: name + ', ' + meaning + ': ' + inUnit(time),
      'aria-label': name + ', ' + percent(time, whole) + ofTheTime()}),
        time, name, className + i);
  });
  if (unattributed > 0)
    add(make('span', null, {class: 'use5', title: 'without an instruction'}), unattributed,
        'without an instruction', 'use5');
  return [bar, words];
}

// What kernels do, as the bar has it: key, words, meaning.
const kWork = [
  ['products', 'products', 'products of matrices, and convolutions'],
  ['attention', 'attention', 'functions of libraries for attention'],
  ['copies', 'copies', 'kernels that only move data'],
  ['collectives', 'collectives', 'between devices'],
  ['reductions', 'reductions', 'sums, maxima and the like, and no product'],
  ['elementwise', 'elementwise', 'element after element'],
  ['others', 'others', 'sorts, and functions that nobody knows'],
];

function useBar() {
  if (!(state.totals.whole_us > 0)) return [];
  const measured = state.has.measured_us ? ', measured' : ', predicted';
  return [
    make('h2', 'Where ' + inUnit(state.totals.whole_us) + ' go' + measured),
    ...timeBar(kUses.map(([key, name, meaning]) =>
        [key, name, meaning, (kernel) => isOfUse(kernel, key)]), (key) => state.totals[key], 'use'),
    make('h3', 'By the kind of work'),
    ...timeBar(kWork.map(([key, name, meaning]) =>
        [key, name, meaning, (kernel) => kernel.work === key]),
        (key) => state.totals['work_' + key], 'work'),
  ];
}

// What a kernel reaches, beside the peak: `2.83 TB/s of 3.35 TB/s (84%)`.
function achievedOf(kernel) {
  const time = kernel.measured_us || kernel.predicted_us;
  if (!(time > 0)) return [];
  const all = [];
  const bandwidth = kernel.needed_bytes / time * 1e6, peak = kernel.on.bytes_per_s;
  if (bandwidth > 0 && peak)
    all.push([rate(bandwidth, 'B/s') + ' of ' + rate(peak, 'B/s'), bandwidth / peak]);
  const products = kernel.operations / time * 1e6, most = kernel.peak_operations_per_s;
  if (products > 0 && most)
    all.push([rate(products, 'FLOP/s') + ' of ' + rate(most, 'FLOP/s'), products / most]);
  return all.map(([words, part]) => words + ' (' + (100 * part).toFixed(0) + '%)');
}

// The rows of which most is avoidable, as the text has them, each with the
// change. A click opens it.
function largest() {
  const whole = state.totals.time_us;
  const all = state.ranking.length ? state.ranking : state.kernels.map((kernel) => ({
    row: kernel, members: [kernel], time: timeOfAll(kernel), avoidable: kernel.avoidable_us || 0}));
  const rows = all.filter((each) => each.time >= kLittle * whole && each.time > 0)
      .sort((a, b) => b.avoidable - a.avoidable || b.time - a.time).slice(0, kMostBars);
  if (!rows.length) return [];
  const longest = Math.max(...rows.map((each) => each.time));
  const items = make('ol', null, {class: 'largest'});
  for (const {row, members, time, avoidable} of rows) {
    const item = make('li'), head = make('div', null, {class: 'row'});
    const name = make('span');
    name.append(linkTo(row, row.instruction +
        (members.length > 1 ? ' and ' + (members.length - 1) + ' more' : '')));
    if (row.file && state.has.file)
      name.append(' ', make('span', 'of ' + shortFile(row.file), {class: 'soft', title: row.file}));
    const part = avoidable ? 'at most ' + inUnit(avoidable) + ' of ' : '';
    head.append(name, make('span', part + inUnit(time) + ', ' +
                           percent(time, state.totals.whole_us) + ofTheTime(), {
      title: avoidable ? kMeanings.avoidable_us : ''}));
    const bar = make('div', null, {class: 'over', 'aria-hidden': 'true'});
    const lost = make('i', null, {class: 'lost'}), kept = make('i');
    bar.style.width = Math.max(1, 100 * time / longest) + '%';
    lost.style.width = Math.min(100, 100 * avoidable / time) + '%';
    kept.style.width = 100 - Math.min(100, 100 * avoidable / time) + '%';
    bar.append(lost, kept);
    const reached = achievedOf(row);
    item.append(head, bar, sentence(row.advice || row.why || row.reason || '',
                                    row.advice ? '' : 'soft'));
    if (reached.length) item.append(make('p', reached.join(', '), {class: 'soft'}));
    items.append(item);
  }
  const box = make('div', null, {class: 'change'});
  box.append(make('h2', 'What to change first'), items);
  return [box];
}

// What binds a kernel, in words of the trade.
const kLimits = {
  memory: 'memory (bandwidth-bound)', cache: 'the shared cache',
  cores: 'the cores\' own caches', blocks: 'block scheduling (block-scheduling-bound)',
  waits: 'latency (latency-bound)', operations: 'the matrix units (compute-bound)',
};

// --- The roofline --------------------------------------------------------

const kRoof = {width: 560, height: 340, left: 92, right: 16, top: 14, bottom: 44};
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
                      whole: row.time || timeOfAll(row)}))
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
  word([(left + width) / 2, height - 8], 'FLOP of products for each byte (FLOP/byte)');
  for (let power = Math.ceil(Math.log10(bottomY)); 10 ** power <= topY; ++power) {
    picture.append(svg('line', {class: 'grid', x1: left, x2: width - right,
                                y1: y(10 ** power), y2: y(10 ** power)}));
    word([left - 5, y(10 ** power) + 4], rate(10 ** power, 'FLOP/s'), 'end');
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

// `3.35 TB/s`, `989 TFLOP/s`.
function rate(value, unit) {
  const units = [['P', 1e15], ['T', 1e12], ['G', 1e9], ['M', 1e6], ['k', 1e3], ['', 1]];
  const [prefix, of] = units.find(([, least]) => value >= least * 0.999) || ['', 1];
  return Number((value / of).toPrecision(3)) + ' ' + prefix + unit;
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
  const isLeast = isTimeLeast();
  const boxes = [];
  if (avoidable > 0)
    boxes.push(figure('at most ' + inUnit(avoidable), 'avoidable, ' +
        percent(avoidable, time) + ofTheTime(), kMeanings.avoidable_us, 'first'));
  boxes.push(figure((isLeast && !state.has.measured_us ? 'at least ' : '') + inUnit(time),
      !state.has.measured_us ? 'predicted, all trips'
      : totals.unattributed_us > 0 ? 'measured, with an instruction' : 'measured',
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
