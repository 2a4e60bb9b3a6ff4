import { type Row, sampleOf } from '../measure.ts';
import { insertRows, startBenchSource } from './bench-source.ts';
import { inFolder } from './in-folder.ts';
import { type Seen, startProgram } from './programs.ts';

const small = 100_000;
const large = 1_000_000;

/** One transaction of the source: how much memory the capture takes, and how long a statement of others waits for the warehouse. */
export function largeTransaction(): Promise<Row[]> {
  return inFolder(async (folder) => {
    await using source = await startBenchSource(0);
    const options = { source: source.address, folder, transformation: 'COPY_TABLE' } as const;
    await using program = await startProgram('ours', options);
    await program.ask({ kind: 'snapshot' });
    let last = 0;
    const seenOf = async (rows: number): Promise<Seen> => {
      await program.ask({ kind: 'stream', work: 'queries' });
      await source.sql(insertRows(last + 1, last + rows));
      last += rows;
      // Its position is the end of the transaction at the latest.
      await program.ask({ kind: 'wait', until: String((await source.end()) - 1n) });
      return program.ask<Seen>({ kind: 'stop' });
    };
    // The first warms up.
    await seenOf(small);
    const [seenSmall, seenLarge] = [await seenOf(small), await seenOf(large)];
    const peak = ({ memory }: Seen) => sampleOf([Math.max(...memory.map(([, mb]) => mb))]);
    const wait = ({ statementMs }: Seen) => sampleOf([Math.max(...statementMs)]);
    const of = (rows: number) => `a transaction of ${rows.toLocaleString('en')} rows`;
    return [
      {
        what: `memory of the process during ${of(large)}`,
        ours: peak(seenLarge),
        referenceName: of(small),
        reference: peak(seenSmall),
        unit: ' MB',
      },
      {
        what: `the longest wait of another statement during ${of(large)}`,
        ours: wait(seenLarge),
        referenceName: of(small),
        reference: wait(seenSmall),
      },
    ];
  });
}
