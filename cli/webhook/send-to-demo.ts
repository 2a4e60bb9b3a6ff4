import { askDemo } from '../demo/ask-demo.ts';
import { demoOperator, demoRepository } from '../demo/demo-config.ts';
import { commentFacts, controlPaths, pushFacts } from '../demo/demo-protocol.ts';
import type { RunningDemo } from '../operate/demo-record.ts';
import { askWorker } from '../operate/operator-api.ts';
import { wholePromotionAnswer } from '../operate/operator-answers.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Session } from '../kit/session.ts';
import { commentPayload, pingPayload, pushPayload, rerunPayload } from './payloads.ts';
import type { PreparedWebhook, SendOptions, WebhookEvent } from './send-options.ts';
import { promotionOf, webhookAddress } from './send-to-worker.ts';

/** Options that only make sense for another worker: the demo has one repository, and knows its people. */
const notForDemo = ['repository', 'repositoryId', 'sender', 'before', 'comment'] as const;

const flags: Readonly<Record<(typeof notForDemo)[number], string>> = {
  repository: '--repository',
  repositoryId: '--repository-id',
  sender: '--sender',
  before: '--before',
  comment: '--comment',
};

/**
 * Makes the demo do what happens on GitHub before the webhook: a commit, a tag or a comment. Returns the webhook to
 * send. Throws the demo's failures.
 */
export async function prepareForDemo(
  session: Session,
  event: WebhookEvent,
  options: SendOptions,
  demo: RunningDemo,
): Promise<PreparedWebhook> {
  const option = notForDemo.find((name) => options[name] !== undefined);
  if (option !== undefined) throw notForTheDemo(flags[option]);
  const { worker } = demo;
  const common = {
    url: webhookAddress(worker.url),
    secret: worker.webhookSecret,
    dashboard: `${worker.url}/`,
  };
  return { ...common, ...(await prepare(session, event, options, demo)) };
}

type Prepared = Pick<PreparedWebhook, 'payload' | 'subject' | 'done'>;

async function prepare(
  session: Session,
  event: WebhookEvent,
  options: SendOptions,
  demo: RunningDemo,
): Promise<Prepared> {
  const { signal } = session.flow;
  const { tag, branch, sha, pull, text, dryRun = false } = options;
  switch (event) {
    case 'push': {
      const body = { tag, branch, sha, dryRun };
      const facts = await askDemo(demo, { path: controlPaths.push, body, signal }, pushFacts);
      return { payload: pushPayload(facts), subject: `a push of ${facts.ref}`, done: facts.done };
    }
    case 'issue_comment': {
      const body = { pull, text, dryRun };
      const facts = await askDemo(demo, { path: controlPaths.comment, body, signal }, commentFacts);
      const payload = commentPayload({ ...facts, text, at: session.io.clock.now() });
      return {
        payload,
        subject: `a comment on pull request #${String(facts.pull)}`,
        done: dryRun ? [] : facts.done,
      };
    }
    case 'check_run': {
      const promotion = promotionOf(options);
      const path = `promotions/${encodeURIComponent(promotion)}`;
      const { url, token } = demo.worker;
      const answer = await askWorker(
        session,
        { method: 'GET', path, access: { url, token, isDemo: true } },
        wholePromotionAnswer,
      );
      const sender = demoOperator;
      const payload = rerunPayload({ repository: demoRepository, commit: answer.commit, promotion, sender });
      return { payload, subject: `a re-run of the check run of promotion ${promotion}`, done: [] };
    }
    case 'ping':
      return { payload: pingPayload(webhookAddress(demo.worker.url)), subject: 'a ping', done: [] };
  }
}

function notForTheDemo(flag: string): Failure {
  return new Failure('usage', {
    message: `${flag} cannot be used with the demo, which has its own repository.`,
    where: { input: flag },
    hint: `Remove ${flag}, or give the address of another worker with --url.`,
  });
}
