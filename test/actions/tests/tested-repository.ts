import { join } from 'node:path';
import { copyPipeline } from '../../cli/tests/test-project.ts';
import {
  createSharingEnvironment,
  repository,
  type ActionEnvironment,
  type ActionRun,
} from '../action-environment.ts';

/** The folder whose packages have the engine. */
export const engineFolder = join(import.meta.dirname, '..', '..', '..');

export const pipeline = 'daily/copy-orders.tran.yaml';
export const testFile = 'daily/copy-orders.test.yaml';

export const copyTest = `pipeline: daily/copy-orders
tests:
  - name: copies the orders
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(10,2)', note: VARCHAR }
        rows: [{ id: 1, amount: 5 }, { id: 2, amount: 10 }]
    expect: { tables: { orders: { count: 2 } } }
`;

/** Without the first order: its test fails, and the table has a row less. */
export const filtered = copyPipeline
  .replace(
    '    Write Orders:',
    `    Late Orders:
      type: filter
      sources: [Staged]
      parameters: { filterConditions: [[id, Is, Greater than, '1']], combineCondition: And }
    Write Orders:`,
  )
  .replace('sources: [Staged]\n      parameters:\n', 'sources: [Late Orders]\n      parameters:\n');

/** Line of the component in `filtered` that writes the table. */
export const writerLine = 16;

type Changes = Parameters<ActionEnvironment['builder']['commit']>[1];

/** A repository whose pipelines have a test, and pull requests of its branch `feature/x`. */
export interface TestedRepository extends AsyncDisposable {
  readonly environment: ActionEnvironment;
  commit(changes: Changes, branch?: string): Promise<unknown>;
  /** Opens a pull request with changes; answers its number. */
  openPull(changes: Changes): Promise<number>;
  /** Runs an action on a pull request, with the engine of this clone. */
  run(
    number: number,
    given: Partial<ActionRun> & Pick<ActionRun, 'action'>,
  ): ReturnType<ActionEnvironment['pullRequest']>;
  /** The texts of the comments on all pull requests. */
  comments(): readonly string[];
}

/** @param more further files on `main` */
export async function testedRepository(more: Changes = {}): Promise<TestedRepository> {
  const environment = await createSharingEnvironment({
    ...more,
    [pipeline]: copyPipeline,
    [testFile]: copyTest,
  });
  const { builder, github } = environment;
  return {
    environment,
    commit: (changes, branch = 'feature/x') => builder.commit(branch, changes),
    async openPull(changes) {
      await builder.commit('feature/x', changes, { from: 'main' });
      return github.openPull(repository, { head: 'feature/x', base: 'main' });
    },
    run: (number, { inputs, ...given }) =>
      environment.pullRequest(number, { ...given, inputs: { engine: engineFolder, ...inputs } }),
    comments: () => github.repository(repository).comments.map(({ body }) => body ?? ''),
    [Symbol.asyncDispose]: () => environment[Symbol.asyncDispose](),
  };
}
