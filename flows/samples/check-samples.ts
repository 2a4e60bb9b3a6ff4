import {
  type Column,
  describeType,
  type FileProblem,
  type ImportedColumn,
  type ParquetColumn,
  type SqlType,
  storedName,
} from '../../engine/index.ts';
import { closestWord } from '../../lib/core/text/closest-word.ts';
import { didYouMean } from '../../lib/core/text/look-alike.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { BaseProject } from '../diff/base-project.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { type Sample, sampleProblem } from './read-samples.ts';
import type { SampleRemark } from './sample-diff.ts';
import { knownColumns, type Read, readsOf, type SideGraph } from './sample-graphs.ts';

/** Both sides of a diff, with the pipelines to run. */
export interface Sides {
  readonly now: SideGraph;
  readonly before: SideGraph;
}

/** The columns of a sample, and those that differ from what the project expects. */
export interface CheckedSample {
  readonly columns: readonly ImportedColumn[];
  readonly remarks: readonly SampleRemark[];
  /** What pipelines of the run read and the sample does not have. */
  readonly problems: readonly FileProblem[];
}

/** Compares the columns of a sample with what pipelines read and what is known about the table. Reads no rows. */
export function checkSample(
  sample: Sample,
  written: readonly ParquetColumn[],
  sides: Sides,
  { base, kind }: { readonly base: BaseProject; readonly kind: TestProject['kind'] },
): CheckedSample {
  const { table } = sample;
  const known = knownColumns(table, sides.now);
  const sets = [sides.now, sides.before].map((side) => ({
    side,
    columns: readColumns(readsOf(table, side)),
  }));
  const [now = new Map<string, Read>(), before = new Map<string, Read>()] = sets.map(
    ({ columns }) => columns,
  );
  const expected = (known?.columns ?? []).map(({ name }) => name);
  const wanted = [...now.keys(), ...before.keys(), ...expected];
  const typeOf = (name: string): SqlType | undefined =>
    known?.areTypesKnown === true ? known.columns.find((column) => column.name === name)?.type : undefined;
  const columns = written.map((source): ImportedColumn => {
    const name = nameIn(source.name, wanted, kind);
    return { source, column: { name, type: typeOf(name) ?? source.type } };
  });
  const names = new Set(columns.map(({ column }) => column.name));
  const isMissing = (name: string) => !names.has(name);
  const hintFor = (name: string) => {
    const extra = [...names].filter((each) => !wanted.includes(each));
    const meant = closestWord(name, extra);
    return meant === undefined ? '' : `; ${didYouMean(name, meant)}`;
  };
  const of = `${base.name}, ${base.commit.slice(0, 12)}`;
  const problems = [
    ...[...now]
      .filter(([name]) => isMissing(name))
      .map(([name, read]) => {
        const when = before.has(name)
          ? 'export it again with this column'
          : `the base (${of}) does not read it: was the sample exported before the change? Export it again`;
        return sampleProblem(
          sample,
          `the sample lacks the column "${visibleText(name)}"${typeText(typeOf(name), kind)}, which ${readText(read)}${hintFor(name)}; ${when}`,
        );
      }),
    ...[...before]
      .filter(([name]) => isMissing(name) && !now.has(name))
      .map(([name, read]) =>
        sampleProblem(
          sample,
          `the sample lacks the column "${visibleText(name)}", which at the base (${of}) ${readText(read)}; was the sample exported after the change? Both sides run on it, so it needs the columns of both`,
        ),
      ),
    ...twice(columns).map((name) =>
      sampleProblem(
        sample,
        `the sample has the column "${visibleText(name)}" twice, in upper and lower case`,
      ),
    ),
  ];
  const isRead = (name: string) => now.has(name) || before.has(name);
  const remarks = [
    ...expected
      .filter((name) => isMissing(name) && !isRead(name))
      .map((column): SampleRemark => ({
        column,
        what: 'missing',
        ...describedType('expected', typeOf(column), kind),
      })),
    ...columns.flatMap(({ source, column: { name } }): readonly SampleRemark[] => {
      const type = describeType(source.type, kind);
      const wantedType = typeOf(name);
      if (known !== undefined && known.areNamesComplete && !expected.includes(name) && !isRead(name))
        return [{ column: name, what: 'extra', type }];
      if (wantedType === undefined || isAlike(wantedType, source.type)) return [];
      return [{ column: name, what: 'other-type', expected: describeType(wantedType, kind), type }];
    }),
  ];
  return { columns, remarks, problems };
}

/** The message about values that do not have the expected type. */
export function misfitMessage(
  { name, type }: Column,
  rows: number,
  {
    sample,
    sides,
    kind,
  }: { readonly sample: Sample; readonly sides: Sides; readonly kind: TestProject['kind'] },
): string {
  const read =
    readColumns(readsOf(sample.table, sides.now)).get(name) ??
    readColumns(readsOf(sample.table, sides.before)).get(name);
  const reader = read === undefined ? '' : `, which ${readText(read)}`;
  return `the column "${visibleText(name)}"${reader}, must be ${describeType(type, kind)}: ${rows} ${rows === 1 ? 'row has a value that does' : 'rows have values that do'} not fit; was the sample exported before its type changed?`;
}

/** Each column that components read by its name, with the first of them. */
function readColumns(reads: readonly Read[]): ReadonlyMap<string, Read> {
  const columns = new Map<string, Read>();
  for (const read of reads) for (const name of read.columns) if (!columns.has(name)) columns.set(name, read);
  return columns;
}

/** `daily/build-orders reads at line 12 ("Staged")` */
function readText({ pipeline, component, place }: Read): string {
  const where = place.file === pipeline ? `at line ${place.line}` : `in ${place.file}:${place.line}`;
  return `${withoutSuffix(pipeline)} reads ${where} ("${visibleText(component)}")`;
}

/** The name that the project uses: files often have another case. */
function nameIn(name: string, wanted: readonly string[], kind: TestProject['kind']): string {
  if (wanted.includes(name)) return name;
  const alike = new Set(wanted.filter((other) => other.toLowerCase() === name.toLowerCase()));
  const [only, ...others] = alike;
  return only !== undefined && others.length === 0 ? only : storedName(name, kind);
}

function twice(columns: readonly ImportedColumn[]): readonly string[] {
  const seen = new Set<string>();
  return columns.flatMap(({ column: { name } }) => {
    const key = name.toLowerCase();
    const isTwice = seen.has(key);
    seen.add(key);
    return isTwice ? [name] : [];
  });
}

function typeText(type: SqlType | undefined, kind: TestProject['kind']): string {
  return type === undefined ? '' : ` ${describeType(type, kind)}`;
}

function describedType(
  key: 'expected',
  type: SqlType | undefined,
  kind: TestProject['kind'],
): Partial<Record<'expected', string>> {
  return type === undefined ? {} : { [key]: describeType(type, kind) };
}

/** Whether a type of Parquet is how an export writes a type of the warehouse. */
function isAlike(expected: SqlType, type: SqlType): boolean {
  if (expected.name === type.name)
    return expected.name !== 'NUMBER' || type.name !== 'NUMBER' || expected.scale === type.scale;
  const isWhole = ({ name, ...rest }: SqlType) =>
    ['SMALLINT', 'INTEGER', 'BIGINT'].includes(name) ||
    (name === 'NUMBER' && 'scale' in rest && rest.scale === 0);
  if (isWhole(expected) && isWhole(type)) return true;
  // An export writes semi-structured data as text, and has no time zone in times that are UTC.
  return (
    (expected.name === 'VARIANT' && type.name === 'VARCHAR') ||
    (expected.name.startsWith('TIMESTAMP') && type.name.startsWith('TIMESTAMP'))
  );
}
