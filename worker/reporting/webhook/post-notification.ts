import { request } from 'undici';
import { openConnections } from '../../../lib/http/connections.ts';
import { describeCode } from '../../../lib/http/transport-problem.ts';
import type { ProxySettings } from '../../../lib/http/proxy-settings.ts';

/** The result of sending a notification. `gone`: the receiver wants no more notifications. */
export type Posted =
  { readonly status: 'delivered' | 'gone' } | { readonly status: 'refused'; readonly reason: string };

export interface Poster {
  (url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Posted>;
}

const timeoutMs = 15_000;
const maxAnswerBytes = 16_384;

/**
 * Opens the connections for notifications. Follows no redirects, so that only the address of the configuration gets
 * them.
 */
export function openPoster(proxy?: ProxySettings): { readonly post: Poster; close(): Promise<void> } {
  const connections = openConnections({ proxy });
  return {
    async post(url, headers, body) {
      try {
        const { statusCode, body: answer } = await request(url, {
          method: 'POST',
          dispatcher: await connections.dispatcherFor(new URL(url).origin, false),
          signal: AbortSignal.timeout(timeoutMs),
          headers: { 'content-type': 'application/json', 'user-agent': 'millrace', ...headers },
          body,
        });
        await answer.dump({ limit: maxAnswerBytes });
        if (statusCode >= 200 && statusCode < 300) return { status: 'delivered' };
        return statusCode === 410
          ? { status: 'gone' }
          : { status: 'refused', reason: `the receiver answered ${statusCode}` };
      } catch (error) {
        return { status: 'refused', reason: faultOf(error) };
      }
    },
    close: () => connections.close(),
  };
}

/** Without the address, which may contain a secret. */
function faultOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const description = describeCode(code);
  return `the receiver could not be reached${description === undefined ? '' : `: ${description}`}${code === '' ? '' : ` (${code})`}`;
}
