import { Argument, InvalidArgumentError } from 'commander';
import { commandAction, type AddCommand, defineCommand, oneOf } from '../../kit/command.ts';
import { type SendOptions, webhookEvents } from '../../webhook/send-options.ts';
import { parseCount } from '../../terminal/parse-count.ts';

/** Longer than numbers of promotions: ids of GitHub. */
const maxIdDigits = 15;

/** `millrace webhook send`: sends a webhook, as GitHub does, to the demo or to another worker. */
export const addWebhook: AddCommand = (program, shell) => {
  defineCommand(
    program,
    'webhook',
    'Send a signed webhook, as GitHub does, to the demo of the worker or to the worker at --url.',
  )
    .addArgument(new Argument('<action>', 'send').choices(['send']))
    .addArgument(
      new Argument(
        '<event>',
        'push, issue_comment (a comment on a pull request), check_run (a click on "Re-run") or ping',
      ).choices(webhookEvents),
    )
    .option('--tag <name>', 'push: the tag; the demo makes a commit for a new tag, and publishes it')
    .option('--branch <name>', 'push: the branch')
    .option(
      '--sha <commit>',
      'the commit (default: a new one in the demo, otherwise the commit of the tag or branch in the git repository of the current folder)',
    )
    .option(
      '--before <commit>',
      'push: the commit of the branch before the push (default: none, as for a new branch)',
    )
    .option(
      '--pull <number>',
      'issue_comment: the pull request (default: the newest one of the demo)',
      parseCount,
    )
    .option('--text <text>', 'issue_comment: the text', '/millrace approve')
    .option('--comment <id>', 'issue_comment: GitHub’s id of the comment (not for the demo)', parseId)
    .option('--promotion <id>', 'check_run: the promotion to retry')
    .option('--url <url>', 'address of the worker; its secret is in MILLRACE_WEBHOOK_SECRET')
    .option('--repository <owner/name>', 'the repository (not for the demo)')
    .option(
      '--repository-id <number>',
      'GitHub’s id of the repository (default: the id in worker.yaml)',
      parseId,
    )
    .option('--sender <login:id>', 'who pushes, comments or clicks (not for the demo)', parseSender)
    .option('--dry-run', 'print the request instead of sending it')
    .action(
      commandAction<SendOptions>(shell, async (session, options, _, event = '') => {
        const { sendWebhook } = await import('../../webhook/send-webhook.ts');
        return sendWebhook(session, oneOf(webhookEvents)(event), options);
      }),
    );
};

function parseSender(text: string): { readonly login: string; readonly id: number } {
  const [, login, id] = /^([A-Za-z0-9][A-Za-z0-9-]*):([1-9]\d{0,14})$/.exec(text) ?? [];
  if (login === undefined)
    throw new InvalidArgumentError('It must be a login and an id, such as octocat:583231.');
  return { login, id: Number(id) };
}

function parseId(text: string): number {
  if (/^[1-9]\d*$/.test(text) && text.length <= maxIdDigits) return Number(text);
  throw new InvalidArgumentError('It must be an id of GitHub, a number.');
}
