import { readFileSync } from 'node:fs';

/** idiomorph, as a statement that declares `Idiomorph`; one file with the script costs no request of its own. */
const idiomorph = readFileSync(new URL(import.meta.resolve('idiomorph/dist/idiomorph.min.js')), 'utf8');

/**
 * The script that refreshes the parts of a page with `data-live` and an id. It requests the page every two seconds
 * (304 if unchanged) and changes only what differs, so that focus, selection and scroll position stay. It shows
 * times as “3 min ago” or “for 3 min”. Pages also work without it.
 */
export const liveScript = `${idiomorph}
const everyMs = 2000;
const parts = [...document.querySelectorAll('[data-live]')];
const state = document.getElementById('live-state');
let etag = '';
let lostAt;

const units = [['d', 86400000], ['h', 3600000], ['min', 60000], ['s', 1000]];
function span(ms) {
  const [unit, size] = units.find(([, size]) => ms >= size) ?? units[3];
  return Math.max(0, Math.floor(ms / size)) + ' ' + unit;
}
function showTimes() {
  const now = Date.now();
  for (const time of document.querySelectorAll('time:not([data-exact])')) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    time.title = new Date(at).toISOString().slice(0, 19).replace('T', ' ') + ' UTC';
    const words = at > now ? 'in ' + span(at - now) : span(now - at) + ' ago';
    const text = 'lasting' in time.dataset ? 'for ' + span(now - at) : 'until' in time.dataset ? time.title.slice(0, 16) + ' UTC (' + words + ')' : words;
    if (time.textContent !== text) time.textContent = text;
  }
  for (const bar of document.querySelectorAll('progress[data-since]')) {
    const done = Number(bar.getAttribute('value-done') ?? bar.getAttribute('value'));
    bar.setAttribute('value-done', done);
    const part = (now - Date.parse(bar.dataset.since)) / Number(bar.dataset.usual);
    bar.value = done + Math.min(Math.max(part, 0), 0.95);
  }
}

// The script's own text in a time is not a change.
const isSameTime = (from, to) => from.nodeName === 'TIME' && from.dateTime === to.dateTime;
// What the reader is typing, or has opened, is theirs.
const isKept = (from) => from.nodeType === 1 && 'keep' in from.dataset;
const callbacks = {
  beforeNodeMorphed: (from, to) => !isSameTime(from, to) && !isKept(from),
  beforeAttributeUpdated: (name, node) => !(name === 'open' && node.nodeName === 'DETAILS'),
};

function say(text, lost) {
  if (state.textContent !== text) state.textContent = text;
  state.classList.toggle('lost', lost);
}

async function look() {
  const response = await fetch(location.pathname + location.search, {
    headers: { accept: 'text/html', ...(etag === '' ? {} : { 'if-none-match': etag }) },
    cache: 'no-store',
    signal: AbortSignal.timeout(10000),
  });
  if (response.status === 401) location.reload();
  if (response.status !== 304) {
    if (!response.ok) throw new Error('status ' + response.status);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (page.querySelector('main[data-live]') === null) throw new Error('no page');
    for (const part of parts) {
      const next = page.getElementById(part.id);
      if (next !== null) Idiomorph.morph(part, next, { callbacks });
    }
    document.title = page.title;
    etag = response.headers.get('etag') ?? '';
  }
}

async function keepLooking() {
  if (!document.hidden) {
    try {
      await look();
      lostAt = undefined;
      say('Connected', false);
    } catch {
      lostAt ??= new Date();
      say('Not connected since ' + lostAt.toISOString().slice(11, 19) + ' UTC', true);
    }
    showTimes();
  }
  setTimeout(keepLooking, everyMs);
}

// Shown once: a reload must not repeat the message about an action.
const here = new URL(location.href);
if (here.searchParams.has('did')) {
  here.searchParams.delete('did');
  history.replaceState(null, '', here);
}
showTimes();
if (parts.length > 0 && state) {
  keepLooking();
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) look().then(showTimes, () => {});
  });
} else {
  setInterval(showTimes, 1000);
}
`;
