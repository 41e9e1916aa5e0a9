// --- Pictures: planes of index spaces --------------------------------------

// The part of a side that is shown: what is of interest, `low` to `high`, and
// one more on each side; a short side is shown whole.
function part(bounds, [low, high]) {
  const count = bounds[1] - bounds[0] + 1, isWhole = count <= kShort;
  const first = isWhole ? bounds[0] : Math.max(bounds[0], low - 1);
  const last = isWhole ? bounds[1] : Math.min(bounds[1], high + 1, first + kSide - 1);
  const indices = [];
  for (let i = first; i <= last; ++i) indices.push(i);
  return indices;
}

// Where a part lies in the whole: a small outline. Nothing if it is the whole.
function outline(bounds, shown, parts) {
  const sides = shown.map((k, i) => {
    const count = k < 0 ? 1 : bounds[k][1] - bounds[k][0] + 1;
    const first = k < 0 ? 0 : parts[i][0] - bounds[k][0];
    return {count, first, shown: parts[i].length};
  });
  if (sides.every((side) => side.shown === side.count)) return [];
  const most = Math.max(...sides.map((side) => side.count));
  const whole = make('div', null, {class: 'whole', 'aria-hidden': 'true',
      title: sides.map((side) => side.count).join(' × ')});
  const inside = make('i');
  ['height', 'width'].forEach((name, i) => {
    const {count, first, shown: some} = sides[i];
    whole.style[name] = Math.max(6, 56 * count / most) + 'px';
    inside.style[name] = Math.max(4, 100 * some / count) + '%';
    inside.style[i ? 'left' : 'top'] = Math.min(96, 100 * first / count) + '%';
  });
  whole.append(inside);
  return [whole];
}

// Rows and columns of a space that are shown: the last two dimensions.
const lastTwo = (rank) => [rank > 1 ? rank - 2 : -1, rank - 1];

const textOfIndex = (index) => '(' + index.join(', ') + ')';

// The least and the most index of elements along each dimension.
const spanOf = (elements, k) => [Math.min(...elements.map((element) => element[k])),
                                 Math.max(...elements.map((element) => element[k]))];

// A plane of a space, through `at`; `shown` has the dimensions of its rows and
// columns, -1 for none. It is cropped to what is of interest: `span` has its
// bounds along each dimension.
function grid(bounds, shown, at, label, cellOf, span) {
  const [r, c] = shown;
  const rows = r >= 0 ? part(bounds[r], span[r]) : [0];
  const across = c >= 0 ? part(bounds[c], span[c]) : [0];
  const table = make('table', null, {'aria-label': label});
  const rest = at.map((i, k) => shown.includes(k) ? '' : 'd' + k + ' = ' + i)
      .filter(Boolean).join(', ');
  const caption = make('caption', label + (rest ? ', at ' + rest : ''));
  const around = outline(bounds, shown, [rows, across]);
  if (around.length)
    caption.append(', a part of ' + bounds.map(([low, high]) => high - low + 1).join(' × '),
                   ...around);
  table.append(caption);
  const top = make('tr');
  top.append(make('th'));
  for (const i of across) top.append(make('th', c >= 0 ? i : '', {scope: 'col'}));
  table.append(top);
  for (const i of rows) {
    const row = make('tr');
    row.append(make('th', r >= 0 ? i : '', {scope: 'row'}));
    for (const j of across) {
      const index = at.slice();
      if (r >= 0) index[r] = i;
      if (c >= 0) index[c] = j;
      row.append(cellOf(index));
    }
    table.append(row);
  }
  return table;
}

// Which dimensions are shown, of a space with more than two.
function planeChoice(rank, shown, label, again) {
  if (rank < 3) return [];
  const words = make('label', label + ' rows × columns ', {class: 'soft'});
  const select = make('select', null, {'aria-label': 'dimensions of ' + label});
  for (let r = 0; r < rank; ++r)
    for (let c = 0; c < rank; ++c) {
      if (r === c) continue;
      const option = make('option', 'd' + r + ' × d' + c, {value: r + ',' + c});
      option.selected = r === shown[0] && c === shown[1];
      select.append(option);
    }
  select.addEventListener('change', () => {
    [shown[0], shown[1]] = select.value.split(',').map(Number);
    again();
  });
  words.append(select);
  return [words];
}

// A field for a number within bounds.
function numberField(label, value, bounds, set) {
  const input = make('input', null, {type: 'number', value, 'aria-label': label});
  if (bounds[0] !== null) input.min = bounds[0];
  if (bounds[1] !== null) input.max = bounds[1];
  input.addEventListener('change', () => {
    const chosen = Math.floor(Number(input.value));
    if (input.value !== '' && isIn(chosen, bounds)) set(chosen);
    else input.value = value;
  });
  return input;
}

// The elements that each piece has at an index, with the piece of each.
function foundAt(maps, index, runtime) {
  const read = new Map();
  let more = false;
  maps.forEach((map, piece) => {
    const answer = elementsOf(map, index, runtime[piece]);
    more = more || answer.more;
    for (const [key, element] of answer.found)
      if (!read.has(key)) read.set(key, {element, piece});
  });
  return {read, more};
}

// The elements that lie in the plane through `at`.
const inPlane = (elements, shown, at) => elements.filter((element) =>
    element.every((i, k) => shown.includes(k) || i === at[k]));

// An element of a space, and those of another that belong to it.
//
//   maps     pieces, as trees; colours are those of their numbers
//   from     {sides, name} of the space that is asked, `to` of the other one
//   runtime  names of each piece's runtime variables
function picture({maps, from, to, runtime}) {
  const box = make('div', null, {class: 'picture'});
  // At first one of the first piece's, as far as its bounds say.
  let index = from.sides.map((bounds, k) => maps[0].dims[k][0] || bounds[0]);
  const values = maps.map((map) => map.runtime.map((bounds) => bounds[0] || 0));
  const shownFrom = lastTwo(from.sides.length), shownTo = lastTwo(to.sides.length);
  const show = (focused) => {
    const {read, more} = foundAt(maps, index, values);
    const first = read.size ? read.values().next().value.element
        : to.sides.map((bounds) => bounds[0]);
    const fields = make('p');
    fields.append('element ');
    from.sides.forEach((bounds, k) => fields.append(
        numberField('index ' + k, index[k], bounds, (value) => {
          index = index.slice();
          index[k] = value;
          show(k);
        }), ' '));
    let number = from.sides.length;
    const runtimeFields = [];
    maps.forEach((map, piece) => map.runtime.forEach((bounds, i) => {
      const row = make('p', runtime[piece][i] + ' = '), own = number++;
      row.append(numberField(runtime[piece][i], values[piece][i], bounds, (value) => {
        values[piece][i] = value;
        show(own);
      }));
      runtimeFields.push(row);
    }));
    const all = [...read.values()];
    const text = all.slice(0, 12).map(({element}) => textOfIndex(element)).join(' ');
    const words = make('p', read.size + (read.size === 1 ? ' element' : ' elements') +
        (more ? ', and more' : '') + (text ? ': ' + text : '') +
        (read.size > 12 ? ' …' : ''), {'aria-live': 'polite', class: 'answer'});
    const choices = make('p');
    choices.append(...planeChoice(from.sides.length, shownFrom, from.name, () => show()),
                   ...planeChoice(to.sides.length, shownTo, to.name, () => show()));
    const grids = make('div', null, {class: 'grids'});
    grids.append(grid(from.sides, shownFrom, index, from.name, (at) => {
      const cell = make('td', null, {'data-index': at.join(','), title: textOfIndex(at)});
      if (at.join(',') === index.join(',')) {
        cell.className = 'asked';
      } else if (!maps.some((map) => map.dims.every((side, k) => isIn(at[k], side)))) {
        cell.className = 'hole';
        cell.title += ': has nothing here';
      }
      cell.addEventListener('click', () => { index = at; show(); });
      return cell;
    }, index.map((i) => [i - 2, i + 2])), grid(to.sides, shownTo, first, to.name, (at) => {
      const found = read.get(at.join(','));
      return make('td', null, {
        class: found ? 'read piece' + found.piece % kPieces : '',
        title: textOfIndex(at) + (found ? ': read' : '')});
    }, first.map((_, k) => all.length ? spanOf(inPlane(all.map(({element}) => element),
                                                       shownTo, first), k)
                                      : [first[k], first[k]])));
    box.replaceChildren(fields, ...runtimeFields, words,
                        ...(choices.children.length ? [choices] : []), grids);
    if (focused !== undefined) box.querySelectorAll('input')[focused].focus();
  };
  show();
  return box;
}
