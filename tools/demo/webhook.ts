import { createHmac, randomUUID } from 'node:crypto';

import { Agent, request } from 'undici';
import { repository, type DemoServers, webhookSecret } from './demo-servers.ts';

export interface Delivery {
  readonly id: string;
  readonly body: string;
}

/** The push webhook of a tag, as GitHub sends it. */
export async function pushDelivery({ github }: DemoServers, tag: string): Promise<Delivery> {
  return { id: randomUUID(), body: JSON.stringify(await github.events.push(repository, `refs/tags/${tag}`)) };
}

/** Delivers a webhook with its signature. Returns the HTTP status of the answer. */
export async function deliver(workerUrl: string, { id, body }: Delivery): Promise<number> {
  const signature = createHmac('sha256', webhookSecret).update(body).digest('hex');
  const dispatcher = new Agent();
  try {
    const answer = await request(`${workerUrl}/webhooks/github`, {
      method: 'POST',
      dispatcher,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    });
    await answer.body.dump();
    return answer.statusCode;
  } finally {
    await dispatcher.close();
  }
}
