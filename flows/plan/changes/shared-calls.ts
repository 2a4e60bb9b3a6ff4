import { RoleRequired } from '../../../client/index.ts';
import type { PlatformContext } from '../../context/context.ts';
import {
  latestVersion,
  type PublishedDifference,
  type SharedCallDifference,
} from '../../snapshot/difference/shared-pipelines.ts';
import { latestShared } from '../../versions/removed-shared-ids.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { sharedReferenceOf } from '../../../lib/pipelines/model/calls.ts';

/** A shared pipeline that changed or affected pipelines of the wanted version call. */
export interface PlannedSharedCall extends SharedCallDifference {
  /** The version that `[Latest]` means now, in every environment; left out if no call asks for it or it is not known. */
  readonly latest?: string;
}

export interface PlannedSharedCalls {
  readonly calls: readonly PlannedSharedCall[];
  /** What is not known: one sentence each. */
  readonly unknown: readonly string[];
}

/** How many prefixes are asked for: a request for each. */
const maxPrefixes = 20;

/** The calls of shared pipelines that a promotion affects, with the versions that `[Latest]` currently means. */
export async function sharedCalls(
  calls: readonly SharedCallDifference[],
  context: PlatformContext,
): Promise<PlannedSharedCalls> {
  const asksLatest = calls.filter(({ after }) => after.includes(latestVersion));
  const prefixes = [...new Set(asksLatest.map(prefixOf))].toSorted(compareTexts);
  const known = new Map<string, Meant>();
  for (const prefix of prefixes.slice(0, maxPrefixes)) known.set(prefix, await meantBy(prefix, context));
  return {
    calls: calls.map((call) => {
      const meant = asksLatest.includes(call) ? known.get(prefixOf(call)) : undefined;
      return { ...call, ...(meant !== undefined && 'version' in meant ? { latest: meant.version } : {}) };
    }),
    unknown: [
      ...[...known].flatMap(([prefix, meant]) =>
        'reason' in meant
          ? [`It is not known which version ${latestVersion} of ${prefix} means: ${meant.reason}.`]
          : [],
      ),
      ...(prefixes.length > maxPrefixes
        ? [
            `It is not known which version ${latestVersion} means for ${numberOf(prefixes.length - maxPrefixes, 'more prefix', 'more prefixes')}: at most ${maxPrefixes} are read.`,
          ]
        : []),
    ],
  };
}

/** The shared pipelines of the project whose consumers get something different with the next published version. */
export interface PlannedPublication {
  readonly prefix: string;
  /** The version that consumers get now; left out if there is none or it is not known. */
  readonly latest?: string;
  readonly changes: readonly PublishedDifference[];
}

/** The shared pipelines of the project that have changed; undefined if none has. */
export async function plannedPublication(
  changes: readonly PublishedDifference[],
  context: PlatformContext,
): Promise<{ readonly publication: PlannedPublication; readonly unknown: readonly string[] } | undefined> {
  const [first] = changes;
  if (first === undefined) return undefined;
  const prefix = prefixOf(first);
  const meant = await meantBy(prefix, context);
  return 'version' in meant
    ? { publication: { prefix, latest: meant.version, changes }, unknown: [] }
    : {
        publication: { prefix, changes },
        unknown: [`It is not known which version ${latestVersion} of ${prefix} means: ${meant.reason}.`],
      };
}

function prefixOf({ pipeline }: Pick<SharedCallDifference, 'pipeline'>): string {
  return sharedReferenceOf(pipeline)?.prefix ?? '';
}

type Meant = { readonly version: string } | { readonly reason: string };

/** The version that `[Latest]` means; or why it is not known, as the end of a sentence. */
async function meantBy(prefix: string, context: PlatformContext): Promise<Meant> {
  try {
    const details = await latestShared(prefix, context);
    return details === undefined
      ? { reason: 'no version is enabled, so a call fails' }
      : { version: details.artifactDetails.versionName };
  } catch (error) {
    if (error instanceof RoleRequired)
      return { reason: 'the token may not read the versions of shared pipelines' };
    throw error;
  }
}
