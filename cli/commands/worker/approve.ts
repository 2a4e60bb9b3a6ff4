import { Failure } from '../../../lib/core/failure.ts';
import { act, type AddCommand, define } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { headOf } from './runs.ts';

interface Options extends CommonOptions {
  readonly version?: string;
  readonly commit?: string;
  readonly dryRun?: boolean;
}

/** `millrace approve`: one person's yes to one run, for the commit and version that are shown. */
export const addApprove: AddCommand = (program, shell) => {
  define(program, 'approve', 'Approve a run that waits for it: this commit and this version, nothing else.')
    .argument('<run>', 'id of the run, as `millrace runs` shows it')
    .option('--version <name>', 'only if it is this version')
    .option('--commit <sha>', 'only if it is this commit (or begins so)')
    .option('--dry-run', 'show what would be approved, change nothing')
    .action(
      act<Options>(shell, async (session, { dryRun = false, ...wanted }, id = '') => {
        const run = await seenRun(session, id, wanted);
        const { commit, version } = run;
        const { askWorker } = await import('../../kit/operator-api.ts');
        const { anyAnswer } = await import('../../kit/operator-answers.ts');
        const path = `runs/${encodeURIComponent(id)}/approve`;
        const query = new URLSearchParams({ commit, version: version ?? '' });
        const answer = await askWorker(
          session,
          dryRun
            ? { method: 'GET', path: `${path}?${query.toString()}` }
            : { method: 'POST', path, body: { commit, version } },
          anyAnswer,
        );
        const { unchecked } = answer;
        if (typeof unchecked === 'string')
          session.output.logger.warn(
            `The platform did not say whether ${version ?? 'the version'} is disabled (${unchecked}); the promotion looks again.`,
          );
        if (dryRun) {
          session.output.result({ dryRun, ...answer }, ['Would approve:', ...headOf(run)]);
          return 'passed';
        }
        session.output.result(answer, [
          `Approved: ${version ?? ''} at ${commit.slice(0, 12)} for ${run.to ?? run.lane}.`,
        ]);
        return 'passed';
      }),
    );
};

/** A run as it is now, if it is what the person means. Throws Failure 'conflict' where it is not. */
export async function seenRun(
  session: Session,
  id: string,
  { version, commit = '' }: { readonly version?: string; readonly commit?: string },
) {
  const { askWorker } = await import('../../kit/operator-api.ts');
  const { runAnswer } = await import('../../kit/operator-answers.ts');
  const path = `runs/${encodeURIComponent(id)}`;
  const run = await askWorker(session, { method: 'GET', path }, runAnswer);
  if ((version === undefined || version === run.version) && run.commit.startsWith(commit)) return run;
  throw new Failure('conflict', {
    message: `Run ${id} is about version ${run.version ?? '–'} at commit ${run.commit}.`,
    where: { input: version === undefined ? '--commit' : '--version' },
    mend: 'Look at it with `millrace runs` before you say yes to it.',
  });
}
