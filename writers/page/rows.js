// --- A list of rows --------------------------------------------------------

// A page says what it lists: columns() gives [key, name, kind], choose() makes
// state.rows of what is searched for and sorted, open() shows one row.
function sorted(rows) {
  const key = state.sort, sign = state.down ? -1 : 1;
  // Of bytes what is certain comes first, then what is possible.
  const value = (row) => leastOf(row, key) === undefined ? '' : leastOf(row, key);
  const compared = (x, y) => typeof x === 'number' && typeof y === 'number' ? x - y
      : String(x) < String(y) ? -1 : String(x) > String(y) ? 1 : 0;
  return rows.map((row, i) => [row, i]).sort(([a, i], [b, j]) => {
    const order = compared(value(a), value(b)) ||
        (leastKey(key) in a ? compared(a[key], b[key]) : 0);
    return order * sign || i - j;
  }).map(([row]) => row);
}

const wordsOfSearch = () =>
    $('search').value.toLowerCase().split(/\s+/).filter(Boolean);

function list(rows, words) {
  state.rows = rows;
  state.picked = -1;
  $('count').textContent = words;
  $('table').setAttribute('aria-rowcount', rows.length);
  head();
  $('scroll').scrollTop = 0;
  draw(true);
}

const isText = (kind) => ['name', 'text', 'path'].includes(kind);

function head() {
  const row = make('tr');
  for (const [key, name, kind] of columns()) {
    const isSorted = key === state.sort;
    const cell = make('th', null, {
      scope: 'col', 'data-key': key, class: isText(kind) ? '' : 'n',
      'aria-sort': isSorted ? (state.down ? 'descending' : 'ascending') : 'none'});
    const button = make('button', name + (isSorted ? (state.down ? ' ▾' : ' ▴') : ''),
                        {type: 'button', title: kMeanings[key] || ''});
    button.addEventListener('click', () => {
      state.down = isSorted ? !state.down : !isText(kind);
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
    const isNumber = !isText(kind);
    const text = kind === 'bytes' ? sizesOf(item, key)
        : kind === 'time' ? (value === undefined ? '' : inUnit(value))
        : kind === 'share' ? (value === undefined ? '' : percent(value, 1))
        : typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2)
        : value === undefined ? '' : String(value);
    const cell = make('td', kind === 'path' ? null : text, {
      class: kind === 'name' ? 'name' : kind === 'path' ? 'path' : isNumber ? 'n' : '',
      title: isNumber && value !== undefined ? String(value) : text});
    // A path is cut in front: its end says most.
    if (kind === 'path') cell.append(make('bdi', text));
    adorn(cell, key, value, item);
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

// The address of the page names what is open: `#kernel=fusion.3`.
const addressOf = (what, item) => '#' + what + '=' +
    encodeURIComponent(item.instruction || item.name) +
    (item.module ? '&module=' + item.module : '') +
    (item.document ? '&document=' + item.document : '');

function link(what, item) {
  history.replaceState(null, '', addressOf(what, item));
}

// A link to a kernel, which opens it.
function linkTo(item, words) {
  const anchor = make('a', words, {href: addressOf('kernel', item), 'data-kernel': item.instruction});
  anchor.addEventListener('click', (event) => {
    event.preventDefault();
    event.stopPropagation();
    show(item);
  });
  return anchor;
}

// What the address names, or nothing.
const linked = (what) => {
  const words = new URLSearchParams(location.hash.slice(1));
  return words.has(what) ? {name: words.get(what), module: Number(words.get('module') || 0),
                            document: Number(words.get('document') || 0)} : null;
};

function shut() {
  $('panel').hidden = true;
  history.replaceState(null, '', location.pathname + location.search);
  $('scroll').focus();
}

function keys(event) {
  const inField = /INPUT|SELECT/.test(document.activeElement.tagName);
  if (event.key === '/' && !inField) {
    event.preventDefault();
    $('search').focus();
  } else if (event.key === 'Escape' && !$('panel').hidden) {
    shut();
  } else if (document.activeElement === $('scroll')) {
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15};
    const isEnd = event.key === 'End', isHome = event.key === 'Home';
    if (event.key in steps) pick(state.picked + steps[event.key]);
    else if (isEnd || isHome) pick(isEnd ? state.rows.length - 1 : 0);
    else if (event.key === 'Enter' && state.picked >= 0) {
      open(state.rows[state.picked]);
      $('panel').focus();
    } else return;
    event.preventDefault();
  }
}

function listen() {
  $('search').addEventListener('input', choose);
  $('controls').addEventListener('submit', (event) => event.preventDefault());
  $('scroll').addEventListener('scroll', () => draw(false));
  window.addEventListener('resize', () => draw(false));
  document.addEventListener('keydown', keys);
  window.addEventListener('beforeprint', () => { state.printing = true; draw(true); });
  window.addEventListener('afterprint', () => { state.printing = false; draw(true); });
}
