import { cpus } from 'node:os';
import process from 'node:process';
import type { Row } from './measure.ts';

const groups: Readonly<Record<string, () => Promise<Row[]>>> = {
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
  publish: async () => (await import('./publish.ts')).publish(),
  actions: async () => (await import('./actions.ts')).actions(),
  engine: async () => (await import('./engine.ts')).engine(),
  streaming: async () => (await import('./streaming/streaming.ts')).streaming(),
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
  for (const name of names) {
    process.stderr.write(`measuring ${name} …\n`);
    rows.push(...((await groups[name]?.()) ?? []));
  }
  console.log(
    `\nNode ${process.version}, ${cpus().length} cores; median (min–max) of the runs, ratio of the medians.\n`,
  );
  console.log(tableOf(rows));
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
