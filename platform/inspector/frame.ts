import type { World } from '../world/world.ts';
import { type Content, html, type Markup } from '../../lib/core/markup.ts';
import type { Answered } from './page.ts';
import { time } from './parts.ts';

const sections = [
  ['', 'Overview'],
  ['/requests', 'Requests'],
  ['/executions', 'Executions'],
  ['/streaming', 'Streaming'],
  ['/versions', 'Versions'],
  ['/audit', 'Audit'],
  ['/ledger', 'Ledger'],
  ['/faults', 'Faults'],
  ['/clock', 'Clock'],
] as const;

interface Frame {
  readonly answered: Answered;
  readonly world: World;
  readonly url: string;
}

/** The whole document around a page: where one is, what time it is here, and what goes wrong on purpose. */
export function frame({ answered, world, url }: Frame): string {
  const here = (url.split('?', 1)[0] ?? '').replace(/^\/_platform/, '').replace(/\/$/, '');
  const twin = `${url}${url.includes('?') ? '&' : '?'}format=json`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${answered.title} · Millrace local platform</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/_platform/inspector.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the page</a>
        <header>
          <p class="brand">
            <a href="/_platform">Millrace <span>local platform</span></a>
          </p>
          <nav aria-label="Pages">
            <ul>
              ${sections.map(([path, name]) => section(path, name, here))}
            </ul>
          </nav>
          ${state(world)}
        </header>
        <main id="main" tabindex="-1">
          <h1>${answered.title}</h1>
          ${answered.show()}
        </main>
        <footer>
          <p>
            For tests on this machine. <a href="${twin}">This page as JSON</a> ·
            <a href="/_platform/openapi.json">OpenAPI</a>
          </p>
        </footer>
      </body>
    </html>`.text;
}

function section(path: string, name: string, here: string): Markup {
  const current = path === '' ? here === '' : here === path || here.startsWith(`${path}/`);
  return html`<li>
    <a href="/_platform${path}" ${current ? html`aria-current="page"` : null}>${name}</a>
  </li>`;
}

function state({ clock, faults }: World): Content {
  const { rules, rateLimit } = faults.list();
  const active = rules.length + (rateLimit === false ? 0 : 1);
  return html`<p class="state">
    <span>${time(new Date(clock.now()).toISOString())}</span>
    ${clock.frozen ? html`<a class="pill wait" href="/_platform/clock">clock stands still</a>` : null}
    ${
      active > 0
        ? html`<a class="pill bad" href="/_platform/faults">${active} fault${active === 1 ? '' : 's'}</a>`
        : null
    }
  </p>`;
}
