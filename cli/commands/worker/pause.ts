import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import type { PauseAnswer } from '../../operate/operator-answers.ts';
import { withProgramName } from '../../terminal/program-name.ts';

interface Options extends CommonOptions {
  readonly reason: string;
  readonly repository?: string;
  readonly environment?: string;
  readonly dryRun?: boolean;
}

/** `millrace pause`: lets the worker begin nothing that changes the platform, until an operator resumes. */
export const addPause: AddCommand = (program, shell) => {
  defineCommand(
    program,
    'pause',
    'Pause the worker: nothing that changes the platform begins until you resume.',
  )
    .requiredOption('--reason <text>', 'reason, shown to everyone')
    .option('--repository <name>', 'pause only the lanes of this repository (name or id)')
    .option('--environment <name>', 'pause only the lanes to this environment')
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, { reason, repository, environment, dryRun = false }) => {
        const body = { reason, repository, environment };
        if (dryRun) {
          const of = repository === undefined ? '' : ` of ${repository}`;
          const to = environment === undefined ? '' : ` to ${environment}`;
          session.output.result({ dryRun, ...body }, [`Would pause: all lanes${of}${to} (${reason}).`]);
          return 'passed';
        }
        const { askWorker } = await import('../../operate/operator-api.ts');
        const { pausedAnswer } = await import('../../operate/operator-answers.ts');
        const { pauseScope } = await import('../../operate/pause-lines.ts');
        const answer = await askWorker(session, { method: 'POST', path: 'pause', body }, pausedAnswer);
        const { paused } = answer;
        session.output.result(answer, [
          withProgramName(
            `Paused: ${pauseScope(paused)} (${reason}). To end it, run \`millrace resume --pause ${paused.id}\`.`,
            session.io,
          ),
        ]);
        return 'passed';
      }),
    );
};

/** Ends a pause of the worker, or shows with `--dry-run` what would end. */
export async function resumePause(
  session: Session,
  id: string,
  { reason, dryRun = false }: { readonly reason?: string; readonly dryRun?: boolean },
): Promise<'passed'> {
  const { askWorker } = await import('../../operate/operator-api.ts');
  const { anyAnswer, pausesAnswer } = await import('../../operate/operator-answers.ts');
  if (dryRun) {
    const { pauses } = await askWorker(session, { method: 'GET', path: 'pauses' }, pausesAnswer);
    const pause = pauses.find((candidate) => candidate.id === id);
    if (pause === undefined) throw await noPause(id, pauses);
    session.output.result({ dryRun, pause }, [`Would resume: pause ${id} (${pause.reason}).`]);
    return 'passed';
  }
  const path = `pauses/${encodeURIComponent(id)}/resume`;
  const answer = await askWorker(session, { method: 'POST', path, body: { reason } }, anyAnswer);
  session.output.result(answer, [`Resumed: pause ${id} has ended.`]);
  return 'passed';
}

async function noPause(id: string, pauses: readonly PauseAnswer[]) {
  const { Failure } = await import('../../../lib/core/errors/failure.ts');
  return new Failure('not-found', {
    message: `The worker has no pause "${id}".`,
    where: { input: '--pause' },
    hint:
      pauses.length === 0
        ? 'The worker is not paused, so there is nothing to end.'
        : `The pauses are: ${pauses.map((pause) => pause.id).join(', ')}.`,
  });
}
