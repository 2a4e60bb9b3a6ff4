import { html } from '../../../lib/html/markup.ts';
import { frame } from './pages/frame.ts';
import { page, type PageReply } from './parts/page-reply.ts';

/**
 * A page that leads on to an address. Because the browser leaves from a page of this site, it sends the session's
 * cookie.
 */
export function continuePage(address: string): PageReply {
  const main = html`<p class="empty"><a href="${address}">Continue</a></p>`;
  const reply = page(200, frame({ title: 'Continue', main, live: false }, undefined));
  return { ...reply, headers: { ...reply.headers, refresh: `0;url=${address}` } };
}
