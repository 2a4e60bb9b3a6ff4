import type { DataDiff } from '../../../flows/diff/data-diff.ts';
import { temporaryRepository, type TemporaryRepository } from '../../lib/git/temporary-repository.ts';
import { inProcess } from '../in-process.ts';
import { copyPipeline } from '../tests/test-project.ts';

export const copyTest = `pipeline: daily/build-orders
tests:
  - name: copies the orders
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(10,2)', note: VARCHAR }
        rows: [{ id: 1, amount: 5, note: a }, { id: 2, amount: 10, note: b }, { id: 3, amount: 20, note: c }]
    expect: { tables: { orders: { count: 3 } } }
`;

export const pipeline = 'daily/build-orders.tran.yaml';
export const testFile = 'daily/build-orders.test.yaml';

/** Keeps orders of more than `limit`. */
export const filtered = (limit: number) =>
  copyPipeline
    .replace(
      '    Write Orders:',
      `    Large Orders:
      type: filter
      sources: [Staged]
      parameters: { filterConditions: [[amount, Is, Greater than, '${limit}']], combineCondition: And }
    Write Orders:`,
    )
    .replace('sources: [Staged]\n      parameters:\n', 'sources: [Large Orders]\n      parameters:\n');

/** Doubles the amounts, and adds a column. */
export const doubled = copyPipeline
  .replace(
    '    Write Orders:',
    `    Amounts:
      type: calculator
      sources: [Staged]
      parameters:
        includeInputColumns: "Yes"
        calculations: [['"amount" * 2', amount], ['"id" + 1', next_id]]
    Write Orders:`,
  )
  .replace(
    'sources: [Staged]\n      parameters:\n        database',
    'sources: [Amounts]\n      parameters:\n        database',
  );

export interface DiffProject extends Disposable {
  readonly repository: TemporaryRepository;
  write(file: string, content: string | Buffer): void;
  text(...args: string[]): ReturnType<typeof inProcess>;
  diff(...args: string[]): Promise<DataDiff>;
}

/** A repository whose first commit has these files; `diff` compares the files on disk with HEAD. */
export function diffProject(files: Readonly<Record<string, string | Buffer>> = {}, folder = ''): DiffProject {
  const repository = temporaryRepository();
  const at = (file: string) => (folder === '' ? file : `${folder}/${file}`);
  const all = { [pipeline]: copyPipeline, [testFile]: copyTest, ...files };
  for (const [file, text] of Object.entries(all)) repository.write(at(file), text);
  repository.commit('base');
  const text = (...args: string[]) =>
    inProcess(['diff', ...args], { cwd: `${repository.directory}/${folder}` });
  return {
    repository,
    write: (file, content) => repository.write(at(file), content),
    text,
    async diff(...args) {
      const { stdout, stderr } = await text('--json', ...args);
      const found = JSON.parse(stdout) as DataDiff;
      if (!Array.isArray(found.changes)) throw new Error(`no diff: ${stdout}${stderr}`);
      return found;
    },
    [Symbol.dispose]: () => repository[Symbol.dispose](),
  };
}
