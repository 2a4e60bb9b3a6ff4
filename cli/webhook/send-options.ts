import type { CommonOptions } from '../kit/session.ts';
import type { Account } from './payloads.ts';

/** The events of GitHub that a worker handles. */
export const webhookEvents = ['push', 'issue_comment', 'check_run', 'ping'] as const;

export type WebhookEvent = (typeof webhookEvents)[number];

/** The options of `millrace webhook send`. */
export interface SendOptions extends CommonOptions {
  readonly tag?: string;
  readonly branch?: string;
  readonly sha?: string;
  readonly before?: string;
  readonly repository?: string;
  readonly repositoryId?: number;
  readonly pull?: number;
  readonly comment?: number;
  readonly text: string;
  readonly promotion?: string;
  readonly sender?: Account;
  readonly url?: string;
  readonly dryRun?: boolean;
}

/** A webhook that is ready to send, and its destination. */
export interface PreparedWebhook {
  /** Of the webhook, such as `http://127.0.0.1:8080/webhooks/github`. */
  readonly url: string;
  readonly payload: object;
  /** Undefined only in a dry run. */
  readonly secret: string | undefined;
  /** The subject, for people: `push of refs/tags/v1.2.0`. */
  readonly subject: string;
  /** What was done before, one sentence each. */
  readonly done: readonly string[];
  /** The address of the dashboard, if the webhook is for the demo. */
  readonly dashboard: string | undefined;
}
