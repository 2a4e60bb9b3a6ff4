import { hash } from 'node:crypto';
import { isList } from '../../lib/core/values/is-list.ts';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import type { JsonValue } from '../../lib/core/values/canonical-json.ts';
import type { Snapshot } from './snapshot.ts';

/** The snapshot with its keys and lists in a fixed order, so that equal snapshots are equal texts. */
export function canonicalSnapshot(snapshot: Snapshot): Snapshot {
  return ordered(snapshot as unknown as JsonValue, '', nothing) as unknown as Snapshot;
}

/** A snapshot as canonical JSON (RFC 8785). */
export function snapshotText(snapshot: Snapshot): string {
  return JSON.stringify(canonicalSnapshot(snapshot));
}

/**
 * The SHA-256 of a snapshot, as 64 hexadecimal digits. Lines and columns are ignored, because comments and blanks
 * change them; so is the order of lists.
 */
export function snapshotDigest(snapshot: Snapshot): string {
  return hash('sha256', JSON.stringify(ordered(snapshot as unknown as JsonValue, '', places)));
}

const nothing: ReadonlySet<string> = new Set();
/** Where something is, and not what it is. */
const places: ReadonlySet<string> = new Set(['line', 'column', 'marks']);

type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** A value with its keys and lists in their order, without some keys. A snapshot has texts, whole numbers and `true`. */
function ordered(value: JsonValue, key: string, without: ReadonlySet<string>): JsonValue {
  // A text of YAML may have half of a surrogate pair, which no text of UTF-8 can have.
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    // The parts of a name are in their order, and so are the columns of a table, each of which is a pair.
    if (key === 'name' || isList(value[0] ?? null))
      return value.map((item) => ordered(item, 'name', without));
    return value.map((item) => ordered(item, '', without)).toSorted(compareItems);
  }
  const object: JsonObject = value;
  const result: Record<string, JsonValue> = {};
  for (const name of Object.keys(object).toSorted()) {
    const part = object[name];
    if (part !== undefined && !without.has(name)) result[name] = ordered(part, name, without);
  }
  return result;
}

/** By what names the items, then by all that they say. */
function compareItems(a: JsonValue, b: JsonValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return (
    compareTexts(nameOf(a as JsonObject), nameOf(b as JsonObject)) ||
    compareTexts(JSON.stringify(a), JSON.stringify(b))
  );
}

function nameOf({ path, name, file, key, component }: JsonObject): string {
  const written = path ?? name ?? file ?? key ?? component;
  return typeof written === 'string' ? written : JSON.stringify(written ?? '');
}
