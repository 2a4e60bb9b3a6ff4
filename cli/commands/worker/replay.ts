import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import { describeSubject } from '../../operate/describe-subject.ts';
import type { CommonOptions } from '../../kit/session.ts';
import { tableLines } from '../../../lib/core/text/table-lines.ts';

interface Options extends CommonOptions {
  readonly dryRun?: boolean;
}

/** `millrace replay`: lists the dead letters of the worker (jobs that it has given up), or replays one. */
export const addReplay: AddCommand = (program, shell) => {
  defineCommand(
    program,
    'replay',
    'List the dead letters of the worker (jobs that it has given up), or replay one.',
  )
    .argument('[letter]', 'id of a dead letter')
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, { dryRun = false }, id) => {
        const { askWorker } = await import('../../operate/operator-api.ts');
        const { deadLettersAnswer, replayedAnswer } = await import('../../operate/operator-answers.ts');
        if (id === undefined || dryRun) {
          const { deadLetters } = await askWorker(
            session,
            { method: 'GET', path: 'dead-letters' },
            deadLettersAnswer,
          );
          const shown = deadLetters.filter((letter) => id === undefined || letter.id === id);
          const rows = shown.map(({ id: letter, at, repository, ref, pull, promotion, cause }) => [
            letter,
            at ?? '',
            ref || pull ? describeSubject({ repository, ref, pull }) : (promotion ?? ''),
            cause,
          ]);
          const table = tableLines(['LETTER', 'SINCE', 'OF', 'CAUSE'], rows);
          session.output.result(
            { deadLetters: shown, ...(dryRun ? { dryRun } : {}) },
            shown.length === 0 ? ['No dead letters.'] : dryRun ? ['Would replay:', ...table] : table,
          );
          return 'passed';
        }
        const path = `dead-letters/${encodeURIComponent(id)}/replay`;
        const answer = await askWorker(session, { method: 'POST', path }, replayedAnswer);
        const promotion = answer.promotion ? ` Promotion: ${answer.promotion}.` : '';
        session.output.result(answer, [`Replayed: ${id}.${promotion}`]);
        return 'passed';
      }),
    );
};
