import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { navigation, pageFrame } from '../../../../lib/html/page-frame.ts';
import { configWarnings } from '../../../records/config-warnings.ts';
import { notKeptText } from '../../../records/not-kept-text.ts';
import { stylesheetPlace } from '../assets/stylesheet.ts';
import { scriptPlace } from '../assets/assets.ts';
import { iconPlace } from '../assets/icon.ts';
import { acts, doneName } from '../acts/acts.ts';
import type { Visit } from '../parts/visit.ts';

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

/** The whole HTML document around a page. Without a visit, it is for a reader who is not signed in. */
export function frame({ title, main, live }: Framed, visit: Visit | undefined): Markup {
  return pageFrame({
    title: `${title} · Millrace`,
    head: html`<link rel="icon" type="image/svg+xml" href="${iconPlace}" />
      <link rel="stylesheet" href="${stylesheetPlace}" />
      <script type="module" src="${scriptPlace}"></script>`,
    header: html`<p class="brand"><a href="/">Millrace</a></p>
      ${visit === undefined ? null : head(visit)}`,
    notice: visit === undefined ? null : [configWarning(visit), notice(visit)],
    main,
    live,
  });
}

function head({ operator, csrf, address }: Visit): Markup {
  const path = address.split('?', 1)[0] ?? '';
  const shown = sections.filter(
    ([place]) => operator.repositories === 'all' || !['/deliveries', '/dead-letters'].includes(place),
  );
  return html`${navigation(shown.map(([href, name]) => ({ name, href, isCurrent: isHere(href, path) })))}
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

/**
 * Parts of worker.yaml that are not in use. They concern the whole worker, so only operators who may access all of it
 * see them.
 */
function configWarning({ operator, ports }: Visit): Content {
  if (operator.repositories !== 'all') return null;
  return configWarnings(ports.configStatus()).map(
    (warning) => html`<p class="notice problem" role="alert">${warning}</p>`,
  );
}

const uncheckedMessage =
  'The platform did not answer whether the version is disabled: the promotion checks again.';

/** The message after an action. The text is ours; the address only names the action. */
function notice({ query }: Visit): Content {
  const did = acts.find((act) => doneName(act) === query.get('did'));
  if (did === undefined) return null;
  const unchecked = query.has('unchecked') ? ` ${uncheckedMessage}` : null;
  return html`<p class="notice" role="status">${did.done}${unchecked}${notKept(query.get('kept'))}</p>`;
}

/** The text is ours; the address only says which text. */
function notKept(kept: string | null): string | null {
  return kept === 'no' || kept === 'unknown' ? ` ${notKeptText[kept]}` : null;
}
