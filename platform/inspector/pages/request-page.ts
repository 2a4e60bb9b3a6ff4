import type { Exchange, KeptBody, KeptPart } from '../../world/exchange.ts';
import { refuse } from '../../refusal/refusal.ts';
import type { LoggedRequest } from '../../world/exchange.ts';
import { curlLine } from '../parts/curl-line.ts';
import { html, type Markup } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { facts } from '../../../lib/html/parts.ts';
import { code, table, time } from '../parts/parts.ts';
import { reasonsOf } from '../parts/reasons.ts';
import { type Secrets, secretsOf } from '../parts/secrets.ts';
import { answered, outcomeOf } from './requests-page.ts';

type Header = readonly [name: string, value: string];

interface ShownBody {
  readonly text: string;
  /** The length of the whole text, if this is only its beginning. */
  readonly beginningOf: number | null;
}

/** Everything in it is masked. */
interface Request extends LoggedRequest {
  readonly headers: readonly Header[];
  readonly body: ShownBody | null;
  readonly parts: readonly KeptPart[];
  readonly answer: ShownBody | null;
  /** Why it was refused. */
  readonly reasons: readonly string[];
  readonly curl: string;
}

/** The page of one request: what was received, what was answered and why, and how to send it again. */
export const requestPage = definePage<Request>({
  path: '/requests/:id',
  read(world, { id }) {
    const exchange = world.requests.find(id);
    if (exchange === undefined)
      throw refuse(404, `There is no request "${id.slice(0, 100)}" among the newest.`);
    return shownOf(exchange, secretsOf(world));
  },
  title: ({ operation, method }) => operation ?? method,
  show: (request) => html`
    ${facts([
      ['Request', html`<code>${request.method} ${request.path}</code>`],
      ['Answer', html`${answered(request)} ${outcomeOf(request.outcome)}`],
      ['Time', time(request.at)],
      ['Request id', html`<code>${request.requestId}</code>`],
      ['Effects', html`<a href="/_platform/ledger?requestId=${request.requestId}">what it changed</a>`],
    ])}
    ${reasons(request.reasons)}
    <h2>Send it again</h2>
    <p>A click marks the whole line. Secrets and e-mail addresses are shown as •••.</p>
    ${code('curl line', request.curl)}
    <h2>Headers</h2>
    ${table(
      'Headers as they were received',
      request.headers,
      [
        { name: 'Name', show: ([name]) => name },
        { name: 'Value', kind: 'code', show: ([, value]) => html`<code>${value}</code>` },
      ],
      'The request had no headers.',
    )}
    <h2>Body</h2>
    ${
      request.parts.length > 0
        ? table(
            'Files of the upload',
            request.parts,
            [
              { name: 'Path', kind: 'code', show: ({ path }) => html`<code>${path}</code>` },
              { name: 'Bytes', kind: 'number', show: ({ bytes }) => bytes.toLocaleString('en') },
              {
                name: 'SHA-256',
                kind: 'wide',
                show: ({ sha256 }) => html`<code>${sha256.slice(0, 16)}…</code>`,
              },
            ],
            '',
          )
        : bodyOf('Body of the request', request.body)
    }
    <h2>Answer</h2>
    ${bodyOf('Body of the answer', request.answer)}
  `,
});

function shownOf({ entry, headers, body, parts, answer }: Exchange, secrets: Secrets): Request {
  const named = headers.flatMap((name, index) =>
    index % 2 === 0 ? [[name, secrets.maskHeader(name, headers[index + 1] ?? '')] as const] : [],
  );
  const show = (kept: KeptBody | undefined): ShownBody | null =>
    kept === undefined || kept.length === 0
      ? null
      : {
          text: secrets.maskBody(kept.text),
          beginningOf: kept.length > kept.text.length ? kept.length : null,
        };
  const shown = {
    ...entry,
    path: secrets.mask(entry.path),
    headers: named,
    body: show(body),
    parts: parts.map((part) => ({ ...part, path: secrets.mask(part.path) })),
    answer: show(answer),
  };
  return {
    ...shown,
    reasons: reasonsOf(entry.status, shown.answer?.text),
    curl: curlLine({ ...shown, body: shown.body?.text, cut: typeof shown.body?.beginningOf === 'number' }),
  };
}

function reasons(sentences: readonly string[]): Markup | null {
  if (sentences.length === 0) return null;
  return html`<section class="reasons" aria-labelledby="reasons">
    <h2 id="reasons">Why it was refused</h2>
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </section>`;
}

function bodyOf(label: string, shown: ShownBody | null): Markup {
  if (shown === null) return html`<p class="empty">There was none.</p>`;
  return html`${code(label, pretty(shown.text))}
  ${
    shown.beginningOf === null
      ? null
      : html`<p class="note">The beginning of ${shown.beginningOf.toLocaleString('en')} characters.</p>`
  }`;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
