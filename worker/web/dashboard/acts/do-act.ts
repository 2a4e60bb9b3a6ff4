import { html, type Markup } from '../../../../lib/html/markup.ts';
import { answerApi } from '../../api/operator-api.ts';
import { goTo, page, type PageReply } from '../page-reply.ts';
import { placeOf } from '../parts.ts';
import type { Visit } from '../visit.ts';
import type { Act } from './acts.ts';
import { actPage } from './act-page.ts';

/**
 * Performs the action of a form through the operators' API, and redirects the browser to its result. A refusal
 * is shown on the confirmation page. `frame` renders the document around a page.
 */
export async function doAct(
  act: Act,
  form: URLSearchParams,
  visit: Visit,
  frame: (main: Markup) => Markup,
): Promise<PageReply> {
  const { status, body } = await answerApi(
    {
      method: 'POST',
      path: `${act.kind}/${encodeURIComponent(visit.id)}/${act.name}`,
      query: new URLSearchParams(),
      body: fieldsOf(form),
      via: 'dashboard',
    },
    visit.operator,
    visit.engine,
  );
  if (status < 300) {
    const unchecked = textOf(body, 'unchecked') === undefined ? '' : '&unchecked=1';
    return goTo(`${placeAfter(act, visit.id, body)}?did=${act.name}${unchecked}`);
  }
  if (status === 404)
    return page(
      404,
      frame(
        html`<h1>Not found</h1>
          <p>Not found, or you do not have access.</p>`,
      ),
    );
  return page(status, frame(await actPage(act, visit, { error: errorText(body), form })));
}

function fieldsOf(form: URLSearchParams): Readonly<Record<string, string | boolean | readonly string[]>> {
  const { csrf: _, happened, holds, ...fields } = Object.fromEntries(form);
  return {
    ...fields,
    ...(happened === undefined ? {} : { happened: happened === 'yes' }),
    ...(holds === undefined ? {} : { holds: holds.split(',') }),
  };
}

/** A retry and a replay create a new promotion: show that one. */
function placeAfter({ kind, name }: Act, id: string, body: unknown): string {
  const promotion = textOf(body, 'promotion');
  if (promotion !== undefined && (name === 'retry' || name === 'replay'))
    return placeOf('promotions', promotion);
  return kind === 'dead-letters' ? '/dead-letters' : placeOf(kind, id);
}

function errorText(body: unknown): string {
  const error = textOf(body, 'error') ?? 'the request was refused';
  return `Not done: ${error}.`;
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === 'string' ? value : undefined;
}
