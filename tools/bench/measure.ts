import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** One measured thing: several runs, of which the median is shown. */
export interface Sample {
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** A row of the table: our figure, compared with a reference of the same run. */
export interface Row {
  readonly what: string;
  readonly ours: Sample;
  readonly referenceName: string;
  readonly reference: Sample;
  /** The unit of the figures; milliseconds by default. */
  readonly unit?: string;
  /** The ratio that must not be exceeded. */
  readonly bound?: number;
}

/**
 * Times two things in turn, so that a slow moment of the machine meets both; the first round warms up and does not
 * count.
 */
export async function pairwise(
  rounds: number,
  ours: () => Promise<void>,
  reference: () => Promise<void>,
): Promise<{ ours: Sample; reference: Sample }> {
  return pairwiseOf(
    rounds,
    () => timed(ours),
    () => timed(reference),
  );
}

/** Like `pairwise`, for any number of candidates: several of them may share a slow reference. */
export async function inTurn<Names extends string>(
  rounds: number,
  works: Readonly<Record<Names, () => Promise<void>>>,
): Promise<Record<Names, Sample>> {
  const names = Object.keys(works) as Names[];
  const times = names.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [nth, name] of names.entries()) {
      const time = await timed(works[name]);
      if (round > 0) times[nth]?.push(time);
    }
  return Object.fromEntries(names.map((name, nth) => [name, sampleOf(times[nth] ?? [])])) as Record<
    Names,
    Sample
  >;
}

/** Like `pairwise`, for candidates that return their own time in milliseconds. */
export async function pairwiseOf(
  rounds: number,
  ours: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<{ ours: Sample; reference: Sample }> {
  const times = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const a = await ours();
    const b = await reference();
    if (round === 0) continue;
    times.ours.push(a);
    times.reference.push(b);
  }
  return { ours: sampleOf(times.ours), reference: sampleOf(times.reference) };
}

/** The milliseconds that a task takes. */
export async function timed(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** The median of some measurements, with their spread. */
export function sampleOf(times: readonly number[]): Sample {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    minMs: sorted[0] ?? Number.NaN,
    maxMs: sorted.at(-1) ?? Number.NaN,
  };
}

/** Runs a command to its end. Throws if it fails, because a failed run must not be measured. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string | undefined> } = {},
): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let errorOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput += chunk.toString();
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  const code = await promise;
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${errorOutput.slice(-2000)}`);
}
