import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** GitHub's own limit for the body of a webhook; requests to its API are far smaller. */
const maxBodyBytes = 25 * 1024 * 1024;

/** The body of a request: parsed JSON, or the text if it is not JSON; undefined without a body. */
export async function readBody(message: IncomingMessage): Promise<unknown> {
  let bytes = 0;
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) message.destroy();
  });
  const body = await text(message);
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
