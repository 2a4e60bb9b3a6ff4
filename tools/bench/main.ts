import { cpus } from 'node:os';
import process from 'node:process';
import { type GrowthRow, maxExponent } from './growth.ts';
import type { Row } from './measure.ts';

type Measured = readonly Row[] | { readonly rows: readonly Row[]; readonly growth: readonly GrowthRow[] };

const groups: Readonly<Record<string, () => Promise<Measured>>> = {
  startup: async () => (await import('./startup.ts')).startup(),
  client: async () => (await import('./client/client.ts')).client(),
  platform: async () => (await import('./platform/platform.ts')).platform(),
  review: async () => (await import('./review.ts')).review(),
  worker: async () => (await import('./worker/worker.ts')).worker(),
  'worker:receiver': async () => (await import('./worker/receiver.ts')).receiver(),
  'worker:polls': async () => (await import('./worker/polls.ts')).polls(),
  'worker:limited': async () => (await import('./worker/limited.ts')).limited(),
  'worker:killed': async () => (await import('./worker/killed.ts')).killed(),
  'worker:promotions': async () => (await import('./worker/many-promotions.ts')).manyPromotions(),
  'worker:promotion': async () => (await import('./worker/whole-promotion.ts')).wholePromotion(),
  writes: async () => (await import('./worker/writes.ts')).writes(),
  board: async () => (await import('./worker/board.ts')).board(),
  burst: async () => (await import('./worker/burst.ts')).burst(),
  snapshot: async () => (await import('./snapshot.ts')).snapshot(),
  publish: async () => (await import('./publish.ts')).publish(),
  actions: async () => (await import('./actions.ts')).actions(),
  engine: async () => (await import('./engine.ts')).engine(),
  tests: async () => (await import('./tests.ts')).tests(),
  streaming: async () => (await import('./streaming/streaming.ts')).streaming(),
  growth: async () => (await import('./growth.ts')).growth(),
  'engine:termination': async () => (await import('./termination.ts')).termination(),
};

const asked = process.argv.slice(2).filter((word) => word !== '--');
const unknown = asked.filter((name) => !(name in groups));
if (unknown.length > 0) {
  console.error(`No such group: ${unknown.join(', ')}. There are: ${Object.keys(groups).join(', ')}.`);
  process.exitCode = 2;
} else {
  // A part, such as `worker:polls`, is in its group already.
  const names = asked.length === 0 ? Object.keys(groups).filter((name) => !name.includes(':')) : asked;
  const rows: Row[] = [];
  const growing: GrowthRow[] = [];
  for (const name of names) {
    process.stderr.write(`measuring ${name} …\n`);
    const measured = (await groups[name]?.()) ?? [];
    if ('growth' in measured) growing.push(...measured.growth);
    rows.push(...('rows' in measured ? measured.rows : measured));
  }
  console.log(
    `\nNode ${process.version}, ${cpus().length} cores; median (min–max) of the runs, ratio of the medians.\n`,
  );
  console.log(tableOf(rows));
  if (growing.length > 0) console.log(`\n${growthTable(growing)}`);
  for (const text of missed(rows, growing)) {
    console.error(text);
    process.exitCode = 1;
  }
}

/** What exceeds its bound. No bound is a time: a machine that is busy or slow changes ratios and exponents little. */
function missed(rows: readonly Row[], growing: readonly GrowthRow[]): readonly string[] {
  return [
    ...rows
      .filter(({ ours, reference, bound = Infinity }) => ours.medianMs / reference.medianMs > bound)
      .map(
        ({ what, bound, referenceName }) =>
          `Above its bound: ${what}, more than ${bound} times ${referenceName}.`,
      ),
    ...growing
      .filter(({ exponent }) => exponent > maxExponent)
      .map(
        ({ what, exponent }) =>
          `Above its bound: ${what} grows with the power ${exponent.toFixed(2)}, more than ${maxExponent}.`,
      ),
  ];
}

function growthTable(rows: readonly GrowthRow[]): string {
  const sizes = [...(rows[0]?.figures.keys() ?? [])];
  return [
    `| what, ms CPU | ${sizes.map((size) => `${size} pipelines`).join(' | ')} | exponent |`,
    `| --- | ${sizes.map(() => '---:').join(' | ')} | ---: |`,
    ...rows.map(
      ({ what, figures, exponent }) =>
        `| ${what} | ${sizes.map((size) => (figures.get(size) ?? 0).toFixed(0)).join(' | ')} | ${exponent.toFixed(2)} |`,
    ),
  ].join('\n');
}

/** The rows as a Markdown table: medians with their spread, and the ratio. */
function tableOf(rows: readonly Row[]): string {
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
