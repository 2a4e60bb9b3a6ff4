import type { Markup } from '../../../../lib/html/markup.ts';
import { answerRoute } from '../../api/answer-route.ts';
import type { Form } from '../parts/form.ts';
import { viaOf } from '../../http/via-of.ts';
import { keptIn } from '../../../records/not-kept-text.ts';
import { goTo, page, type PageReply } from '../parts/page-reply.ts';
import { placeBack, placeOf } from '../parts/parts.ts';
import type { Visit } from '../parts/visit.ts';
import { type Act, doneName, routeOf } from './acts.ts';
import { actPage } from './act-page.ts';

/**
 * Does the action of a form through the operators' API, and redirects the browser to its result. A refusal is shown
 * on the confirmation page. `frame` renders the document around a page. Undefined if the subject does not exist.
 */
export async function doAct(
  act: Act,
  form: Form,
  visit: Visit,
  frame: (main: Markup) => Markup,
): Promise<PageReply | undefined> {
  const { operator, ports, id, isDisconnected } = visit;
  const query = new URLSearchParams();
  const call = { operator, ports, id, query, body: fieldsOf(form), isDisconnected };
  const { status, body } = await answerRoute(routeOf(act), { ...call, via: viaOf(operator, 'dashboard') });
  if (status < 300) {
    const unchecked = textOf(body, 'unchecked') === undefined ? '' : '&unchecked=1';
    const kept = keptIn(body);
    const notKept = kept === undefined || kept === 'yes' ? '' : `&kept=${kept}`;
    return goTo(`${placeAfter(act, visit.id, body)}?did=${doneName(act)}${unchecked}${notKept}`);
  }
  const main = status === 404 ? undefined : await actPage(act, visit, { error: errorText(body), form });
  return main && page(status, frame(main));
}

function fieldsOf(form: Form): Readonly<Record<string, string | boolean | readonly string[]>> {
  const { csrf: _, happened, holds, repository, environment, otherVersion, otherTo, ...fields } = form;
  return {
    ...fields,
    // A version that was typed replaces the chosen one.
    ...(otherVersion ? { version: otherVersion } : {}),
    ...(otherTo ? { to: otherTo } : {}),
    // An empty choice means all.
    ...(repository ? { repository } : {}),
    ...(environment ? { environment } : {}),
    ...(happened === undefined ? {} : { happened: happened === 'yes' }),
    ...(holds === undefined ? {} : { holds: holds.split(',') }),
  };
}

/** These create a new promotion: show that one. */
const creates = ['retry', 'replay', 'promote'];

/** The page after an action. */
function placeAfter({ kind, name }: Act, id: string, body: unknown): string {
  const promotion = textOf(body, 'promotion');
  if (promotion !== undefined && creates.includes(name)) return placeOf('promotions', promotion);
  return placeBack(kind, id);
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
