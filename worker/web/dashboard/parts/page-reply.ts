import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Markup } from '../../../../lib/html/markup.ts';

/** An answer to a browser. */
export interface PageReply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Only our own two files run and load; no other page may frame ours, and forms are sent nowhere else. The
 * referrer stays within the site: without one, browsers that do not know Sec-Fetch-Site send forms with
 * `Origin: null`.
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

/** The answer for an unchanged page. */
export function unchanged({ headers }: PageReply): PageReply {
  return { status: 304, text: '', headers };
}

/** After an action: the browser loads the result, and its back button repeats nothing. */
export function goTo(location: string): PageReply {
  return { status: 303, text: '', headers: { ...pageHeaders, location } };
}

export function sendPage(reply: FastifyReply, { status, text, headers }: PageReply): FastifyReply {
  return reply.code(status).headers(headers).send(text);
}
