// --- One kernel ------------------------------------------------------------

function line(name, value) {
  const row = make('p');
  row.append(make('strong', name + ' '), make('span', value));
  return row;
}

// Facts as boxes that wrap: [name, value, what the name means].
function facts(all) {
  const list = make('dl', null, {class: 'facts'});
  for (const [name, value, meaning] of all) {
    if (value === undefined || value === '') continue;
    const box = make('div', null, {class: String(value).length > 34 ? 'wide' : ''});
    box.append(make('dt', name, meaning ? {title: meaning} : {}), make('dd', value));
    list.append(box);
  }
  return list;
}

// The head of the panel stays where it is, with the way out.
function panelHead(name) {
  const head = make('div', null, {class: 'panel-head'});
  const close = make('button', 'Close', {id: 'close', type: 'button'});
  close.addEventListener('click', shut);
  head.append(make('h2', name), close);
  return head;
}

// The part of the time of all kernels.
const shareOf = (item) => state.has.measured_us ? item.measured_share : item.share_of_all;

function timeFacts(item) {
  return facts([
    ['measured', item.measured_us && inUnit(item.measured_us) + ' a launch',
     'the median of its launches'],
    ['predicted', item.predicted_us === undefined ? undefined
        : (item.predicted_least ? 'at least ' : '') + inUnit(item.predicted_us), kMeanings.predicted_us],
    ['predicted / measured', item.predicted_ratio && item.predicted_ratio.toFixed(2)],
    ['ideal', item.ideal_us && inUnit(item.ideal_us), kMeanings.ideal_us],
    ['reached', achievedOf(item).join(', '), 'what a launch moves and multiplies, beside the peaks'],
    ['avoidable', item.avoidable_us && 'at most ' + inUnit(item.avoidable_us), kMeanings.avoidable_us],
    ['share', shareOf(item) === undefined ? undefined : percent(shareOf(item), 1) + ofTheTime(),
     'of all kernels of the report'],
    ['bound by', item.limited_by && (kLimits[item.limited_by] || item.limited_by)],
    ['moved', sizesOf(item, 'moved_bytes'), kMeanings.moved_bytes],
    ['wasted', sizesOf(item, 'wasted_bytes'), kMeanings.wasted_bytes],
    ['was', item.was && size(item.was.wasted_bytes) + ' wasted of ' +
        size(item.was.moved_bytes) + ' (' + item.was.instruction + ')'],
  ]);
}

function placeFacts(item) {
  return facts([
    ['op', item.opcode + ' in ' + item.computation + (item.line ? ', line ' + item.line : '')],
    ['file', item.file],
    ['result', item.shapes.join(', ')],
    ['runs', item.measured_us ? item.launches + ' times' :
        item.trips === 1 ? 'once' : item.trips + ' times', kMeanings.trips],
    ['launch', item.launch + (item.emitter ? ', emitter ' + item.emitter : '')],
    ['grid', item.grid && item.grid.join(' x ')],
    ['block', item.block && item.block.join(' x ')],
    ['as predicted', item.launch_match],
    ['op_name', item.op_name],
    ['source', item.stack && item.stack.join(' < ')],
    ['one change', item.members && item.members.length + ' kernels: ' +
        item.members.slice(0, 8).map((each) => each.instruction).join(', ') +
        (item.members.length > 8 ? ' …' : ''), kMeanings.number],
  ]);
}

function open(item) {
  const panel = $('panel');
  panel.hidden = false;
  if (state.group) {
    panel.replaceChildren(panelHead(item.name || '(none)'),
        make('p', item.kernels + ' kernels, ' + item.accesses + ' accesses, ' +
             sizesOf(item, 'wasted_bytes') + ' wasted of ' + sizesOf(item, 'moved_bytes') +
             (state.has.avoidable_us ? ', ' + inUnit(item.avoidable_us) + ' avoidable' : '')));
    return;
  }
  const parts = [panelHead(item.instruction)];
  if (item.advice || item.why)
    parts.push(sentence(item.advice || item.why, item.advice ? 'advice' : 'soft'));
  if (item.reason) parts.push(line('why', item.reason));
  parts.push(timeFacts(item), placeFacts(item));
  for (const tile of item.shared || [])
    parts.push(line('shared', tile.shape.join(' x ') + ', ' + tile.bytes +
                    ' bytes' + (tile.conflicts ? ', conflicts ' + tile.conflicts : '')),
               ...sharedPicture(item, tile));
  const worst = worstOf(item);
  for (const [key, name] of [['reads', 'reads'], ['writes', 'writes']])
    for (const access of item[key])
      parts.push(accessDetails(item, access, name, access === worst));
  parts.push(...neighbours(item, 'made by', (kernel) => kernel.from),
             ...neighbours(item, 'read by', (kernel) => kernel.to));
  panel.replaceChildren(...parts);
  panel.scrollTop = 0;
  link('kernel', item);
}

// Shows a kernel from elsewhere in the page.
function show(item) {
  open(item);
  $('panel').focus({preventScroll: true});
}

// The kernels around one, two steps far.
function neighbours(kernel, name, next) {
  const list = (from, depth) => {
    const items = make('ul');
    for (const other of next(from).slice(0, 12)) {
      const item = make('li'), button = make('button', other.instruction, {type: 'button'});
      button.addEventListener('click', () => show(other));
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

function accessDetails(kernel, access, name, isOpen) {
  const isBad = !access.reason && least(access.wasted_bytes) > 0;
  const details = make('details', null, {class: 'access' + (isBad ? ' bad' : '')});
  details.open = isOpen;
  details.append(make('summary', name + ' ' + access.instruction + ' ' + access.shape +
                      (isBad ? ', ' + boundsText(access.wasted_bytes) + ' wasted' : '')),
                 ...accessParts(kernel, access));
  return details;
}

function accessParts(kernel, access) {
  const remedy = (access.remedy || '') +
      (access.layout ? ', layout {' + access.layout.join(',') + '}' : '');
  const parts = [facts([
    ['moved', boundsText(movedBy(access)), kMeanings.moved_bytes],
    ['wasted', access.reason ? undefined : boundsText(access.wasted_bytes), kMeanings.wasted_bytes],
    ['pattern', access.reason ? undefined : patternOf(access) +
        (access.pattern_bits ? ', ' + access.pattern_bits / 8 + ' B' : '') +
        (access.coalesced ? '' : ', uncoalesced'), kMeanings.pattern],
    ['not measured', access.reason],
    ['recommendation', access.reason ? undefined : remedy],
    ['source', access.source],
  ])];
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
