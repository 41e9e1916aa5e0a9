// --- Begin -----------------------------------------------------------------

// How often the time of a kernel counts.
const launchesOf = (kernel) => state.has.measured_us ? kernel.launches || 0 : kernel.trips;
// Whether the sum of predicted times leaves something out.
const isTimeLeast = () => state.kernels.some((each) =>
  launchesOf(each) && (each.predicted_least || !(each.predicted_us > 0)));

function addTotals() {
  const totals = state.totals;
  const table = make('table', null, {class: 'reads'});
  table.append(make('caption', 'Totals'));
  for (const [name, key] of [['reads', 'read_'], ['writes', 'write_'], ['all', '']]) {
    const row = make('tr');
    row.append(make('th', name, {scope: 'row'}));
    const isKnown = ['moved_bytes', 'wasted_bytes'].every(
        (name) => leastOf(totals, key + name) === totals[key + name]);
    row.append(make('td', sizesOf(totals, key + 'moved_bytes') + ' moved'));
    row.append(make('td', sizesOf(totals, key + 'wasted_bytes') + ' wasted' + (isKnown ? ' (' +
        percent(totals[key + 'wasted_bytes'], totals[key + 'moved_bytes']) + ')' : '')));
    table.append(row);
  }
  if (totals.moved_bytes === undefined) {
    // The same words as in the text.
    const count = state.kernels.length;
    $('notices').append(make('p', 'no kernels yet: the module is not scheduled, and a compiler ' +
        'will fuse its ' + count + ' instruction' + (count === 1 ? '' : 's') +
        ' first. So nothing is summed; --launch=xla takes them for kernels. ' +
        'For a scheduled one, XLA_FLAGS=--xla_dump_to=DIR writes one'));
    return;
  }
  if (state.has.predicted_us) {
    // Of as many launches as were measured, where any were.
    const isLeast = isTimeLeast();
    const words = state.has.measured_us ? ' (measured launches)'
                                        : ' (all launches)';
    const row = make('tr');
    row.append(make('th', 'predicted GPU time', {scope: 'row'}),
               make('td', (isLeast ? 'at least ' : '') + inUnit(totals.predicted_us) + words, {colspan: 2}));
    table.append(row);
  }
  $('totals').append(table);
}

// What a profile says of the whole: each GPU, and what has no instruction.
function addProfile(documents) {
  for (const each of documents) {
    if (!each.profile) continue;
    const table = make('table', null, {class: 'reads'});
    table.append(make('caption', 'Profile of ' + each.profile.host));
    for (const gpu of each.profile.gpus.filter((gpu) => gpu.kernels)) {
      const row = make('tr');
      row.append(make('th', 'GPU ' + gpu.gpu, {scope: 'row'}),
                 make('td', gpu.device), make('td', gpu.kernels + ' launches'),
                 make('td', inUnit(gpu.kernel_us)),
                 make('td', 'busy ' + inUnit(gpu.busy_us)),
                 make('td', inUnit(gpu.unattributed_us) +
                      ' without an instruction'));
      table.append(row);
    }
    $('totals').append(table);
    for (const warning of each.profile.warnings)
      $('notices').append(make('p', warning));
    if (!each.unattributed.length) continue;
    const list = make('details');
    list.append(make('summary', each.unattributed.length +
                     ' kernels without an instruction'));
    for (const kernel of each.unattributed)
      list.append(make('p', kernel.launches + ' × ' + kernel.kernel + ', ' +
                       inUnit(kernel.measured_total_us) + ': ' + kernel.reason));
    $('totals').append(list);
  }
}

function addGone(documents) {
  const gone = documents.flatMap((each) => each.gone || []);
  if (!gone.length) return;
  const list = make('details');
  list.append(make('summary', gone.length + ' kernels are gone'));
  for (const each of gone)
    list.append(make('p', each.instruction + ' ' + each.shapes.join(', ') + ', ' +
                     size(each.wasted_bytes) + ' wasted'));
  $('totals').append(list);
}

// The part of a file's name that tells modules apart: a compiler's dump is named
// module_0012.jit_f.sm_9.0_gpu_after_optimizations.txt.
function shortFile(path) {
  const name = path.split('/').pop().replace(/\.(txt|hlo|mlir|pb)$/, '');
  return name.startsWith('module_')
      ? name.replace(/\.(sm_|gfx|gpu_|cpu_|after_).*$/, '') : name;
}

// The file, or the folder that all files are in, with their number.
function titleOf(documents) {
  const files = [...new Set([
    ...state.kernels.map((each) => each.file),
    ...documents.map((each) => each.file || each.path || (each.profile && each.profile.host)),
  ].filter(Boolean))];
  if (files.length < 2) return files[0] || 'Kernels';
  const folders = files.map((each) => each.split('/').slice(0, -1));
  const shared = folders[0].filter((part, i) => folders.every(
      (each) => each.slice(0, i + 1).join('/') === folders[0].slice(0, i + 1).join('/')));
  return (shared.length ? shared.pop() + ': ' : '') + files.length + ' files';
}

// What became of a kernel since the earlier report, where both say it.
function addChanges(kernel, was) {
  kernel.change = kernel.wasted_bytes - was.wasted_bytes;
  if (kernel.predicted_us !== undefined && was.predicted_us !== undefined)
    kernel.change_us = kernel.predicted_us * kernel.trips - was.predicted_us * was.trips;
  if (kernel.avoidable_us !== undefined && was.avoidable_us !== undefined)
    kernel.change_avoidable_us = kernel.avoidable_us - was.avoidable_us;
  for (const key of ['change_us', 'change_avoidable_us'])
    if (kernel[key] !== undefined) state.has[key] = true;
}

// The device that the figures of a kernel are for.
function deviceOf(document, kernel) {
  const own = (document.module_devices || []).find((each) => each.module === kernel.module);
  return own ? own.device : document.device;
}

// Each device of the kernels once, in their order.
const devicesOf = (kernels) => [...new Map(kernels.map(
    (kernel) => [kernel.on.name, kernel.on])).values()];

// The rows of the ranking, each with its kernels, its time, and what is shown of
// it: a kernel, or the first of several with the sums of all.
function rankingOf(documents) {
  const places = new Map();
  const placeOf = (document, each) =>
      [document, each.module || 0, each.computation, each.instruction].join('\n');
  for (const kernel of state.kernels) {
    const place = placeOf(kernel.document, kernel);
    if (!places.has(place)) places.set(place, []);
    places.get(place).push(kernel);
  }
  return documents.flatMap((each, document) => (each.ranking || []).map((ranked) => {
    // A computation that is called twice has its kernels twice.
    const members = ranked.kernels.map((kernel) => places.get(placeOf(document, kernel)).shift());
    const time = ranked.measured_us === undefined ? ranked.predicted_us || 0 : ranked.measured_us;
    const {kernels, predicted_us, measured_us, rank, shapes, ...sums} = ranked;
    const row = members.length === 1 ? members[0] : {
      ...members[0], ...sums, key: rank + ' ' + document, members, number: members.length, time,
      ...(measured_us === undefined ? {}
          : {measured_total_us: measured_us, measured_share: ranked.share_of_all})};
    return {row, members, time, avoidable: ranked.avoidable_us};
  }));
}

// The groups by each key; those of several documents are one list.
function groupsOf(documents) {
  const all = {};
  for (const each of documents)
    for (const key in each.page_groups || {})
      all[key] = [...(all[key] || []), ...each.page_groups[key]];
  return all;
}

// Who made the page, when, and how.
function addOrigin(first) {
  $('origin').textContent = ['indexical ' + first.version, first.made].filter(Boolean).join(', ');
  if (first.call) $('origin').append(': ', make('code', first.call));
}

async function begin() {
  const data = state.data = await unpacked();
  data.documents = data.documents.map((each) => restored(each, data));
  state.kernels = data.documents.flatMap((each, number) => (each.kernels || []).map(
      (kernel) => Object.assign(kernel, {document: number, on: deviceOf(each, kernel)},
                                each.file ? {file: each.file} : {})));
  state.has = {};
  state.ranking = rankingOf(data.documents);
  state.groups = groupsOf(data.documents);
  for (const kernel of state.kernels) {
    for (const key of ['was', 'emitter', 'predicted_us', 'measured_us', 'lost_us', 'time_use',
                       'avoidable_us', 'file', 'device', 'work'])
      if (kernel[key] !== undefined) state.has[key] = true;
    if (kernel.measured_us && kernel.ideal_us)
      kernel.over_ideal = kernel.measured_us / kernel.ideal_us;
    if (kernel.was) addChanges(kernel, kernel.was);
  }
  if (state.has.lost_us) state.sort = 'lost_us';
  if (state.has.avoidable_us) state.sort = 'avoidable_us';
  state.most = state.kernels.reduce(
      (most, each) => Math.max(most, leastOf(each, 'wasted_bytes')), 0);
  const devices = state.kernels.length ? devicesOf(state.kernels)
      : data.documents.slice(0, 1).map((each) => each.device);
  connect();
  const isScheduled = data.documents.every((each) => each.totals);
  const name = titleOf(data.documents);
  $('title').textContent = 'Report of ' + name;
  document.title = 'Report of ' + name + ': ' + state.kernels.length + ' kernels';
  addOrigin(data.documents[0]);
  $('about').textContent = state.kernels.length +
      (isScheduled ? ' kernels on ' : ' instructions on ') + (devices.map((device) =>
          device.name + ': warps of ' + device.warp + ' lanes, sectors of ' + device.sector +
          ' bytes').join(', and on ')) +
      (devices.length > 1 ? '; each module has the device that it was compiled for' :
       data.documents[0].device_by ? '; the device follows from ' + data.documents[0].device_by : '');
  state.totals = data.totals;
  addTotals();
  addFigures();
  addOverview();
  addProfile(data.documents);
  addGone(data.documents);
  addCommunication(data.documents);
  for (const [value, name] of [['', 'nothing'], ['pattern', 'pattern'],
      ['op_name', 'op_name'], ['source', 'source'], ['opcode', 'op'],
      ...(state.has.file ? [['file', 'file']] : []),
      ...(state.has.emitter ? [['emitter', 'emitter']] : [])])
    $('group').append(make('option', name, {value}));
  for (const [value, name] of [['wasted_bytes', 'bytes wasted'], ['moved_bytes', 'bytes moved'],
      ...(state.has.predicted_us ? [['predicted_us', 'µs predicted']] : []),
      ...(state.has.lost_us ? [['lost_us', 'µs lost']] : []),
      ...(state.has.measured_us ? [['measured_us', 'µs measured']] : [])])
    $('figure').append(make('option', name, {value}));
  $('wide').addEventListener('change', () => {
    state.isWide = $('wide').checked;
    choose();
  });
  $('least').addEventListener('input', choose);
  $('figure').addEventListener('change', choose);
  $('group').addEventListener('change', () => {
    state.group = $('group').value;
    state.sort = 'wasted_bytes';
    state.down = true;
    choose();
  });
  listen();
  choose();
  const follow = () => {
    const wanted = linked('kernel');
    const found = wanted && state.kernels.find((each) => each.instruction === wanted.name &&
        (each.module || 0) === wanted.module && (each.document || 0) === wanted.document);
    if (found) open(found);
  };
  window.addEventListener('hashchange', follow);
  follow();
  document.body.dataset.ready = String(Math.round(performance.now()));
}
begin();
