import { html } from '../../../../lib/html/markup.ts';
import { frame } from './frame.ts';
import { page, type PageReply } from '../parts/page-reply.ts';

const refusals: ReadonlyMap<number, string> = new Map([
  [400, 'The address of this page is not valid. Correct it, or start from the list of all lanes.'],
  [403, 'The form came from another site. Open the page again and use the form there.'],
  [413, 'The form is too long.'],
  [415, 'The worker cannot read this form. Open the page again and use the form there.'],
  [500, 'Internal error of the worker. Its log has the details.'],
  [503, 'The worker cannot read its records now. It continues by itself once Redis answers.'],
]);

/**
 * The page for an error, with a given text or the text for its status. A status without a text gets the page "not
 * found".
 */
export function errorPage(status: number, words = refusals.get(status)): PageReply {
  if (words === undefined) {
    const main = html`<h1>Not found</h1>
      <p>This page does not exist. <a href="/">All lanes</a></p>`;
    return page(status, frame({ title: 'Not found', main, live: false }, undefined));
  }
  const title = status < 500 ? 'Not done' : 'Not now';
  const main = html`<h1>${title}</h1>
    <p class="problem" role="alert">${words}</p>
    <p><a href="/">All lanes</a></p>`;
  return page(status, frame({ title, main, live: false }, undefined));
}
