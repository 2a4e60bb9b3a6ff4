import { isSameCommit } from '../../../flows/versions/check-commit.ts';
import { type ArtifactVersion, findArtifact, listArtifacts } from '../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../flows/versions/live-version.ts';
import { checkArtifact } from '../advance/check-artifact.ts';
import { currentPolicy } from '../gates/current-policy.ts';
import { compareNames } from '../../../flows/versions/newer-version.ts';
import { anyVersion, laneVersions } from '../admission/lane-versions.ts';
import { stepLimit } from '../context/limits.ts';
import { pollDelay } from '../context/poll-delay.ts';
import type { VersionChoice } from '../../records/promotion-task.ts';
import { continueNow, type StepEnd, type Advance, waitFor } from '../advance/advance.ts';

/**
 * Finds the version to promote, and waits for it, because a tag is pushed before its release is published. Then
 * waits until the version has been in the source for the soak time.
 */
export async function resolve(advance: Advance): Promise<StepEnd> {
  const { lane, promotion, ports } = advance;
  const { clock, settings } = ports;
  const now = clock.now();
  const since = promotion.startedAt ?? now;
  const { rateLimiter } = ports.platformFor(lane.credential);
  const artifact = await rateLimiter.readingFor(promotion.id, () => choose(promotion.task.version, advance));
  const sought = describeChoice(promotion.task.version, promotion.task.commit);
  if (artifact === undefined) {
    const limit = stepLimit(lane, settings);
    if (now - since >= limit) {
      const message = `${sought} did not appear in ${lane.from} within ${Math.round(limit / 60_000)} min`;
      return advance.finish({ outcome: 'failed', message, report: { state: 'failure', text: message } });
    }
    await advance.save({
      what: '',
      report: { state: 'pending', text: `Waiting for ${sought} in ${lane.from}` },
    });
    return waitFor(pollDelay(since, ports));
  }
  if (!artifact.enabled) {
    const message = `${artifact.versionName} is disabled in ${lane.from}`;
    return advance.finish({ outcome: 'failed', message, report: { state: 'failure', text: message } });
  }
  const isChecked = artifact.versionName === promotion.version && promotion.artifactCommit !== undefined;
  const checked = isChecked ? { commit: promotion.artifactCommit } : await checkArtifact(advance, artifact);
  if ('end' in checked) return checked.end;
  const newer = await findNewerInLane(advance, artifact.versionName);
  if (newer !== undefined) {
    const message = `Superseded by ${newer}, which is newer; ${artifact.versionName} is the newest enabled version of ${lane.from}, and only an operator can take ${lane.to} back to an older version`;
    return advance.finish({ outcome: 'superseded', message, report: { state: 'success', text: message } });
  }
  const resolved = { version: artifact.versionName, artifactCommit: checked.commit ?? '' };
  const ripe = soakEnd(advance, artifact);
  if (ripe > now) {
    await advance.save({
      what: '',
      // Recorded now, so that the version can be approved during the wait.
      ...resolved,
      report: {
        state: 'pending',
        text: `Waiting until ${new Date(ripe).toISOString().slice(0, 16)}Z: until then ${artifact.versionName} must stay live in ${lane.from} (soak time)`,
      },
    });
    return waitFor(Math.min(ripe - now, 60_000));
  }
  // Not with the intent: another worker may have taken the promotion over during the read, and then this one reads no more.
  await advance.save({
    what: 'resolved',
    data: { version: artifact.versionName, commit: checked.commit },
    ...resolved,
    step: { name: 'promote', since: now, readBacks: 0 },
    report: { state: 'pending', text: `Promoting ${artifact.versionName} from ${lane.from} to ${lane.to}` },
  });
  return continueNow;
}

/**
 * The version of the lane that is newer than `version`. If millrace.yaml says `latest`, `version` may be an older one,
 * because a newer one was disabled in the source.
 */
async function findNewerInLane(
  { promotion, lane, ports }: Advance,
  version: string,
): Promise<string | undefined> {
  if (promotion.task.version.kind !== 'latest') return undefined;
  const compared = compareNames(version, await laneVersions(lane, ports), lane.versions ?? anyVersion);
  return compared.order === 'older' ? (compared.than.name ?? 'a version') : undefined;
}

/** When a version has soaked in the source as long as worker.yaml requires now; 0 without a soak time. */
function soakEnd({ promotion, lane, ports }: Advance, artifact: ArtifactVersion): number {
  const soak = currentPolicy(promotion.task, ports.config)?.gates.soak ?? lane.gates.soak;
  // Without a soak time the platform's clock does not matter.
  return soak > 0 ? Date.parse(artifact.deployedAt ?? artifact.createdAt) + soak : 0;
}

/**
 * Whether the version must stay longer in the source, because the soak time in worker.yaml became longer after it
 * was resolved.
 */
export async function mustSoakLonger(advance: Advance): Promise<boolean> {
  const { promotion, lane, ports } = advance;
  const soak = currentPolicy(promotion.task, ports.config)?.gates.soak ?? 0;
  if (soak === 0 || promotion.version === undefined) return false;
  const artifact = await findArtifact(lane.from, promotion.version, advance.context);
  return artifact !== undefined && soakEnd(advance, artifact) > ports.clock.now();
}

async function choose(
  choice: VersionChoice,
  { promotion, lane, context }: Advance,
): Promise<ArtifactVersion | undefined> {
  if (choice.kind === 'named') return findArtifact(lane.from, choice.name, context);
  const versions = await listArtifacts(lane.from, context);
  return liveVersion(
    choice.kind === 'latest'
      ? versions
      : versions.filter(({ commitHash }) => isSameCommit(commitHash, promotion.task.commit)),
  );
}

function describeChoice(choice: VersionChoice, commit: string): string {
  if (choice.kind === 'named') return choice.name;
  return choice.kind === 'commit' ? `the artifact of commit ${commit.slice(0, 12)}` : 'a version';
}
