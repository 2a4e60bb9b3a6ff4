import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Edit, Finding } from '../model/finding.ts';
import { applyEdits } from '../source/apply-edits.ts';
import { writeFileWhole } from './write-file-whole.ts';

/** One mend that was made. */
export interface Mended {
  readonly file: string;
  readonly edit: Edit;
}

/**
 * Makes the sure mends of findings in the files under `root`, which must be what was reviewed. A file that is a link
 * or no UTF-8 is left alone: its bytes could not be kept.
 */
export async function mendFiles(root: string, findings: readonly Finding[]): Promise<readonly Mended[]> {
  const mended: Mended[] = [];
  for (const [file, own] of Map.groupBy(findings, (finding) => finding.file)) {
    const edits = own.flatMap(({ state, mend }) => (mend === undefined || state === 'fixed' ? [] : [mend]));
    const full = path.join(root, file);
    if (edits.length === 0 || !(await lstat(full)).isFile()) continue;
    const bytes = await readFile(full);
    const before = bytes.toString('utf8');
    if (!Buffer.from(before).equals(bytes)) continue;
    const { text, made } = applyEdits(before, edits);
    if (text === before) continue;
    await writeFileWhole(full, text);
    mended.push(...made.map((edit) => ({ file, edit })));
  }
  return mended;
}
