// --- The instructions of computations --------------------------------------

const kMostAnswers = 40, kMostLinks = 60;
// From the best to the worst.
const kPrecisions = ['exact', 'cover', 'opaque'];

const columns = () => [
  ['number', 'no.', 'number'], ['name', 'instruction', 'name'], ['opcode', 'op', 'text'],
  ['shapes', 'result', 'text'], ['reads', 'reads', 'number'],
  ['precision', 'precision', 'text'],
  ...(state.computations.length > 1 ? [['computation', 'computation', 'text']] : []),
  ['line', 'line', 'number'],
];
const adorn = () => {};

function textOf(row) {
  if (!row.text)
    row.text = [row.name, row.opcode, row.shapes, row.computation, row.precision,
                ...row.item.operands.map((each) => each.instruction)].join('\n').toLowerCase();
  return row.text;
}

function choose() {
  const words = wordsOfSearch(), chosen = $('computation').value;
  const rows = sorted(state.all.filter((row) =>
      (chosen === '' || row.place === Number(chosen)) &&
      words.every((word) => textOf(row).includes(word))));
  list(rows, rows.length + (rows.length === 1 ? ' row' : ' rows') +
      (rows.length === state.all.length ? '' : ', of ' + state.all.length));
}

// --- One of them -----------------------------------------------------------

const sizeText = (size) => size === null ? '?'
    : typeof size === 'object' ? '<=' + size.bound : String(size);
const shapeText = (shape) =>
    shape.dtype + '[' + shape.dimensions.map(sizeText).join(',') + ']';

// The sides of a shape; nothing where one is not known, or there is no element.
function sidesOfShape(shape) {
  const sizes = shape.dimensions.map((size) =>
      size !== null && typeof size === 'object' ? size.bound : size);
  return sizes.every((size) => size > 0) ? sizes.map((size) => [0, size - 1]) : null;
}

const rowNamed = (row, name) => state.byName.get(row.place + '\n' + name);

// If the page does not have the operand, the maps from it say the sides.
function sidesOfOperand(row, number) {
  const entry = row.item.operands[number], producer = rowNamed(row, entry.instruction);
  const shape = producer && producer.item.results[entry.result];
  if (shape) return sidesOfShape(shape);
  const dims = (row.item.input_to_output || [])
      .filter((answer) => answer.operand === number)
      .flatMap((answer) => answer.maps.map((map) => map.dimensions));
  if (!dims.length || dims.some((own) => own.some(
      (bounds) => bounds.lower === null || bounds.upper === null))) return null;
  return dims[0].map((_, k) => [Math.min(...dims.map((own) => own[k].lower)),
                                Math.max(...dims.map((own) => own[k].upper))]);
}

function operandText(row, number) {
  const entry = row.item.operands[number], producer = rowNamed(row, entry.instruction);
  const shape = producer && producer.item.results[entry.result];
  return entry.instruction + (shape ? ' ' + shapeText(shape) : '');
}

// Of several operands that are alike, which one.
const operandName = (row, number) =>
    (row.item.operands.length > 1 ? 'operand ' + number + ', ' : '') + operandText(row, number);

function sourceText(variable) {
  const source = variable.source;
  if (!source) return variable.name;
  if (source.instruction)
    return variable.name + ', element ' +
        (source.map ? '(' + source.map.results.join(', ') + ') ' : '') + 'of ' + source.instruction;
  if (source.size_of)
    return variable.name + ', size ' + source.size_of.dimension + ' of ' +
        source.size_of.instruction;
  return variable.name;
}

// Buttons that lead to other instructions.
function links(heading, entries) {
  if (!entries.length) return [];
  const items = make('ul');
  for (const {name, target, words} of entries.slice(0, kMostLinks)) {
    const item = make('li');
    if (target) {
      const button = make('button', name, {type: 'button'});
      button.addEventListener('click', () => { open(target); $('panel').focus(); });
      item.append(button);
    } else {
      item.append(name);
    }
    item.append(words);
    items.append(item);
  }
  if (entries.length > kMostLinks)
    items.append(make('li', 'and ' + (entries.length - kMostLinks) + ' more'));
  return [make('h3', heading), items];
}

function answerParts(row, answer, isForward) {
  const result = row.item.results[answer.result];
  const resultText = (row.item.results.length > 1 ? 'result ' + answer.result : 'result') +
      ' ' + shapeText(result);
  const operand = operandName(row, answer.operand);
  const names = isForward ? [resultText, operand] : [operand, resultText];
  const parts = [make('h3', names[0] + (isForward ? ' reads ' : ' is read by ') + names[1])];
  const count = answer.maps.length;
  parts.push(make('p', !count ? 'not read' : answer.precision + ', ' + count +
                  (count === 1 ? ' piece' : ' pieces'), {class: 'soft'}));
  answer.maps.forEach((map, piece) => {
    const words = make('p');
    words.append(make('span', null, {class: 'swatch piece' + piece % kPieces, 'aria-hidden': 'true'}),
                 make('code', map.text));
    parts.push(words);
    for (const variable of map.runtime)
      if (variable.source) parts.push(make('p', sourceText(variable), {class: 'soft'}));
  });
  const trees = answer.maps.map((map) => state.data.maps[map.text]);
  const ends = [sidesOfShape(result), sidesOfOperand(row, answer.operand)];
  if (!isForward) ends.reverse();
  if (count && trees.every(Boolean) && ends.every(Boolean))
    parts.push(picture({
      maps: trees, from: {sides: ends[0], name: names[0]}, to: {sides: ends[1], name: names[1]},
      runtime: answer.maps.map((map) => map.runtime.map(sourceText)),
    }));
  return parts;
}

function directionParts(row, heading, answers, isForward) {
  if (!answers || !answers.length) return [];
  const box = make('section', null, {'aria-label': heading});
  box.append(make('h2', heading));
  for (const answer of answers.slice(0, kMostAnswers))
    box.append(...answerParts(row, answer, isForward));
  if (answers.length > kMostAnswers) {
    const more = make('button', 'Show ' + (answers.length - kMostAnswers) + ' more', {type: 'button'});
    more.addEventListener('click', () => more.replaceWith(...answers.slice(kMostAnswers)
        .flatMap((answer) => answerParts(row, answer, isForward))));
    box.append(more);
  }
  return [box];
}

function open(row) {
  const panel = $('panel'), item = row.item;
  panel.hidden = false;
  const head = make('div', null, {class: 'panel-head'});
  const close = make('button', 'Close', {id: 'close', type: 'button'});
  close.addEventListener('click', shut);
  head.append(make('h2', row.name), close);
  const op = make('p', row.opcode + (row.isWhole ? '' : ' in ' + row.computation) +
                  (row.line ? ', line ' + row.line : ''));
  panel.replaceChildren(
      head, op,
      make('p', 'result ' + item.results.map(shapeText).join(', ')),
      ...links('operands', item.operands.map((entry, number) => ({
        name: operandText(row, number), target: rowNamed(row, entry.instruction),
        words: (entry.result ? ', result ' + entry.result : '') +
               (entry.captured ? ', captured' : '')}))),
      ...links('read by', row.users.map((user) => ({
        name: user.name, target: user, words: ' ' + user.opcode + ' ' + user.shapes}))),
      ...directionParts(row, 'From the result to what it reads', item.output_to_input, true),
      ...directionParts(row, 'From an operand to what reads it', item.input_to_output, false));
  panel.scrollTop = 0;
  link('instruction', row);
}

// --- Begin -----------------------------------------------------------------

function rowsOf(place, computation, module) {
  const name = computation.name + (module ? ' of ' + module : '');
  const all = [computation, ...computation.instructions]
      .filter((item) => item.results && item.operands);
  return all.map((item) => {
    const answers = [...(item.output_to_input || []), ...(item.input_to_output || [])];
    const isWhole = item === computation;
    return {
      number: ++state.count, name: item.name, item, place, isWhole, computation: name, users: [],
      opcode: isWhole ? 'computation' + (computation.entry ? ' (entry)' : '') : item.opcode,
      shapes: item.results.map(shapeText).join(', '),
      reads: item.operands.length, line: item.line,
      precision: kPrecisions.filter((each) =>
          answers.some((answer) => answer.precision === each)).pop() || '',
    };
  });
}

function connect() {
  for (const row of state.all)
    if (!row.isWhole) state.byName.set(row.place + '\n' + row.name, row);
  for (const row of state.all)
    for (const name of new Set(row.item.operands.map((each) => each.instruction))) {
      const producer = rowNamed(row, name);
      if (producer && !row.isWhole) producer.users.push(row);
    }
}

async function begin() {
  const data = state.data = await unpacked();
  Object.assign(state, {sort: 'number', down: false, count: 0, all: [], computations: [],
                        byName: new Map()});
  for (const packed of data.documents) {
    const each = restored(packed, data);
    for (const module of each.modules || [])
      for (const computation of module.computations) {
        const isOne = data.documents.length === 1 && each.modules.length === 1;
        if (computation.entry && state.entry === undefined) state.entry = state.computations.length;
        const rows = rowsOf(state.computations.length, computation,
                            isOne ? '' : each.file || module.name);
        state.computations.push(computation.name + (isOne ? '' : ' of ' + (each.file || module.name)));
        for (const row of rows) state.all.push(row);
      }
  }
  connect();
  const isOne = state.computations.length === 1;
  const files = [...new Set(data.documents.map((each) => each.file ||
      (each.source && each.source.path) || '').filter(Boolean))];
  const name = files.length > 1 ? files.length + ' files'
      : files.length ? files[0].split('/').pop() : 'Instructions';
  $('title').textContent = name;
  const count = state.all.filter((row) => !row.isWhole).length +
      ' instructions in ' + (isOne ? state.computations[0] : state.computations.length + ' computations');
  $('about').textContent = count;
  document.title = name + ': ' + count;
  $('computation').append(make('option', 'all', {value: ''}));
  state.computations.forEach((name, place) =>
      $('computation').append(make('option', name, {value: place})));
  // The entry is what one looks for first.
  if (state.computations.length > 1 && state.entry !== undefined)
    $('computation').value = state.entry;
  $('computation').addEventListener('change', choose);
  listen();
  choose();
  const follow = () => {
    const wanted = linked('instruction');
    const found = wanted && (state.all.find((row) => row.place === state.entry &&
        row.name === wanted.name) || state.all.find((row) => row.name === wanted.name));
    if (found) open(found);
  };
  window.addEventListener('hashchange', follow);
  follow();
  document.body.dataset.ready = String(Math.round(performance.now()));
}

// Tests ask here.
window.indexical = {elementsOf, foundAt, state};
begin();
