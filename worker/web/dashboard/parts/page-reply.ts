import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Markup } from '../../../../lib/html/markup.ts';

/** An answer to a browser: status, headers and HTML. */
export interface PageReply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Headers of every page. The browser runs and loads only this site's two files, no other page may embed this one,
 * and forms are sent only to this site. The referrer stays within the site: without a referrer, browsers that do
 * not know Sec-Fetch-Site send forms with `Origin: null`.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export function page(status: number, { text }: Markup): PageReply {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { status, text, headers: { ...pageHeaders, etag } };
}

/** The answer (304) for a page that has not changed. */
export function unchanged({ headers }: PageReply): PageReply {
  return { status: 304, text: '', headers };
}

/** Redirects the browser to the result of an action, so that its back button does not repeat the action. */
export function goTo(location: string): PageReply {
  return { status: 303, text: '', headers: { ...pageHeaders, location } };
}

export function sendPage(reply: FastifyReply, { status, text, headers }: PageReply): FastifyReply {
  return reply.code(status).headers(headers).send(text);
}
