export const scriptPlace = '/assets/live.js';

/**
 * Script that refreshes pages: requests the page again every two seconds (304 if unchanged) and changes only
 * what differs, so that focus, selection and scroll position stay. Shows times as “3 min ago”. Nothing depends
 * on it.
 */
export const liveScript = `const everyMs = 2000;
const main = document.querySelector('main[data-live]');
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
    const text = 'until' in time.dataset ? time.title.slice(0, 16) + ' UTC (' + words + ')' : words;
    if (time.textContent !== text) time.textContent = text;
  }
  for (const bar of document.querySelectorAll('progress[data-since]')) {
    const done = Number(bar.getAttribute('value-done') ?? bar.getAttribute('value'));
    bar.setAttribute('value-done', done);
    const part = (now - Date.parse(bar.dataset.since)) / Number(bar.dataset.usual);
    bar.value = done + Math.min(Math.max(part, 0), 0.95);
  }
}

function same(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && (a.id ?? '') === (b.id ?? '');
}
function change(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  // The script's own text in it is not a change.
  if (from.nodeName === 'TIME' && from.getAttribute('datetime') === to.getAttribute('datetime')) return;
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  let at = from.firstChild;
  for (const next of [...to.childNodes]) {
    if (next.id && at?.id !== next.id) {
      const moved = [...from.children].find((child) => child.id === next.id);
      if (moved) {
        from.insertBefore(moved, at);
        at = moved;
      }
    }
    if (at && same(at, next)) {
      change(at, next);
      at = at.nextSibling;
    } else {
      from.insertBefore(document.adoptNode(next), at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

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
    const next = page.querySelector('main[data-live]');
    if (next === null) throw new Error('no page');
    change(main, next);
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
if (main && state) {
  keepLooking();
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) look().then(showTimes, () => {});
  });
} else {
  setInterval(showTimes, 1000);
}
`;
