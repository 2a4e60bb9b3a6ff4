import type { Row } from './measure.ts';

/** The rows as a Markdown table: medians with their spread, and the ratio. */
export function tableOf(rows: readonly Row[]): string {
  const cell = (sample: Row['ours'], unit = '') =>
    `${sample.medianMs.toFixed(1)} (${sample.minMs.toFixed(1)}–${sample.maxMs.toFixed(1)})${unit}`;
  return [
    '| what | ours, ms | reference, ms | reference is | ratio |',
    '| --- | ---: | ---: | --- | ---: |',
    ...rows.map(
      ({ what, ours, reference, referenceName, unit }) =>
        `| ${what} | ${cell(ours, unit)} | ${cell(reference, unit)} | ${referenceName} | ${(ours.medianMs / reference.medianMs).toFixed(2)} |`,
    ),
  ].join('\n');
}
