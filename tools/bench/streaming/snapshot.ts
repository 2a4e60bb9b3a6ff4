import { type Row, sampleOf } from '../measure.ts';
import { startBenchSource } from './bench-source.ts';
import { inFolder } from './in-folder.ts';
import { type Cost, startProgram } from './programs.ts';

const rounds = 3;
const rows = 1_000_000;

/** A snapshot into an empty warehouse, in turns. Each is taken by a new process, which has no first round to leave out. */
export async function snapshot(): Promise<Row[]> {
  await using source = await startBenchSource(rows);
  const costs: Record<'ours' | 'bare', Cost[]> = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of ['ours', 'bare'] as const)
      await inFolder(async (folder) => {
        await using program = await startProgram(kind, {
          source: source.address,
          folder,
          transformation: 'COPY_TABLE',
        });
        costs[kind].push(await program.ask<Cost>({ kind: 'snapshot' }));
        await source.drop();
      });
  return (['cpuMs', 'wallMs'] as const).map((which) => ({
    what: `a snapshot of ${rows.toLocaleString('en')} rows${which === 'cpuMs' ? ', CPU time' : ''}`,
    ours: sampleOf(costs.ours.map((cost) => cost[which])),
    referenceName: '`COPY … TO STDOUT` into an appender',
    reference: sampleOf(costs.bare.map((cost) => cost[which])),
  }));
}
