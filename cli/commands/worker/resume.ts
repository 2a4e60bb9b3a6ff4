import { Failure } from '../../../lib/core/errors/failure.ts';
import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import type { HoldAnswer } from '../../operate/operator-answers.ts';
import { describeActor } from '../../operate/describe-actor.ts';
import { type BulkOptions, refuseFilters, runInBulk, withBulkOptions } from '../../operate/bulk.ts';
import type { Session } from '../../kit/session.ts';
import { fetchPromotion } from './approve.ts';
import { resumePause } from './pause.ts';
import { headOf } from './promotions.ts';

interface Options extends BulkOptions {
  readonly overrideFreeze?: string;
  readonly passEvidence?: string;
  readonly pause?: string;
}

/** `millrace resume`: lifts the holds of a lane; with --override-freeze it lets one promotion through a freeze, with --pass-evidence without evidence. */
export const addResume: AddCommand = (program, shell) => {
  const command = defineCommand(
    program,
    'resume',
    'Resume a held lane, end a pause (--pause), or let a promotion through a freeze or without evidence.',
  );
  withBulkOptions(command)
    .argument('[lane]', 'name of the lane, or its id as `millrace lanes` shows it')
    .option(
      '--override-freeze <promotion>',
      'let this promotion through a freeze, for its commit and its version (admins only)',
    )
    .option(
      '--pass-evidence <promotion>',
      'let this promotion through without the evidence that its gate requires (admins only)',
    )
    .option('--pause <id>', 'end this pause of the worker, as `millrace lanes` shows it (admins only)')
    .option(
      '--cause <cause>',
      'lift only the holds with this cause, as `millrace lanes` shows it, such as state-lost',
    )
    .option('--reason <text>', 'reason, shown to everyone who looks at the lane')
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, options, lane) => {
        refuseFilters(options);
        const { overrideFreeze, passEvidence, pause, all } = options;
        const named = Object.entries({
          lane,
          '--override-freeze': overrideFreeze,
          '--pass-evidence': passEvidence,
          '--pause': pause,
          '--all': all,
        }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
        if (named.length !== 1) {
          throw new Failure('usage', {
            message:
              named.length === 0
                ? 'Nothing to resume was named.'
                : `Only one of these can be given: ${named.join(', ')}.`,
            hint: 'Name a lane (`millrace resume LANE --reason TEXT`), or give --override-freeze, --pass-evidence, --pause or --all. `millrace lanes` shows what is held.',
            where: { input: named.at(-1) ?? 'lane' },
          });
        }
        if (all === true) return runInBulk(session, 'resume', options);
        if (lane === undefined && options.cause !== undefined) {
          throw new Failure('usage', {
            message: '--cause applies only to a lane.',
            where: { input: '--cause' },
            hint: 'Remove --cause, which selects holds of a lane.',
          });
        }
        if (pause !== undefined) return resumePause(session, pause, options);
        if (overrideFreeze !== undefined) return letThrough(session, overrideFreeze, options, freeze);
        if (passEvidence !== undefined) return letThrough(session, passEvidence, options, evidence);
        return resumeLane(session, lane ?? '', options);
      }),
    );
};

async function resumeLane(
  session: Session,
  lane: string,
  { cause, reason, dryRun = false }: Options,
): Promise<'passed'> {
  const { askWorker } = await import('../../operate/operator-api.ts');
  const { laneAnswer, resumedAnswer } = await import('../../operate/operator-answers.ts');
  const { findTargetId } = await import('../../operate/find-target-id.ts');
  const id = await findTargetId(session, 'lane', lane);
  const path = `lanes/${encodeURIComponent(id)}`;
  const all = (await askWorker(session, { method: 'GET', path }, laneAnswer)).holds;
  const holds = all.filter((hold) => cause === undefined || hold.cause === cause);
  if (holds.length === 0) {
    throw new Failure('conflict', {
      message:
        cause === undefined
          ? `The lane ${id} is not on hold.`
          : `The lane ${id} has no hold with the cause "${cause}".`,
      where: { input: cause === undefined ? 'lane' : '--cause' },
      hint: '`millrace lanes` shows the holds of each lane.',
    });
  }
  if (dryRun) {
    session.output.result({ dryRun, lane: id, holds }, [`Would resume: ${id}.`, ...linesOf(holds)]);
    return 'passed';
  }
  // Lift only the holds that were just read: a hold that was added since then stays.
  const body = { reason, holds: holds.map((hold) => hold.id) };
  const answer = await askWorker(session, { method: 'POST', path: `${path}/resume`, body }, resumedAnswer);
  const { lifted, left } = answer;
  session.output.result(answer, [
    `Resumed: ${id}.`,
    ...linesOf(lifted),
    ...(left.length === 0 ? [] : ['The lane stays on hold:', ...linesOf(left)]),
  ]);
  return 'passed';
}

const linesOf = (holds: readonly HoldAnswer[]): string[] =>
  holds.map(({ cause, reason, by }) => `  ${cause}: ${reason} (${describeActor(by)})`);

/** What an admin lets one promotion through. */
interface Passage {
  /** The last part of the address. */
  readonly path: string;
  readonly needsReason: string;
  readonly would: string;
  readonly done: string;
}

const freeze: Passage = {
  path: 'override-freeze',
  needsReason: 'An override of a freeze needs a reason.',
  would: 'Would override the freeze for:',
  done: 'Freeze overridden for',
};
const evidence: Passage = {
  path: 'pass-evidence',
  needsReason: 'A promotion without evidence needs a reason.',
  would: 'Would let this promotion through without evidence:',
  done: 'Allowed without evidence:',
};

async function letThrough(
  session: Session,
  id: string,
  { reason, dryRun = false }: Options,
  { path, needsReason, would, done }: Passage,
): Promise<'passed'> {
  if (reason === undefined) {
    throw new Failure('usage', {
      message: needsReason,
      where: { input: '--reason' },
      hint: 'Add --reason with a text. The audit records it.',
    });
  }
  const promotion = await fetchPromotion(session, id, {});
  const { commit, version } = promotion;
  if (dryRun) {
    session.output.result({ dryRun, promotion: id, commit, version }, [would, ...headOf(promotion)]);
    return 'passed';
  }
  const body = { commit, version, reason };
  const answer = await post(session, `promotions/${encodeURIComponent(id)}/${path}`, body);
  session.output.result(answer, [`${done} ${version ?? ''} at ${commit.slice(0, 12)} (${reason}).`]);
  return 'passed';
}

async function post(session: Session, path: string, body: unknown) {
  const { askWorker } = await import('../../operate/operator-api.ts');
  const { anyAnswer } = await import('../../operate/operator-answers.ts');
  return askWorker(session, { method: 'POST', path, body }, anyAnswer);
}
