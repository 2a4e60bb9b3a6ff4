import { html, type Markup } from '../../../../lib/core/markup.ts';
import { answerApi } from '../../api/operator-api.ts';
import { goTo, page, type PageReply } from '../page-reply.ts';
import { placeOf } from '../parts.ts';
import type { Visit } from '../visit.ts';
import type { Act } from './acts.ts';
import { actPage } from './act-page.ts';

/**
 * Does what a form asks for, through the operators' API, and sends the browser to where it shows. What was refused is
 * said on the page that asked. `frame` puts a page into the document.
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
        html`<h1>Not here</h1>
          <p>It is gone, or none of yours.</p>`,
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

/** A retry and a replay make a new run: that is where one wants to look. */
function placeAfter({ kind, name }: Act, id: string, body: unknown): string {
  const promotion = textOf(body, 'promotion');
  if (promotion !== undefined && (name === 'retry' || name === 'replay'))
    return placeOf('promotions', promotion);
  return kind === 'dead-letters' ? '/dead-letters' : placeOf(kind, id);
}

function errorText(body: unknown): string {
  const error = textOf(body, 'error') ?? 'it was refused';
  return `Not done: ${error}.`;
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === 'string' ? value : undefined;
}
