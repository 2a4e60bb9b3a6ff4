import { createHmac, hash } from 'node:crypto';
import type { CurrentVariable } from '../../variables/current-variables.ts';
import { type ValueInEnvironment, valueInEnvironment } from '../../variables/value-differences.ts';
import { snapshotDigest } from '../../snapshot/canonical-snapshot.ts';
import { differenceOf, namesOfVariables } from '../../snapshot/difference/difference-of.ts';
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
  /** The snapshots of both versions, as far as they are known. */
  readonly snapshots: ComparedVersions;
  /** The variables of the project: all whose names `plannedNames` gives, and any others. */
  readonly variables: Iterable<CurrentVariable>;
}

export interface ComparedVersions {
  readonly live?: Snapshot | undefined;
  readonly wanted?: Snapshot | undefined;
}

/**
 * The names of the variables in a plan: those that changed and affected pipelines use; without a snapshot of the
 * live version, those that any pipeline uses. Undefined without a snapshot of the wanted version: the plan then
 * covers all variables.
 */
export function plannedNames({ live, wanted }: ComparedVersions): ReadonlySet<string> | undefined {
  if (wanted === undefined) return undefined;
  return new Set(namesOfVariables(wanted, live && differenceOf(live, wanted)));
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
  const { version, from, to, wanted, live, snapshots } = facts;
  return canonicalJson({
    format: 1,
    version,
    from,
    to,
    wanted: wanted === undefined ? null : { commit: commitOf(wanted), enabled: wanted.enabled },
    live: live === undefined ? null : { version: live.version, commit: commitOf(live) },
    snapshots: { live: digestOf(snapshots.live), wanted: digestOf(snapshots.wanted) },
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

function digestOf(snapshot: Snapshot | undefined): string | null {
  return snapshot === undefined ? null : snapshotDigest(snapshot);
}

/** By their names, each once: a list that changes between two pages may have one twice. */
function variablesOf({ from, to, snapshots, variables }: PlanFacts, secret: Uint8Array): JsonValue {
  const names = plannedNames(snapshots);
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
