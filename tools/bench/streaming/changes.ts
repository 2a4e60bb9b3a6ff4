import path from 'node:path';
import type { Transformation } from '../../../engine/index.ts';
import { type Row, runCommand, type Sample, sampleOf, timed } from '../measure.ts';
import { type BenchSource, changesOfTransaction, mixedChanges, startBenchSource } from './bench-source.ts';
import { inFolder } from './in-folder.ts';
import { type Cost, startProgram } from './programs.ts';

const rounds = 3;
const firstRows = 100_000;
const transactions = 1000;
const changes = transactions * changesOfTransaction;

/** Changes that wait in the source, into the target: three programs in turns, and the first round does not count. */
export function changesPerSecond(transformation: Transformation): Promise<Row[]> {
  return inFolder(async (folder) => {
    await using source = await startBenchSource(firstRows);
    const options = { source: source.address, folder, transformation };
    await using ours = await startProgram('ours', options);
    await using bare = await startProgram('bare', options);
    const costs: Record<'ours' | 'bare', Cost[]> = { ours: [], bare: [] };
    const fileMs: number[] = [];
    for (const program of [ours, bare]) await program.ask({ kind: 'snapshot' });
    await source.sql(`SELECT pg_create_logical_replication_slot('file', 'pgoutput')`);
    for (let round = 0; round <= rounds; round += 1) {
      await source.sql(mixedChanges(round, transactions, firstRows));
      const until = await source.end();
      await source.sql(`UPDATE orders SET flag = NOT flag WHERE id = ${firstRows}`);
      const order = { kind: 'capture', until: String(until) } as const;
      const cost = { ours: await ours.ask<Cost>(order), bare: await bare.ask<Cost>(order) };
      const file = await timed(() => receiveIntoFile(source, until, path.join(folder, 'changes')));
      if (round === 0) continue;
      costs.ours.push(cost.ours);
      costs.bare.push(cost.bare);
      fileMs.push(file);
    }
    const rate = (list: readonly number[]): Sample => sampleOf(list.map((ms) => (changes / ms) * 1000));
    const what = `${transformation}: changes into the target, per second`;
    const row = (unit: string, which: keyof Cost): Row => ({
      what: `${what}${unit}`,
      ours: rate(costs.ours.map((cost) => cost[which])),
      referenceName: 'the bare program',
      reference: rate(costs.bare.map((cost) => cost[which])),
      unit: '/s',
    });
    return [
      row(' of CPU', 'cpuMs'),
      row('', 'wallMs'),
      { ...row('', 'wallMs'), referenceName: '`pg_recvlogical` into a file', reference: rate(fileMs) },
    ];
  });
}

/** For information: what PostgreSQL's own program does with the same changes, which it does not read. */
async function receiveIntoFile({ server, address }: BenchSource, until: bigint, file: string): Promise<void> {
  const end = `${(until >> 32n).toString(16)}/${(until & 0xff_ff_ff_ffn).toString(16)}`;
  const connection = ['-h', server.folder, '-p', String(address.port), '-U', address.username];
  const options = ['-o', 'proto_version=1', '-o', `publication_names=bare`];
  await runCommand(
    path.join(server.bin, 'pg_recvlogical'),
    [
      ...connection,
      '-d',
      address.database,
      '--slot',
      'file',
      '--start',
      '--endpos',
      end,
      '-f',
      file,
      ...options,
    ],
    { env: server.env },
  );
}
