import { requireText } from '../../../lib/core/files/decode-text.ts';
import { overlaySnapshot } from '../../../lib/git/overlay-snapshot.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import type { Edit, Finding } from '../../../lib/core/outcomes/finding.ts';
import { applyEditGroups } from '../../../lib/yaml/apply-edits.ts';
import { keepsOtherValues } from '../../../lib/yaml/keeps-other-values.ts';
import { readYaml, type YamlSource } from '../../../lib/yaml/read-yaml.ts';
import type { FlowContext } from '../../context/context.ts';
import { reviewLocally } from '../review-locally.ts';
import type { ReviewReport, ReviewRequest } from '../scope/review-request.ts';
import { prepareRulesOf } from '../evaluate/rules-of-files.ts';
import { changesOthers, mayFixUnsafely, type UnsafeFixes, unsafeFixes } from './unsafe-fixes.ts';

/** A file with its fixes applied. */
export interface FixedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Number of fixed findings. */
  readonly count: number;
}

export interface Fixes {
  readonly files: readonly FixedFile[];
  /** The review of the fixed files. */
  readonly report: ReviewReport;
  /** The request of that review. */
  readonly request: ReviewRequest;
  /** Fingerprints of the findings that only an unsafe fix would fix; empty with unsafe fixes. */
  readonly unsafe: ReadonlySet<string>;
}

/** One fix may reveal another finding. After this many rounds the file is left as it is. */
const maxRounds = 10;

const noFixes: UnsafeFixes = { edits: new Map(), unfixable: new Map() };

/**
 * Applies the safe fixes of a local review in memory, and reviews again, until there is nothing left to fix. With
 * `withUnsafe`, also fixes that change names or behaviour. Writes no files. A fix that overlaps another one is
 * applied in the next round. A finding that was not fixed has the reason in `unfixable`.
 */
export async function fixFindings(
  original: ReviewRequest & { readonly snapshot: Snapshot },
  context: FlowContext,
  { withUnsafe = false }: { readonly withUnsafe?: boolean | undefined } = {},
): Promise<Fixes> {
  const files = new Map<string, FixedFile>();
  const contents = new Map<string, Buffer>();
  const unfixableReasons = new Map<string, string>();
  /** Fingerprints of findings whose fix would change another part of the file. */
  const refusedFixes = new Set<string>();
  const request = { ...original, snapshot: overlaySnapshot(original.snapshot, contents) };
  let report = await reviewLocally(request, context);
  let unsafe = withUnsafe ? await planUnsafe(request, report) : new Map<string, UnsafeFixes>();
  for (let round = 0; round < maxRounds; round += 1) {
    const fixesOf = ({ fix, file, fingerprint }: Finding): readonly (readonly Edit[])[] => {
      const edits = fix === undefined && withUnsafe ? unsafe.get(file)?.edits.get(fingerprint) : undefined;
      return fix === undefined ? (edits === undefined ? [] : [edits]) : [[fix]];
    };
    const edited = Map.groupBy(
      report.findings.filter(
        (finding) =>
          finding.state !== 'fixed' &&
          !unfixableReasons.has(finding.file) &&
          !refusedFixes.has(finding.fingerprint) &&
          fixesOf(finding).length > 0,
      ),
      ({ file }) => file,
    );
    if (edited.size === 0) break;
    for (const [file, fileFindings] of edited) {
      const content = (await request.snapshot.readFiles([file])).get(file) ?? Buffer.alloc(0);
      const text = requireText(content, file);
      const { after, count, refused } = applyFixes(
        readYaml(text, { file }),
        fileFindings.map((finding) => [finding.fingerprint, fixesOf(finding)] as const),
      );
      for (const fingerprint of refused) refusedFixes.add(fingerprint);
      if (after === text) {
        if (refused.length === 0)
          unfixableReasons.set(file, 'The automatic fix would change nothing. Correct the finding by hand.');
        continue;
      }
      const fixed = files.get(file) ?? { file, before: text, count: 0 };
      files.set(file, { ...fixed, after, count: fixed.count + count });
      contents.set(file, Buffer.from(after));
    }
    report = await reviewLocally(request, context);
    if (withUnsafe) unsafe = await planUnsafe(request, report);
  }
  const explain = (finding: Finding): Finding => {
    const { fix, ...rest } = finding;
    if (finding.state === 'fixed') return finding;
    const { edits, unfixable: reasons } = unsafe.get(finding.file) ?? noFixes;
    if (refusedFixes.has(finding.fingerprint)) return { ...rest, unfixable: changesOthers };
    const isLeft = fix !== undefined || edits.has(finding.fingerprint);
    if (!isLeft && !reasons.has(finding.fingerprint)) return finding;
    const unfixable =
      unfixableReasons.get(finding.file) ??
      reasons.get(finding.fingerprint) ??
      'Another fix changed the same lines of the file. Run --fix again.';
    return { ...rest, unfixable };
  };
  const left = withUnsafe
    ? []
    : [...(await planUnsafe(request, report))].filter(([file]) => !unfixableReasons.has(file));
  return {
    files: [...files.values()],
    report: { ...report, findings: report.findings.map(explain) },
    request,
    unsafe: new Set(left.flatMap(([, { edits }]) => [...edits.keys()])),
  };
}

/**
 * Applies the fixes of a file, and reads it again: values that no fix touches must stay the same. `refused`: the
 * findings whose fixes are not applied, because they do not keep them.
 */
function applyFixes(
  source: YamlSource,
  fixes: readonly (readonly [fingerprint: string, groups: readonly (readonly Edit[])[]])[],
): { readonly after: string; readonly count: number; readonly refused: readonly string[] } {
  const apply = (some: typeof fixes) =>
    applyEditGroups(
      source.text,
      some.flatMap(([, groups]) => groups),
    );
  const all = apply(fixes);
  if (keepsOtherValues(source, all.made)) return { after: all.text, count: all.count, refused: [] };
  const safe = fixes.filter(([, groups]) => groups.every((group) => keepsOtherValues(source, group)));
  const { text, made, count } = apply(safe);
  const names = (some: typeof fixes) => some.map(([fingerprint]) => fingerprint);
  return keepsOtherValues(source, made)
    ? { after: text, count, refused: names(fixes.filter((fix) => !safe.includes(fix))) }
    : { after: source.text, count: 0, refused: names(fixes) };
}

/** The unsafe fixes for the findings of a report, by file. */
async function planUnsafe(
  { snapshot, configDir }: ReviewRequest & { readonly snapshot: Snapshot },
  { findings }: ReviewReport,
): Promise<ReadonlyMap<string, UnsafeFixes>> {
  const byFile = Map.groupBy(
    findings.filter((finding) => finding.fix === undefined && mayFixUnsafely(finding)),
    ({ file }) => file,
  );
  const files = [...byFile.keys()];
  const { rulesOf } = await prepareRulesOf(files, snapshot, configDir);
  const contents = await snapshot.readFiles(files);
  const planned = Array.from(byFile, ([file, fileFindings]) => {
    const text = requireText(contents.get(file) ?? Buffer.alloc(0), file);
    return [file, unsafeFixes(file, text, fileFindings, rulesOf(file))] as const;
  });
  return new Map(planned);
}
