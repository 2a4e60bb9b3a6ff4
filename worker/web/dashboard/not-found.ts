import { html } from '../../../lib/html/markup.ts';
import { frame } from './frame.ts';
import { page, type PageReply } from './page-reply.ts';
import type { Visit } from './visit.ts';

/** The page for a subject that does not exist, or that the reader may not access. */
export function notFound(visit: Visit): PageReply {
  const main = html`<h1>Not found</h1>
    <p>Not found, or you do not have access. <a href="/">All lanes</a></p>`;
  return page(404, frame({ title: 'Not found', main, live: false }, visit));
}
