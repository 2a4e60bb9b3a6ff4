import type { IncomingHttpHeaders } from 'node:http';

/**
 * The id and the event of a delivery, from its headers; '' if they are not valid. The signature does not cover
 * them.
 */
export function deliveryHeaders(headers: IncomingHttpHeaders): {
  readonly id: string;
  readonly event: string;
} {
  return {
    id: headerValue(headers['x-github-delivery'], /^[0-9A-Za-z-]{1,64}$/),
    event: headerValue(headers['x-github-event'], /^[a-z_]{1,40}$/),
  };
}

function headerValue(header: string | string[] | undefined, form: RegExp): string {
  return typeof header === 'string' && form.test(header) ? header : '';
}
