import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { World } from '../../world/world.ts';
import { withBreakPoints } from '../../../lib/html/with-break-points.ts';
import { type Content, html } from '../../../lib/html/markup.ts';
import { navigation, pageFrame } from '../../../lib/html/page-frame.ts';
import type { Answered } from './page.ts';
import { time } from './parts.ts';

const sections = [
  ['', 'Overview'],
  ['/requests', 'Requests'],
  ['/executions', 'Executions'],
  ['/tables', 'Tables'],
  ['/streaming', 'Streaming'],
  ['/runners', 'Runners'],
  ['/versions', 'Versions'],
  ['/audit', 'Audit'],
  ['/ledger', 'Ledger'],
  ['/faults', 'Faults'],
  ['/clock', 'Clock'],
] as const;

interface Frame {
  readonly answered: Pick<Answered, 'title' | 'show'>;
  readonly world: World;
  readonly url: string;
  /** Whether the page's script reloads it. */
  readonly isLive: boolean;
}

/** The section of the inspector to which an address belongs; undefined if there is none. */
export function sectionOf(url: string): { readonly name: string; readonly href: string } | undefined {
  const here = placeOf(url);
  const section = sections.find(([path]) => path !== '' && isWithin(path, here));
  return section && { href: `/_platform${section[0]}`, name: section[1] };
}

/** The whole document around a page: the sections, the time on the platform, and the faults that are set. */
export function frame({ answered, world, url, isLive }: Frame): string {
  const here = placeOf(url);
  const twin = `${url}${url.includes('?') ? '&' : '?'}format=json`;
  const links = sections.map(([path, name]) => {
    const isCurrent = path === '' ? here === '' : isWithin(path, here);
    return { name, href: `/_platform${path}`, isCurrent };
  });
  return pageFrame({
    title: `${answered.title} · Millrace local platform`,
    head: html`<link rel="icon" href="data:," /> <link rel="stylesheet" href="/_platform/inspector.css" />
      <script type="module" src="/_platform/live.js"></script>`,
    header: html`<p class="brand">
        <a href="/_platform">Millrace <span>local platform</span></a>
      </p>
      ${navigation(links)} ${state(world, isLive)}
      <p id="live-state" role="status"></p>`,
    live: isLive,
    main: html`<h1>${withBreakPoints(answered.title)}</h1>
      ${answered.show()}`,
    footer: html`<p>
      For tests on this machine. <a href="${twin}">This page as JSON</a> ·
      <a href="/_platform/openapi.json">OpenAPI</a>
    </p>`,
  }).text;
}

/** The path below `/_platform`. */
function placeOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').replace(/^\/_platform/, '').replace(/\/$/, '');
}

const isWithin = (path: string, here: string): boolean => here === path || here.startsWith(`${path}/`);

function state({ clock, faults }: World, isLive: boolean): Content {
  const { rules, rateLimit } = faults.list();
  const active = rules.length + (rateLimit === false ? 0 : 1);
  return html`<p class="state" id="platform-state" ${isLive ? html`data-live` : null}>
    <span>${time(new Date(clock.now()).toISOString())}</span>
    ${clock.frozen ? html`<a class="pill wait" href="/_platform/clock">clock frozen</a>` : null}
    ${active > 0 ? html`<a class="pill bad" href="/_platform/faults">${numberOf(active, 'fault')}</a>` : null}
  </p>`;
}
