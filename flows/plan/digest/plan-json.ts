import { createHmac, hash } from 'node:crypto';
import type { CurrentVariable } from '../../variables/current-variables.ts';
import { type ValueInEnvironment, valueInEnvironment } from '../../variables/value-differences.ts';
import { snapshotDigest } from '../../snapshot/canonical-snapshot.ts';
import {
  differenceOf,
  namesOfVariables,
  type SnapshotDifference,
} from '../../snapshot/difference/difference-of.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { canonicalJson, type JsonValue } from '../../../lib/core/values/canonical-json.ts';

/** The facts of a plan for which an approval holds. */
export interface PlanFacts {
  /** The version, and the environments that it is promoted between. */
  readonly version: string;
  readonly from: string;
  readonly to: string;
  /** The version in the source; undefined if the source does not have it. */
  readonly wanted: { readonly commit?: string | undefined; readonly enabled: boolean } | undefined;
  /** The live version of the target; undefined if none is. */
  readonly live: { readonly version: string; readonly commit?: string | undefined } | undefined;
  /** What both versions contain, as far as it is known. */
  readonly contents: PlanContents;
  /** The variables of the project: all of `contents.names`, and any others. */
  readonly variables: Iterable<CurrentVariable>;
}

/** What a plan says about the snapshots of both versions. */
export interface PlanContents {
  /** The digests of the snapshots; null for one that is not known. */
  readonly live: string | null;
  readonly wanted: string | null;
  /**
   * The names of the variables that the plan is about: those that changed and affected pipelines use; without a live snapshot, those that
   * any pipeline uses. Undefined without a snapshot of the wanted version: then all variables of the project are.
   */
  readonly names: ReadonlySet<string> | undefined;
}

export interface ComparedVersions {
  readonly live?: Snapshot | undefined;
  readonly wanted?: Snapshot | undefined;
}

/** What a plan says about two snapshots, and their difference if both are known. */
export function planContents({ live, wanted }: ComparedVersions): PlanContents & {
  readonly difference: SnapshotDifference | undefined;
} {
  const difference = live && wanted && differenceOf(live, wanted);
  return {
    live: live === undefined ? null : snapshotDigest(live),
    wanted: wanted === undefined ? null : snapshotDigest(wanted),
    names: wanted && new Set(namesOfVariables(wanted, difference)),
    difference,
  };
}

/** In bytes. */
const minSecret = 16;

/**
 * The canonical JSON of a plan. It is the same for the same plan, whatever the order of lists and pages and the
 * time of reading. It does not contain approvals, gates and evidence. Values of variables are replaced by an HMAC
 * with a secret of the installation, because short values could be guessed from a plain digest.
 * @param secret of at least 16 bytes. Throws RangeError for a shorter one
 */
export function planJson(facts: PlanFacts, secret: Uint8Array): string {
  if (secret.byteLength < minSecret)
    throw new RangeError(
      `The secret for values must have at least ${minSecret} bytes, not ${secret.byteLength}.`,
    );
  const { version, from, to, wanted, live, contents } = facts;
  return canonicalJson({
    format: 1,
    version,
    from,
    to,
    wanted: wanted === undefined ? null : { commit: commitOf(wanted), enabled: wanted.enabled },
    live: live === undefined ? null : { version: live.version, commit: commitOf(live) },
    snapshots: { live: contents.live, wanted: contents.wanted },
    variables: variablesOf(facts, secret),
  });
}

/** SHA-256 of the plan's canonical JSON, as 64 hexadecimal digits. Throws RangeError for a secret of less than 16 bytes. */
export function planDigest(facts: PlanFacts, secret: Uint8Array): string {
  return hash('sha256', planJson(facts, secret));
}

function commitOf({ commit }: { readonly commit?: string | undefined }): string | null {
  return commit?.trim().toLowerCase() || null;
}

/** By their names, each once: a list that changes between two pages may have one twice. */
function variablesOf({ from, to, contents, variables }: PlanFacts, secret: Uint8Array): JsonValue {
  const { names } = contents;
  const known = new Map<string, JsonValue>();
  for (const current of variables) {
    const { name, type } = current.variable;
    if (names !== undefined && !names.has(name)) continue;
    const keyed = (environment: string) => keyedValue(name, valueInEnvironment(environment, current), secret);
    known.set(name, { name, type, from: keyed(from), to: keyed(to) });
  }
  return [...known].toSorted(([a], [b]) => compareTexts(a, b)).map(([, variable]) => variable);
}

function keyedValue(name: string, value: ValueInEnvironment, secret: Uint8Array): JsonValue {
  const { source } = value;
  if (source === 'none') return { source };
  // A number as text: not every number has one form in canonical JSON.
  const text = canonicalJson(['millrace plan', name, typeof value.value, String(value.value)]);
  return { source, value: createHmac('sha256', secret).update(text).digest('hex') };
}
