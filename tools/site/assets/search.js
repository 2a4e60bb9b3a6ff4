import MiniSearch from './minisearch.js';

const root = document.querySelector('script[data-root]')?.dataset.root ?? '';
const input = document.getElementById('search');
const results = document.getElementById('results');
let loading;

/** The index is large, so it is loaded at the first use. */
function load() {
  loading ??= fetch(`${root}assets/search-index.json`)
    .then((answer) => answer.text())
    .then((text) =>
      MiniSearch.loadJSON(text, {
        fields: ['heading', 'page', 'text'],
        storeFields: ['page', 'heading', 'start'],
      }),
    );
  return loading;
}

async function search() {
  const words = input.value.trim();
  const index = await load();
  if (input.value.trim() !== words) return;
  const found =
    words === ''
      ? []
      : index.search(words, { prefix: true, fuzzy: 0.15, boost: { heading: 3, page: 2 } }).slice(0, 12);
  results.replaceChildren(...found.map(row));
  if (words !== '' && found.length === 0)
    results.append(Object.assign(document.createElement('li'), { textContent: 'Nothing found.' }));
  results.hidden = words === '';
}

function row({ id, page, heading, start }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = root + id;
  const title = document.createElement('b');
  title.textContent = heading === page ? page : `${page} › ${heading}`;
  const text = document.createElement('span');
  text.textContent = start;
  link.append(title, text);
  item.append(link);
  return item;
}

input.addEventListener('focus', load);
input.addEventListener('input', () => void search());
document.addEventListener('keydown', (event) => {
  const links = [...results.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === '/' && !/^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) input.focus();
  else if (event.key === 'Escape') results.hidden = true;
  else if (event.key === 'ArrowDown' && !results.hidden && links.length > 0)
    links[Math.min(at + 1, links.length - 1)].focus();
  else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] ?? input).focus();
  else if (event.key === 'Enter' && document.activeElement === input && links.length > 0) links[0].click();
  else return;
  event.preventDefault();
});
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element && target.closest('.search'))) results.hidden = true;
});
