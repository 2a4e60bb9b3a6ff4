import type { LiveVersions, PlatformCalls, Policy, Records } from '../../../promotion/context/ports.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { LaneRecord } from '../../../store/lanes/lane-record.ts';
import { hasBegun } from '../../../records/promotion-record.ts';
import { messageOf } from '../../../../lib/core/errors/message-of.ts';
import { silentProgress } from '../../../../lib/core/ports/ports.ts';
import { chooseRollback, placeOf } from '../../../../flows/rollback/choose-rollback.ts';
import { listArtifacts } from '../../../../flows/versions/find-artifact.ts';
import { liveVersion } from '../../../../flows/versions/live-version.ts';
import {
  choicesToPromote,
  choicesToRollBack,
  type VersionChoice,
} from '../../../../flows/versions/version-choices.ts';
import { versionDenial } from '../../../../flows/versions/version-order.ts';
import { type ApiAnswer, badGateway, conflict, ok, unknown } from './answers.ts';
import type { ApiCall } from './api-call.ts';
import { anyVersion } from '../../../promotion/admission/lane-versions.ts';
import { describeRefusedVersion, settingsOf } from './promote-version.ts';
import { platformOf } from './roll-back-lane.ts';

/** Timeout of the calls to the platform: a page of the dashboard waits for them. */
const callTimeoutMs = 6_000;

/** The ports that an offer of versions uses. */
export type OfferPorts = Records<LaneReads> &
  PlatformCalls &
  Pick<Policy, 'config'> &
  Pick<LiveVersions, 'live'>;

/** A version that an operator may choose. `denial`: the rule in the lane's `versions` that excludes it. */
export type OfferedVersion = VersionChoice & { readonly denial: string | null };

/** The versions that an operator may choose, and the version that is live now. */
export interface Offer {
  readonly lane: string;
  /** The target of the lane. */
  readonly environment: string;
  readonly live: string | null;
  /** Newest first. */
  readonly versions: readonly OfferedVersion[];
  /** What the chosen version does; without one, what a roll-back does by itself. `null`: nothing, see `problem`. */
  readonly would: { readonly live: string; readonly disables: readonly string[] } | null;
  /** Why nothing would be done. */
  readonly problem: string | null;
}

/** What a roll-back of the lane would do, and the versions to which it may go back. Changes nothing. */
export async function previewRollBack(call: ApiCall<OfferPorts>): Promise<ApiAnswer> {
  const [version, to] = [call.query.get('version') || undefined, call.query.get('to') || undefined];
  return answerOf(await offerRollBack(call, { version, to }), { isNamed: (version ?? to) !== undefined });
}

/** What promoting a version through the lane would do, and the versions that it may promote. Changes nothing. */
export async function previewPromote(call: ApiCall<OfferPorts>): Promise<ApiAnswer> {
  const version = call.query.get('version') || undefined;
  const anyAllowed = call.query.get('anyVersion') === 'true';
  return answerOf(await offerPromote(call, { version, anyAllowed }), { isNamed: version !== undefined });
}

/** A version that was named and cannot be chosen is an error; an offer in which none is chosen yet is not. */
function answerOf(offer: Offer | ApiAnswer, { isNamed }: { readonly isNamed: boolean }): ApiAnswer {
  if ('body' in offer) return offer;
  return isNamed && offer.problem !== null ? conflict(offer.problem.replace(/\.$/, '')) : ok(offer);
}

/** The same as `previewRollBack`. `version`: the version to disable; `to`: the version to go back to. */
export async function offerRollBack(
  { id, ports }: Pick<ApiCall<OfferPorts>, 'id' | 'ports'>,
  { version, to }: { readonly version?: string | undefined; readonly to?: string | undefined } = {},
): Promise<Offer | ApiAnswer> {
  const lane = await ports.store.lane(id);
  if (lane === undefined) return unknown();
  const platform = platformOf(id, ports);
  if (platform === undefined) return conflict('worker.yaml no longer lists the repository');
  try {
    const versions = await listArtifacts(lane.to, contextOf(platform, lane, ports));
    const verified = await ports.store.verifiedVersions({ project: lane.project, environment: lane.to }, id);
    const offer = {
      lane: id,
      environment: lane.to,
      live: liveVersion(versions)?.versionName ?? null,
      versions: choicesToRollBack(versions, verified).map((choice) => ({ ...choice, denial: null })),
    };
    const running = await promotionAtWork(lane, ports);
    if (running !== undefined)
      return {
        ...offer,
        would: null,
        problem: `promotion ${running} is running in ${lane.to}: cancel it first`,
      };
    try {
      const place = placeOf({ environment: lane.to });
      const choice = chooseRollback(versions, { version, to, verified, place });
      const disables = choice.outcome === 'passed' ? [...choice.alsoDisabled, choice.disabled] : [];
      return { ...offer, would: { live: choice.live, disables }, problem: null };
    } catch (error) {
      return { ...offer, would: null, problem: messageOf(error) };
    }
  } catch (error) {
    return badGateway(`the platform did not answer: ${messageOf(error)}`);
  }
}

/** The same as `previewPromote`. `anyAllowed`: also offers versions that the lane's `versions` exclude. */
export async function offerPromote(
  { id, ports }: Pick<ApiCall<OfferPorts>, 'id' | 'ports'>,
  {
    version,
    anyAllowed = false,
  }: { readonly version?: string | undefined; readonly anyAllowed?: boolean } = {},
): Promise<Offer | ApiAnswer> {
  const lane = await ports.store.lane(id);
  if (lane === undefined) return unknown();
  const settings = await settingsOf(lane, ports);
  if (settings === undefined)
    return conflict('the lane has had no promotion yet: push a branch or tag that starts it first');
  try {
    const context = contextOf(ports.platformFor(settings.lane.credential), lane, ports);
    const [source, target] = await Promise.all([
      listArtifacts(lane.from, context),
      listArtifacts(lane.to, context),
    ]);
    const verified = await ports.store.verifiedVersions({ project: lane.project, environment: lane.to }, id);
    const rule = settings.lane.versions ?? anyVersion;
    const versions = choicesToPromote({ source, target }, verified).map((choice) => ({
      ...choice,
      denial: versionDenial(choice.version, rule) ?? null,
    }));
    const offer = {
      lane: id,
      environment: lane.to,
      live: liveVersion(target)?.versionName ?? null,
      versions,
      would: null,
      problem: null,
    };
    if (version === undefined) return offer;
    const chosen = versions.find((choice) => choice.version === version);
    const problem =
      chosen === undefined
        ? describeRefusedVersion(version, source, lane.from)
        : chosen.denial === null || anyAllowed
          ? null
          : `${chosen.denial}; to promote the version all the same, set \`anyVersion\` (--any-version)`;
    if (chosen === undefined || problem !== null) return { ...offer, problem };
    return { ...offer, would: { live: version, disables: chosen.disables } };
  } catch (error) {
    return badGateway(`the platform did not answer: ${messageOf(error)}`);
  }
}

function contextOf(
  { client }: Pick<ReturnType<OfferPorts['platformFor']>, 'client'>,
  { project }: Pick<LaneRecord, 'project'>,
  { clock, random, logger }: Pick<OfferPorts, 'clock' | 'random' | 'logger'>,
) {
  const signal = AbortSignal.timeout(callTimeoutMs);
  return { client, projectId: project, clock, random, logger, progress: silentProgress, signal };
}

/** The promotion that changes the lane's target now, in this lane or in another one; as in hold-for-roll-back.lua. */
async function promotionAtWork(
  { project, to }: LaneRecord,
  { store }: Records<LaneReads>,
): Promise<string | undefined> {
  const lanes = await store.lanes(await store.laneIds());
  // The id of a project may be spelled in upper or lower case.
  const there = lanes.filter(
    (lane) => lane.to === to && lane.project.toLowerCase() === project.toLowerCase(),
  );
  const active = await store.promotions(there.flatMap((lane) => lane.active ?? []));
  return active.find((promotion) => hasBegun(promotion))?.id;
}
