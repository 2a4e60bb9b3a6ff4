import type { Command } from 'commander';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { commandAction, defineCommand, type Shell } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

/** `millrace worker backup` and `millrace worker restore`: the records of all workers of one Redis, as a file. */
export function addBackup(worker: Command, shell: Shell): void {
  defineCommand(
    worker,
    'backup',
    'Write the records in Redis, as they are at one moment, to a file. Workers may run.',
  )
    .argument('<file>', 'the file; it is replaced once the backup is whole')
    .action(
      commandAction<CommonOptions>(shell, async (session, _options, file = '') => {
        const { backUpToFile } = await import('../../operate/back-up-records.ts');
        const { prefix: _, ...backup } = await backUpToFile(session, file);
        session.output.result({ file, ...backup }, [
          `${file}: ${numberOf(backup.keys, 'record')} as of ${backup.at} (format ${backup.format}).`,
        ]);
        return 'passed';
      }),
    );
  addRestore(worker, shell);
}

interface RestoreOptions extends CommonOptions {
  readonly reason?: string;
  readonly replace?: boolean;
  readonly dryRun?: boolean;
}

function addRestore(worker: Command, shell: Shell): void {
  defineCommand(
    worker,
    'restore',
    'Replace the records in Redis by the records of a backup, and hold every lane until you resume it. Stop all workers first.',
  )
    .argument('<file>', 'a file that `millrace worker backup` wrote')
    .option('--reason <text>', 'reason of the holds (default: the name of the file)')
    .option('--replace', 'also if Redis has records, which are then deleted')
    .option('--dry-run', 'check the file and Redis, without changing anything')
    .action(
      commandAction<RestoreOptions>(shell, async (session, options, file = '') => {
        const { reason = `restored the backup ${file}`, replace = false, dryRun = false } = options;
        const { restoreFromFile } = await import('../../operate/back-up-records.ts');
        const restored = await restoreFromFile(session, file, { reason, replace, dryRun });
        const { prefix: _, lanes: held, durable, ...backup } = restored;
        session.output.result(
          dryRun ? { dryRun, file, ...backup } : { file, ...backup, held, reason, durable },
          dryRun
            ? [`Would restore ${numberOf(backup.keys, 'record')} as of ${backup.at}, and hold every lane.`]
            : [
                `Restored ${numberOf(backup.keys, 'record')} as of ${backup.at}. On hold: ${numberOf(held.length, 'lane')} (${reason}).`,
                ...held.map((lane) => `  ${lane}`),
                'A lane that the backup does not have starts on hold, too. Start the workers, check each lane, then resume it.',
              ],
        );
        return 'passed';
      }),
    );
}
