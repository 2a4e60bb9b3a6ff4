import { type ArtifactVersion, listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { sayChanged } from '../live/say-changed.ts';
import { shutGate } from '../gates/shut-gate.ts';
import { waitAtGate } from '../wait-at-gate.ts';
import { stepLimit } from '../limits.ts';
import { heldDelayMs } from '../poll-delay.ts';
import {
  goOn,
  isCredentialFault,
  isPassing,
  isUnknown,
  rethrowUnsent,
  type StepEnd,
  type Turn,
  waitFor,
  wordsOf,
} from '../turn.ts';
import { finishOrVerify, holdFor, indeterminate, stuck } from './verdict.ts';

/** A promotion whose answer was lost can show up late: so long are the waits between looks at the list. */
const looksMs = [0, 500, 2_000, 5_000, 10_000];

/**
 * Promotes what is absent (spec §4.3). The target's list is read first, and again whenever it is not known whether
 * the promotion took place: it is never sent a second time in a run.
 */
export async function promote(turn: Turn): Promise<StepEnd> {
  const { run, lane, engine } = turn;
  const { step } = run;
  const version = run.version ?? '';
  if (step.name !== 'promote') return goOn;
  if (run.intent === undefined) {
    const shut = shutGate(run, engine.config, engine.clock.now());
    if (shut !== undefined) return waitAtGate(turn, shut);
  }
  const all = await listArtifacts(lane.to, turn.context);
  const there = all.find(({ versionName }) => versionName === version);
  if (there?.enabled === false) {
    const message = `${version} is disabled in ${lane.to}: somebody took it out`;
    return turn.settle({ outcome: 'failed', message, report: { state: 'failure', text: message } });
  }
  if (there !== undefined) {
    const what = run.intent === undefined ? 'already-there' : 'promotion-found';
    return finishOrVerify(turn, what);
  }
  if (run.intent !== undefined) return lookAgain(turn, step);

  if (await holdWhereRolledBack(turn, all)) return held(turn);
  if (!(await turn.intend('promote', `${version} in ${lane.to}`))) return held(turn);
  try {
    await turn.client.artifacts.promote(
      {
        projectId: lane.project,
        sourceEnvironmentName: lane.from,
        targetEnvironmentName: lane.to,
        versionName: version,
      },
      turn.call,
    );
    await sayChanged(turn, version);
  } catch (error) {
    if (isUnknown(error)) {
      await sayChanged(turn, version);
      await turn.save({ what: 'answer-lost', data: { error: wordsOf(error) } });
      return goOn;
    }
    await rethrowUnsent(turn, error);
    await turn.save({ what: 'promotion-refused', data: { error: wordsOf(error) }, intent: null });
    if (isPassing(error) && engine.clock.now() - step.since < stepLimit(turn.lane, engine.settings))
      return waitFor(5_000);
    if (isCredentialFault(error) || isPassing(error))
      return stuck(turn, `${version} could not be promoted: ${wordsOf(error)}`);
    const message = `${version} could not be promoted to ${lane.to}: ${wordsOf(error)}`;
    return turn.settle({ outcome: 'failed', message, report: { state: 'failure', text: message } });
  }
  return finishOrVerify(turn, 'promoted');
}

async function lookAgain(
  turn: Turn,
  step: { readonly name: 'promote'; readonly since: number; readonly looks: number },
): Promise<StepEnd> {
  const wait = looksMs[step.looks];
  if (wait === undefined) {
    return indeterminate(
      turn,
      `whether ${turn.run.version ?? ''} was promoted to ${turn.lane.to} is not known: look at the artifacts of ${turn.lane.to}`,
    );
  }
  await turn.save({ what: '', step: { ...step, looks: step.looks + 1 } });
  return waitFor(Math.max(1, wait * turn.engine.settings.pollScale));
}

/**
 * Somebody may have taken the live version out by hand, past the worker: what they went back from must not come again
 * unseen, so that a person looks first. Once for each version.
 */
async function holdWhereRolledBack(turn: Turn, artifacts: readonly ArtifactVersion[]): Promise<boolean> {
  const { lane, engine } = turn;
  const live = await knownVersion(turn);
  if (live === undefined) return false;
  if (artifacts.find(({ versionName }) => versionName === live)?.enabled !== false) return false;
  const why = `${live} was live in ${lane.to} and has been disabled there by somebody else`;
  return engine.store.holdForMissing(lane.id, holdFor(turn, 'disabled', why), live);
}

/** What the lane has verified last, or was found when its records were lost. */
async function knownVersion({ lane, engine }: Turn): Promise<string | undefined> {
  const record = await engine.store.lane(lane.id);
  return (record?.verified ?? record?.found)?.version;
}

/** A gate is shut or the lane is held: nothing happens, and it is said. */
export async function held(turn: Turn): Promise<StepEnd> {
  const shut = shutGate(turn.run, turn.engine.config, turn.engine.clock.now());
  if (shut !== undefined) return waitAtGate(turn, shut);
  await turn.save({ what: '', report: { state: 'pending', text: 'Waiting: the lane is on hold' } });
  return waitFor(heldDelayMs);
}
