import type { Fixes } from '../../flows/review/fixes/fix-findings.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { unifiedDiff } from '../kit/git/unified-diff.ts';

/** The `fixes` field of the JSON report: what `--fix` did, or would do. */
export function fixesOf({ files, unsafe }: Fixes, dryRun: boolean) {
  return {
    dryRun,
    files: files.map(({ file, count }) => ({ file, count })),
    unsafe: unsafe.size,
    diff: diffOf(files),
  };
}

/** What `--fix` did, or would do (with the diff), and each finding that it could not fix. */
export function fixLines({ files, report, unsafe }: Fixes, dryRun: boolean): string[] {
  const count = files.reduce((sum, file) => sum + file.count, 0);
  const left = report.findings.filter(({ state }) => state !== 'fixed');
  const explained = left.flatMap(({ file, line, rule, unfixable }) =>
    unfixable === undefined ? [] : [`  ${file}:${line} ${unfixable} (${rule})`],
  );
  const others = left.filter(
    ({ unfixable, fingerprint }) => unfixable === undefined && !unsafe.has(fingerprint),
  );
  const rules = [...Map.groupBy(others, ({ rule }) => rule)].map(
    ([rule, group]) => `${rule} (${group.length})`,
  );
  const unexplained =
    others.length === 0
      ? []
      : [`  ${numberOf(others.length, 'finding')} of rules without an automatic fix: ${rules.join(', ')}.`];
  const notFixed = [...explained, ...unexplained];
  return [
    ...(dryRun ? diffOf(files).split('\n').slice(0, -1) : []),
    `${dryRun ? 'Would fix' : 'Fixed'} ${numberOf(count, 'finding')} in ${numberOf(files.length, 'file')}.`,
    ...(unsafe.size === 0
      ? []
      : [
          `\`--unsafe-fixes\` would fix ${unsafe.size} more: ${unsafe.size === 1 ? 'its fix changes' : 'their fixes change'} names or behaviour.`,
        ]),
    ...(notFixed.length === 0 ? [] : ['Not fixed:', ...notFixed]),
    '',
  ];
}

function diffOf(files: Fixes['files']): string {
  return files.map(({ file, before, after }) => unifiedDiff(file, before, after)).join('');
}
