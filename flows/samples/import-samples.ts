import { closeSync, openSync, readSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import {
  type FileProblem,
  FileProblems,
  importParquet,
  isOutOfMemory,
  openWarehouse,
  parquetColumns,
  Refusal,
  SqlError,
  type Warehouse,
} from '../../engine/index.ts';
import { lfsReason } from '../../lib/core/files/decode-text.ts';
import type { BaseProject } from '../diff/base-project.ts';
import { collectProblems } from '../pipeline-tests/files/test-problem.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { openTestWarehouse } from '../pipeline-tests/run/open-test-warehouse.ts';
import { checkSample, misfitMessage, type Sides } from './check-samples.ts';
import { type Sample, sampleProblem } from './read-samples.ts';
import type { GivenTable } from './run-side.ts';
import type { SampleRemark } from './sample-diff.ts';

/** A sample whose rows were imported into the database of all samples. */
export interface ImportedSample extends GivenTable {
  readonly sample: Sample;
  readonly remarks: readonly SampleRemark[];
}

export interface ImportRequest {
  readonly samples: readonly Sample[];
  readonly sides: Sides;
  readonly project: TestProject;
  readonly base: BaseProject;
  /** The database file to create, in a private folder. */
  readonly file: string;
  readonly spillFolder: string;
  readonly memoryLimit: string;
  readonly signal: AbortSignal;
  readonly packages?: string | undefined;
}

/**
 * Checks all samples, and imports their rows into one database file with the types that the project expects. Only
 * this warehouse may read the files, and it runs no SQL of the project. Throws FileProblems without values of rows,
 * Failure 'engine-missing', and the reason of a cancel.
 */
export async function importSamples(request: ImportRequest): Promise<readonly ImportedSample[]> {
  const { samples, project, file, spillFolder, memoryLimit, signal, packages } = request;
  const problems: FileProblem[] = [];
  const readable = samples.map((sample) => readableFiles(sample, path.dirname(file)));
  const openFiles = readable.flat();
  await using warehouse = await openTestWarehouse(project, packages, (options) =>
    openWarehouse({ ...options, memoryLimit, file, spillFolder, openFiles }),
  );
  const own = warehouse.abortable(signal);
  const imported: ImportedSample[] = [];
  for (const [index, sample] of samples.entries()) {
    signal.throwIfAborted();
    const one = await collectProblems(problems, () =>
      importSample(sample, {
        ...request,
        paths: readable[index] ?? [],
        name: `sample_${index}`,
        warehouse: own,
      }),
    );
    if (one !== undefined) imported.push(one);
  }
  if (problems.length > 0) throw new FileProblems(problems);
  return imported;
}

async function importSample(
  sample: Sample,
  {
    sides,
    project: { kind },
    base,
    paths,
    name,
    warehouse,
    signal,
  }: ImportRequest & {
    readonly paths: readonly string[];
    readonly name: string;
    readonly warehouse: Warehouse;
  },
): Promise<ImportedSample> {
  for (const [index, file] of paths.entries()) {
    const reason = otherKind(file);
    if (reason !== undefined)
      throw new FileProblems([sampleProblem({ shown: partName(sample, index) }, reason)]);
  }
  const written = await withoutValues(sample, signal, () => parquetColumns(paths, warehouse, kind));
  const { columns, remarks, problems } = checkSample(sample, written, sides, { base, kind });
  if (problems.length > 0) throw new FileProblems(problems);
  const { rows, misfits } = await withoutValues(sample, signal, () =>
    importParquet(`main.${name}`, { files: paths, columns }, warehouse, kind),
  );
  if (misfits.length > 0)
    throw new FileProblems(
      misfits.map((misfit) =>
        sampleProblem(sample, misfitMessage(misfit.column, misfit.rows, { sample, sides, kind })),
      ),
    );
  const { table } = sample;
  return {
    sample,
    table,
    columns: columns.map(({ column }) => column),
    sql: `given.main.${name}`,
    rows,
    remarks,
  };
}

/** DuckDB's messages about files may have values: they are not shown. */
async function withoutValues<Result>(
  sample: Sample,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SqlError) && !(error instanceof Refusal)) throw error;
    const isMemory = isOutOfMemory(error.message);
    const damaged =
      sample.files.length === 1
        ? 'it is damaged, or has a value that is not supported'
        : 'a file is damaged, or its files have different columns, or a value is not supported';
    const reason = isMemory ? 'it needs more memory: give more with --memory' : damaged;
    throw new FileProblems([sampleProblem(sample, `the sample cannot be read: ${reason}`)]);
  }
}

function partName({ shown, files }: Sample, index: number): string {
  const [only, ...others] = files;
  const part = files[index] ?? only ?? '';
  return others.length === 0 ? shown : `${shown}/${part.split('/').slice(1).join('/')}`;
}

/** Why a file is not a Parquet file. */
function otherKind(file: string): string | undefined {
  const head = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  try {
    const length = readSync(handle, head, 0, head.length, 0);
    if (head.toString('latin1', 0, 4) === 'PAR1') return undefined;
    const reason = lfsReason(head.subarray(0, length));
    return reason === undefined ? 'it is not a Parquet file' : `it cannot be read: ${reason}`;
  } finally {
    closeSync(handle);
  }
}

const pattern = /[*?[\]]/;

/** The files by names without patterns: DuckDB would read other files, too. */
function readableFiles({ paths }: Sample, folder: string): readonly string[] {
  return paths.map((file) => {
    if (!pattern.test(file)) return file;
    links += 1;
    const link = path.join(folder, `link-${links}.parquet`);
    symlinkSync(file, link);
    return link;
  });
}

let links = 0;
