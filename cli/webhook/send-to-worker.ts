import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkedAddress } from '../../lib/config/environment/environment-reader.ts';
import { commitIdPattern } from '../../lib/core/values/commit-id.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { openPlace } from '../../lib/git/process/open-place.ts';
import { runGit } from '../../lib/git/process/run-git.ts';
import type { Session } from '../kit/session.ts';
import { readWorkerFile } from '../worker/worker-file.ts';
import { commentPayload, type NamedRepository, pingPayload, pushPayload, rerunPayload } from './payloads.ts';
import type { PreparedWebhook, SendOptions, WebhookEvent } from './send-options.ts';

const none = '0'.repeat(40);
const usualSender = { login: 'octocat', id: 583_231 } as const;
const webhookPath = '/webhooks/github';

/** The address of the worker's webhook. `url` is the address of the worker, or already the address of its webhook. */
export function webhookAddress(url: string): string {
  const bare = url.replace(/\/+$/, '');
  return bare.endsWith(webhookPath) ? bare : `${bare}${webhookPath}`;
}

/** Builds the webhook for the worker at --url from the options. Throws Failure 'usage' if an option is missing. */
export async function prepareForWorker(
  session: Session,
  event: WebhookEvent,
  options: SendOptions,
): Promise<PreparedWebhook> {
  const url = webhookAddress(checkedAddress('--url', options.url ?? ''));
  const secret = session.settings.webhookSecrets[0]?.reveal();
  if (secret === undefined && options.dryRun !== true) throw noSecret();
  const { payload, subject } = await prepare(session, event, options, url);
  return { url, payload, secret, subject, done: [], dashboard: undefined };
}

async function prepare(
  session: Session,
  event: WebhookEvent,
  options: SendOptions,
  url: string,
): Promise<Pick<PreparedWebhook, 'payload' | 'subject'>> {
  const { sender = usualSender } = options;
  if (event === 'ping') return { payload: pingPayload(url), subject: 'a ping' };
  const repository = await findRepository(session, options);
  switch (event) {
    case 'push': {
      const ref = validatePush(options);
      const { after, commit } = await findCommit(session, ref, options);
      const { before = none } = options;
      const payload = pushPayload({ repository, ref, before, after, commit, sender });
      return { payload, subject: `a push of ${ref}` };
    }
    case 'issue_comment': {
      const { pull, comment, text } = options;
      if (pull === undefined) throw missing('--pull', 'the number of the pull request');
      if (comment === undefined) throw missing('--comment', 'GitHub’s id of the comment');
      const at = session.io.clock.now();
      const payload = commentPayload({ repository, pull, comment, text, author: sender, at });
      return { payload, subject: `a comment on pull request #${String(pull)}` };
    }
    case 'check_run': {
      const promotion = promotionOf(options);
      if (options.sha === undefined) throw missing('--sha', 'the commit of the promotion');
      const payload = rerunPayload({ repository, commit: options.sha, promotion, sender });
      return { payload, subject: `a re-run of the check run of promotion ${promotion}` };
    }
  }
}

/** The ref of a push. Throws Failure 'usage' unless it is one tag or one branch. */
export function validatePush({ tag, branch, sha, before }: SendOptions): string {
  if ((tag === undefined) === (branch === undefined))
    throw new Failure('usage', {
      message:
        tag === undefined ? 'A push needs --tag or --branch.' : 'A push cannot have both --tag and --branch.',
      where: { input: '--tag' },
      hint: 'Give one of the two, such as `millrace webhook send push --tag v1.2.0`.',
    });
  for (const [input, value] of Object.entries({ '--sha': sha, '--before': before }))
    if (value !== undefined && !commitIdPattern.test(value))
      throw new Failure('usage', {
        message: `"${value}" is not a full commit id.`,
        where: { input },
        hint: '`git rev-parse HEAD` prints the full id of a commit.',
      });
  return tag === undefined ? `refs/heads/${branch ?? ''}` : `refs/tags/${tag}`;
}

/** The promotion whose check run is run again. Throws Failure 'usage' if the option is missing. */
export function promotionOf({ promotion }: SendOptions): string {
  if (promotion !== undefined) return promotion;
  throw missing('--promotion', 'the id of a promotion, which `millrace promotions` lists');
}

async function findRepository(
  session: Session,
  { repository: name, repositoryId, config = 'worker.yaml' }: SendOptions,
): Promise<NamedRepository> {
  if (name !== undefined && repositoryId !== undefined) return { id: repositoryId, name };
  const listed = existsSync(path.resolve(session.io.cwd, config))
    ? (await readWorkerFile(session, config)).repositories
    : [];
  const fitting = listed.filter(
    (candidate) =>
      (name === undefined || candidate.name.toLowerCase() === name.toLowerCase()) &&
      (repositoryId === undefined || candidate.id === repositoryId),
  );
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return { id: first.id, name: first.name };
  throw missing(
    name === undefined ? '--repository' : '--repository-id',
    listed.length === 0
      ? 'both --repository and --repository-id, because there is no worker.yaml in this folder'
      : `one of the repositories of ${config}: ${listed.map((repository) => repository.name).join(', ')}`,
  );
}

/** What the ref points at, and its commit: as given, or in the git repository of the current folder. */
async function findCommit(
  { here, io, flow }: Session,
  ref: string,
  { sha }: SendOptions,
): Promise<{ readonly after: string; readonly commit: string }> {
  if (sha !== undefined) return { after: sha, commit: sha };
  const { signal } = flow;
  try {
    const { place } = await openPlace(here, io.env, signal);
    const read = async (name: string): Promise<string> => {
      const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', name];
      return (await runGit(place, args, { signal })).stdout.toString().trim();
    };
    return { after: await read(ref), commit: await read(`${ref}^{commit}`) };
  } catch (cause) {
    signal.throwIfAborted();
    throw new Failure('usage', {
      message: `The commit of ${ref} is not known: the current folder is not a clone that has this tag or branch.`,
      where: { input: '--sha' },
      hint: 'Give the full commit id with --sha, or run the command in a clone that has the tag or branch.',
      cause,
    });
  }
}

function missing(input: string, what: string): Failure {
  return new Failure('usage', { message: `${input} is missing.`, where: { input }, hint: `Give ${what}.` });
}

/** The failure for a command without --url while no demo runs. */
export function noWorker(): Failure {
  return new Failure('usage', {
    message: 'No demo is running, and --url is missing.',
    where: { input: '--url' },
    hint: 'Start the demo with `millrace worker --demo`. For another worker, give its address with --url and set MILLRACE_WEBHOOK_SECRET.',
  });
}

function noSecret(): Failure {
  return new Failure('usage', {
    message: 'The secret of the webhook is not set, so the delivery cannot be signed.',
    where: { input: 'MILLRACE_WEBHOOK_SECRET' },
    hint: 'Set MILLRACE_WEBHOOK_SECRET (or MILLRACE_WEBHOOK_SECRET_FILE) to the secret of the worker’s webhook.',
  });
}
