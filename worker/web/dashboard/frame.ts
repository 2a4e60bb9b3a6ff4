import { type Content, html, type Markup } from '../../../lib/core/markup.ts';
import { stylesheetPlace } from './assets/stylesheet.ts';
import { scriptPlace } from './assets/live-script.ts';
import { iconPlace } from './assets/icon.ts';
import { acts } from './acts/acts.ts';
import type { Visit } from './visit.ts';

/** One page with its header. */
export interface Framed {
  readonly title: string;
  readonly main: Content;
  /** Whether the script refreshes it. */
  readonly live: boolean;
}

const sections = [
  ['/', 'Lanes'],
  ['/promotions', 'Promotions'],
  ['/deliveries', 'Deliveries'],
  ['/dead-letters', 'Dead letters'],
  ['/audit', 'Audit'],
] as const;

/** The whole document; without a visit, for a reader who is not signed in. */
export function frame({ title, main, live }: Framed, visit: Visit | undefined): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Millrace</title>
        <link rel="icon" type="image/svg+xml" href="${iconPlace}" />
        <link rel="stylesheet" href="${stylesheetPlace}" />
        <script type="module" src="${scriptPlace}"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the page</a>
        <header class="top">
          <p class="brand"><a href="/">Millrace</a></p>
          ${visit === undefined ? null : head(visit)}
        </header>
        ${visit === undefined ? null : notice(visit)}
        <main id="main" tabindex="-1" ${live ? html`data-live` : null}>${main}</main>
      </body>
    </html>`;
}

function head({ operator, csrf, address }: Visit): Markup {
  const path = address.split('?', 1)[0] ?? '';
  const shown = sections.filter(
    ([place]) => operator.repositories === 'all' || !['/deliveries', '/dead-letters'].includes(place),
  );
  return html`<nav aria-label="Pages">
      <ul>
        ${shown.map(
          ([place, name]) =>
            html`<li>
              <a href="${place}" ${isHere(place, path) ? html`aria-current="page"` : null}>${name}</a>
            </li>`,
        )}
      </ul>
    </nav>
    <p id="live-state" role="status"></p>
    <form class="who" method="post" action="/session/end">
      <input type="hidden" name="csrf" value="${csrf}" />
      <span>${operator.name} <span class="hint">${operator.role}</span></span>
      <button type="submit">Sign out</button>
    </form>`;
}

function isHere(place: string, path: string): boolean {
  if (place === '/') return path === '/' || path.startsWith('/lanes/');
  return path === place || path.startsWith(`${place}/`);
}

const uncheckedMessage =
  'The platform did not answer whether the version is disabled: the promotion checks again.';

/** The message after an action. The text is ours; the address only names the action. */
function notice({ query }: Visit): Content {
  const did = acts.find(({ name }) => name === query.get('did'));
  if (did === undefined) return null;
  const unchecked = query.has('unchecked') ? ` ${uncheckedMessage}` : null;
  return html`<p class="notice" role="status">${did.done}${unchecked}</p>`;
}
