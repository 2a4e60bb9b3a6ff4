import { overlaySnapshot } from '../../lib/git/overlay-snapshot.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import type { Edit, Finding } from '../../lib/core/finding.ts';
import { applyEdits } from '../../lib/yaml/apply-edits.ts';
import type { FlowContext } from '../context/context.ts';
import { reviewLocally } from './review-locally.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';

/** A file with its safe fixes applied. */
export interface FixedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly edits: readonly Edit[];
}

export interface Fixes {
  readonly files: readonly FixedFile[];
  /** The review of the fixed files. */
  readonly report: ReviewReport;
  /** The request of that review. */
  readonly request: ReviewRequest;
}

/** One fix may reveal another finding. After this many rounds the file is left as it is. */
const maxRounds = 10;

/**
 * Applies the safe fixes of a local review in memory until a review finds no more. Writes nothing. A finding whose
 * fix was not applied has the reason in `unfixable`.
 */
export async function fixFindings(
  original: ReviewRequest & { readonly snapshot: Snapshot },
  context: FlowContext,
): Promise<Fixes> {
  const files = new Map<string, FixedFile>();
  const contents = new Map<string, Buffer>();
  const unfixableReasons = new Map<string, string>();
  const request = { ...original, snapshot: overlaySnapshot(original.snapshot, contents) };
  let report = await reviewLocally(request, context);
  for (let round = 0; round < maxRounds; round += 1) {
    const edited = Map.groupBy(
      report.findings.filter(
        ({ fix, state, file }) => fix && state !== 'fixed' && !unfixableReasons.has(file),
      ),
      ({ file }) => file,
    );
    if (edited.size === 0) break;
    for (const [file, own] of edited) {
      const content = (await request.snapshot.readFiles([file])).get(file) ?? Buffer.alloc(0);
      const text = content.toString('utf8');
      const reason = Buffer.from(text).equals(content)
        ? undefined
        : 'The file is not UTF-8. Correct it by hand.';
      const { text: after, made } = applyEdits(
        text,
        own.flatMap(({ fix }) => fix ?? []),
      );
      if (reason !== undefined || after === text) {
        unfixableReasons.set(file, reason ?? 'The automatic fix would change nothing. Correct it by hand.');
        continue;
      }
      const known = files.get(file) ?? { file, before: text, edits: [] };
      files.set(file, { ...known, after, edits: [...known.edits, ...made] });
      contents.set(file, Buffer.from(after));
    }
    report = await reviewLocally(request, context);
  }
  const explain = (finding: Finding): Finding => {
    const { fix, ...rest } = finding;
    if (fix === undefined || finding.state === 'fixed') return finding;
    const unfixable =
      unfixableReasons.get(finding.file) ??
      'Another fix changed the same lines of the file. Run --fix again.';
    return { ...rest, unfixable };
  };
  return {
    files: [...files.values()],
    report: { ...report, findings: report.findings.map(explain) },
    request,
  };
}
