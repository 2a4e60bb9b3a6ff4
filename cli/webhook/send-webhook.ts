import { proxyOf } from '../../lib/http/proxy-settings.ts';
import { findRunningDemo } from '../operate/demo-record.ts';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { Session } from '../kit/session.ts';
import { createDelivery, type Delivery, type DeliveryAnswer, sendDelivery } from './delivery.ts';
import type { PreparedWebhook, SendOptions, WebhookEvent } from './send-options.ts';
import { prepareForDemo } from './send-to-demo.ts';
import { noWorker, prepareForWorker, validatePush } from './send-to-worker.ts';
import { programName } from '../terminal/program-name.ts';

/**
 * Sends one webhook to the worker at --url, otherwise to the running demo; or prints it. Throws Failure 'usage' for options
 * that are missing, what `sendDelivery` throws, and the demo's failures.
 */
export async function sendWebhook(
  session: Session,
  event: WebhookEvent,
  options: SendOptions,
): Promise<Outcome> {
  if (event === 'push') validatePush(options);
  const demo = options.url === undefined ? findRunningDemo(session.io) : undefined;
  if (demo === undefined && options.url === undefined) throw noWorker();
  const prepared =
    demo === undefined
      ? await prepareForWorker(session, event, options)
      : await prepareForDemo(session, event, options, demo);
  const delivery = await createDelivery(prepared.url, event, prepared.payload, prepared.secret);
  if (options.dryRun === true) {
    showRequest(session, delivery, prepared);
    return 'passed';
  }
  const answer = await sendDelivery(delivery, {
    // The demo runs on this machine.
    proxy: demo === undefined ? proxyOf(session.io.env) : undefined,
    signal: session.flow.signal,
  });
  showAnswer(session, event, { delivery, answer, prepared });
  return answer.result === 'ignored' || answer.result === 'duplicate' ? 'nothing-to-do' : 'passed';
}

function showRequest({ output }: Session, delivery: Delivery, { payload, secret }: PreparedWebhook): void {
  const { url, headers } = delivery;
  output.result({ url, method: 'POST', headers, body: payload }, [
    `POST ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(secret === undefined ? ['(without a signature, because MILLRACE_WEBHOOK_SECRET is not set)'] : []),
    '',
    delivery.body,
  ]);
}

function showAnswer(
  { output, io }: Session,
  event: WebhookEvent,
  parts: {
    readonly delivery: Delivery;
    readonly answer: DeliveryAnswer;
    readonly prepared: PreparedWebhook;
  },
): void {
  const { delivery, answer, prepared } = parts;
  const { done, subject, dashboard, url } = prepared;
  const program = programName(io);
  output.result({ event, delivery: delivery.id, url, done, answer }, [
    ...done,
    `Sent ${subject} to ${url}.`,
    `The worker answered ${String(answer.status)}: ${answer.reason}.`,
    // The worker has only stored it: the rules of worker.yaml may still refuse it.
    ...(answer.result === 'accepted'
      ? [`\`${program} deliveries\` shows what it starts, or why nothing.`]
      : []),
    ...(dashboard === undefined ? [] : [`See ${dashboard} or \`${program} promotions\`.`]),
  ]);
}
