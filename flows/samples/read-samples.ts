import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  type FileProblem,
  FileProblems,
  type Located,
  type Place,
  type TableName,
} from '../../engine/index.ts';
import { requireText } from '../../lib/core/files/decode-text.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { childOf, itemsOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { located, variablesOf } from '../pipeline-tests/files/read-parts.ts';
import type { TestVariable } from '../pipeline-tests/files/test-file.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { entriesOf } from '../pipeline-tests/outside/schema-parts.ts';
import { placesIn, readWritten } from '../pipeline-tests/outside/read-written.ts';
import { tableNamed } from '../pipeline-tests/outside/table-named.ts';
import { samplesFileSchema } from './samples-schema.ts';

const mappingName = 'samples.yaml';
const parquet = /\.parquet$/i;

/** Parquet files for one table. */
export interface Sample {
  readonly table: TableName;
  /** Where the table is named: in samples.yaml, or the file itself. */
  readonly place: Place;
  /** The file or the folder, as the user sees it. */
  readonly shown: string;
  /** Relative to the folder of the samples. */
  readonly files: readonly string[];
  /** The same as full paths. */
  readonly paths: readonly string[];
}

/** A pipeline that samples.yaml names. */
export interface SampleRun {
  readonly pipeline: Located;
  readonly variables: readonly TestVariable[];
}

/** The contents of a folder of samples. */
export interface Samples {
  /** As the user sees it. */
  readonly folder: string;
  readonly tables: readonly Sample[];
  readonly keys: readonly { readonly table: TableName; readonly columns: readonly Located[] }[];
  /** Undefined if samples.yaml names no pipelines. */
  readonly runs: readonly SampleRun[] | undefined;
  /** In milliseconds since the epoch. */
  readonly startsAt: number;
}

export interface SamplesFolder {
  /** Full path. */
  readonly path: string;
  /** As the user sees it. */
  readonly shown: string;
}

const defaultStart = Date.parse('2026-01-01T00:00:00Z');

/**
 * Reads a folder of samples and its samples.yaml. Throws Failure 'usage' for a folder that does not exist or has no Parquet file, and
 * FileProblems.
 */
export function readSamples({ path: folder, shown }: SamplesFolder, project: TestProject): Samples {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const entries = isFolder ? listEntries(folder) : [];
  if (entries.length === 0)
    throw new Failure('usage', {
      message: isFolder ? `The folder ${shown} has no Parquet files.` : `The folder ${shown} does not exist.`,
      where: { input: '--given' },
      hint: 'Export rows of the tables that your pipelines read to Parquet files, one file or one folder for each table, and name them like the table: orders.parquet.',
    });
  const mapping = readMapping(folder, shown, project);
  const problems: FileProblem[] = [];
  const seen = new Map<string, string>();
  const tables = entries.map(({ name, files }): Sample => {
    const file = `${shown}/${name}`;
    const named = mapping.tables.get(name) ?? {
      text: name.replace(parquet, ''),
      place: { file, line: 1, column: 1 },
    };
    const table = tableNamed(named.text, named.place, project);
    const key = JSON.stringify([table.database, table.schema, table.table]);
    const other = seen.get(key);
    seen.set(key, name);
    if (other !== undefined)
      problems.push({
        ...named.place,
        message: `"${other}" and "${name}" are samples of one table: remove one`,
      });
    for (const part of files) {
      if (part.includes('='))
        problems.push({
          file: `${shown}/${part}`,
          line: 1,
          column: 1,
          message:
            'its path has a column and a value, as in a partitioned table, which Millrace does not read: export the column, too',
        });
    }
    return {
      table,
      place: named.place,
      shown: file,
      files,
      paths: files.map((each) => path.join(folder, each)),
    };
  });
  for (const [name, { place }] of mapping.tables)
    if (!entries.some((entry) => entry.name === name))
      problems.push({ ...place, message: `the folder ${shown} has no Parquet file "${name}"` });
  if (problems.length > 0) throw new FileProblems(problems);
  return { folder: shown, ...mapping, tables };
}

/** Parquet files, and folders of them, without those whose names begin with a dot or an underscore. */
function listEntries(
  folder: string,
): readonly { readonly name: string; readonly files: readonly string[] }[] {
  return readdirSync(folder)
    .filter((name) => !/^[._]/.test(name))
    .toSorted(compareTexts)
    .flatMap((name) => {
      const full = path.join(folder, name);
      const kind = statSync(full, { throwIfNoEntry: false });
      if (kind?.isFile() === true) return parquet.test(name) ? [{ name, files: [name] }] : [];
      if (kind?.isDirectory() !== true) return [];
      const files = readdirSync(full, { recursive: true, encoding: 'utf8' })
        .map((file) => file.split(path.sep).join('/'))
        .filter((file) => parquet.test(file) && !file.split('/').some((part) => /^[._]/.test(part)))
        .map((file) => `${name}/${file}`)
        .toSorted(compareTexts);
      return files.length === 0 ? [] : [{ name, files }];
    });
}

interface Mapping extends Pick<Samples, 'keys' | 'runs' | 'startsAt'> {
  /** By the name of the file or the folder. */
  readonly tables: ReadonlyMap<string, Located>;
}

function readMapping(folder: string, shown: string, project: TestProject): Mapping {
  const full = path.join(folder, mappingName);
  if (!existsSync(full)) return { tables: new Map(), keys: [], runs: undefined, startsAt: defaultStart };
  const file = `${shown}/${mappingName}`;
  const { value, source } = readWritten(requireText(readFileSync(full), file), file, samplesFileSchema);
  const placeOf = placesIn(source);
  const part = (name: string) => childOf(source.root, name);
  const runs = itemsOf(part('run'));
  return {
    tables: new Map(
      entriesOf(part('tables')).flatMap(([name, , node]): (readonly [string, Located])[] => {
        const table = located(node, placeOf);
        return table === undefined ? [] : [[name.replace(/\/$/, ''), table]];
      }),
    ),
    keys: entriesOf(part('keys')).map(([name, key, node]) => ({
      table: tableNamed(name, placeOf(key), project),
      columns: itemsOf(node).flatMap((item) => located(item, placeOf) ?? []),
    })),
    runs: value.run === undefined ? undefined : runs.flatMap((node) => runOf(node, placeOf) ?? []),
    startsAt: value.clock === undefined ? defaultStart : Date.parse(value.clock),
  };
}

function runOf(node: YamlNode, placeOf: Parameters<typeof located>[1]): SampleRun | undefined {
  const pipeline = located(node.kind === 'map' ? childOf(node, 'pipeline') : node, placeOf);
  return pipeline && { pipeline, variables: variablesOf(childOf(node, 'variables'), placeOf) };
}

/** The problem of a sample that cannot be used, with the reason. */
export function sampleProblem({ shown }: Pick<Sample, 'shown'>, message: string): FileProblem {
  return { file: shown, line: 1, column: 1, message };
}
