import { Failure } from '../../lib/core/errors/failure.ts';
import { describeSchemaIssue, nearestIssues, valueAt } from '../../lib/core/errors/schema-issue.ts';
import { canonicalSnapshot, snapshotText } from './canonical-snapshot.ts';
import { type Snapshot, snapshotFormat } from './snapshot.ts';
import { snapshotSchema } from './snapshot-schema.ts';

/** The maximum size of a snapshot in bytes of UTF-8. 500 pipelines need about a megabyte. */
export const maxSnapshotBytes = 16 * 1024 * 1024;

/**
 * Parses a snapshot, puts its lists in order, and leaves out fields that this version does not know. Throws Failure
 * 'snapshot-invalid' for a text that is too large, not JSON, of another format, or incomplete.
 * @param name what names the snapshot in messages, such as a file
 */
export function readSnapshot(text: string | Uint8Array, name = 'the snapshot'): Snapshot {
  const bytes = typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength;
  if (bytes > maxSnapshotBytes)
    throw invalid(`${upper(name)} has ${bytes} bytes, and at most ${maxSnapshotBytes} are read.`);
  return snapshotOfValue(parsed(text, name), name);
}

/** The same for a snapshot that is part of another JSON. How large that may be is for the caller to say. */
export function snapshotOfValue(value: unknown, name = 'the snapshot'): Snapshot {
  const format = valueAt(value, ['format']);
  if (format !== snapshotFormat)
    throw invalid(
      typeof format === 'number'
        ? `${upper(name)} has the format ${format}, and this version of Millrace reads ${snapshotFormat}.`
        : `${upper(name)} is not a snapshot of Millrace: it has no format.`,
    );
  const { data, error } = snapshotSchema.safeParse(value);
  if (error !== undefined) {
    const [issue] = error.issues.flatMap(nearestIssues);
    const path = issue?.path.map(String).join('.') ?? '';
    const what = issue === undefined ? 'is invalid' : describeSchemaIssue(issue, valueAt(value, issue.path));
    throw invalid(`In ${name}, ${path} ${what}.`);
  }
  return canonicalSnapshot(data);
}

/** A snapshot as the text that `readSnapshot` reads. Throws Failure 'snapshot-invalid' if the project is too large. */
export function writeSnapshot(snapshot: Snapshot): string {
  const text = snapshotText(snapshot);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxSnapshotBytes)
    throw invalid(
      `The snapshot of this project has ${bytes} bytes, and at most ${maxSnapshotBytes} are allowed.`,
    );
  return text;
}

function parsed(text: string | Uint8Array, name: string): unknown {
  try {
    return JSON.parse(
      typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text),
    );
  } catch (error) {
    throw new Failure('snapshot-invalid', { message: `${upper(name)} is not JSON.`, cause: error });
  }
}

function invalid(message: string): Failure {
  return new Failure('snapshot-invalid', { message });
}

function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
