import type { DeliverySubject } from './delivery-subject.ts';

/** What the worker did with a delivery. */
export type DeliveryResult = 'accepted' | 'duplicate' | 'pong' | 'ignored' | 'refused' | 'unavailable';

/** The answer to the sender of a webhook. */
export interface WebhookAnswer {
  readonly status: 200 | 202 | 400 | 401 | 405 | 413 | 415 | 503;
  readonly result: DeliveryResult;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The subject; only with a valid signature. Not part of the answer. */
  readonly subject?: DeliverySubject | undefined;
}

export const refused = (
  status: 400 | 401 | 405 | 413 | 415,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): WebhookAnswer => ({ status, result: 'refused', reason, headers });

export const accepted: WebhookAnswer = { status: 202, result: 'accepted', reason: 'accepted' };

export const duplicate: WebhookAnswer = { status: 200, result: 'duplicate', reason: 'received before' };

export const ignored = (reason: string): WebhookAnswer => ({ status: 200, result: 'ignored', reason });

/** The answer if the worker cannot accept a delivery now. GitHub records the failure, and can redeliver later. */
export const unavailable = (reason: string): WebhookAnswer => ({
  status: 503,
  result: 'unavailable',
  reason,
  headers: { 'retry-after': '5' },
});
