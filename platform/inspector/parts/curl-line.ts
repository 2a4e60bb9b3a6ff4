import type { KeptPart } from '../../world/exchange.ts';
import { visible } from '../../../lib/html/markup.ts';

export interface Repeatable {
  readonly method: string;
  readonly path: string;
  /** Already masked. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  /** Whether that is only the beginning of it. */
  readonly cut: boolean;
  readonly parts: readonly KeptPart[];
}

/** Headers that curl, the shell or the connection sets itself. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|accept|accept-encoding|accept-language|user-agent|sec-.*|x-request-id|expect|keep-alive|upgrade)$/i;

/**
 * A command line for a POSIX shell that sends the request again, with the token in an environment variable. A body
 * that was cut, and the files of an upload, are named as files.
 */
export function curlLine({ method, path, headers, body, cut, parts }: Repeatable): string {
  const multipart = headers.some(([name, value]) => isType(name) && value.startsWith('multipart/'));
  const words = [
    `curl -sS ${/[[\]{}]/.test(path) ? '-g ' : ''}-X ${quote(method)} "$MILLRACE_BASE_URL"${quote(path)}`,
  ];
  for (const [name, value] of headers) {
    if (ownHeaders.test(name) || (multipart && isType(name))) continue;
    words.push(
      /^authorization$/i.test(name)
        ? '-H "authorization: Bearer $MILLRACE_TOKEN"'
        : `-H ${quote(`${name}: ${value}`)}`,
    );
  }
  for (const { path: file } of parts)
    words.push(`-F ${quote(`${file}=@"${inQuotes(file)}";type=text/plain`)}`);
  if (body !== undefined && parts.length === 0)
    words.push(cut ? '--data-binary @body.json' : `--data-raw ${quote(body)}`);
  return visible(words.join(' \\\n  '));
}

const isType = (name: string) => name.toLowerCase() === 'content-type';

/** Nothing in single quotation marks means anything to a shell. */
function quote(text: string): string {
  return /^[\w/.,:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const inQuotes = (text: string) => text.replaceAll(/["\\]/g, String.raw`\$&`);
