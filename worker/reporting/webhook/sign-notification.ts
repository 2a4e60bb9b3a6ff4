import { createHmac } from 'node:crypto';

/**
 * The headers of Standard Webhooks (standardwebhooks.com): id, time in seconds and an HMAC-SHA256 over
 * `id.timestamp.body`. A secret that starts with `whsec_` is the Base64 of its key. Of several secrets, one per
 * line, each signs, so that they can be rotated.
 */
export function signNotification(
  secrets: string,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets
    .split(/\r?\n/)
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
    .map((secret) => {
      const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`);
      return `v1,${mac.digest('base64')}`;
    });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
}
