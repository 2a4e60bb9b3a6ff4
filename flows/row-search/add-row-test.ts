import { FileProblems, type Warehouse } from '../../engine/index.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { shorten } from '../../lib/core/text/shorten.ts';
import { isSameValue } from '../../lib/yaml/compare-values.ts';
import { childOf, itemsOf } from '../../lib/yaml/yaml-node.ts';
import { type PlannedTest, planTests } from '../pipeline-tests/files/planned-test.ts';
import { readTestFile } from '../pipeline-tests/files/read-test-file.ts';
import type { TestFile } from '../pipeline-tests/files/test-file.ts';
import { overlayProject } from '../pipeline-tests/files/overlay-project.ts';
import { yamlText } from '../pipeline-tests/files/yaml-text.ts';
import { recordExpectations } from '../pipeline-tests/first-test/record-expectations.ts';
import { runTest, type TestSetting } from '../pipeline-tests/run/run-test.ts';
import { withInputs } from './input-tables.ts';
import { flowText } from './cell-values.ts';
import { type ExpectedFile, expectedFiles } from './expected-file.ts';
import type { FoundRows, OtherVersion } from './open-search.ts';
import { observe } from './observe.ts';
import { rowTestText } from './row-test-text.ts';

/** A test file with one more test. */
export interface AddedTest {
  readonly file: string;
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** Files that the test reads, with the rows that it expects in a table that has too many for a test. */
  readonly files: readonly ExpectedFile[];
}

/** The reason why no test was added although rows were found. */
export interface NotAdded {
  readonly reason: string;
}

export interface RowTestRequest {
  readonly name: string;
  readonly other: OtherVersion;
  readonly warehouse: Warehouse;
  readonly setting: TestSetting;
}

/** Whether a test can have found rows, expect what the pipeline leaves now, and fail with the other version. Throws the reason of a cancel. */
export async function canExpect(
  planned: PlannedTest,
  found: FoundRows,
  request: Omit<RowTestRequest, 'name'>,
): Promise<boolean> {
  const written = await writeRowTest(planned, found, { ...request, name: 'added' });
  if (written === undefined) return false;
  const schemas = childOf(planned.file.source.root, 'schemas');
  const head = schemas === undefined ? '' : `schemas: ${flowText(schemas)}\n`;
  const text = `pipeline: ${yamlText(planned.document.path)}\n${head}tests:\n${written.text}`;
  const checked = await checkRowTest(text, written.files, planned, request);
  return !('reason' in checked);
}

/**
 * Adds a test to the file of an existing test, with the found rows, which expects what the pipeline computes now.
 * The new file is checked: all other tests are the same, and the new test passes now and fails with the other
 * version. Throws the reason of a cancel.
 */
export async function addRowTest(
  planned: PlannedTest,
  found: FoundRows,
  request: RowTestRequest,
): Promise<AddedTest | NotAdded> {
  const { file } = planned;
  const name = freeName(request.name, file);
  const written = await writeRowTest(planned, found, { ...request, name });
  if (written === undefined) return { reason: 'the pipeline failed when it ran with the rows again' };
  const { files } = written;
  const after = withTest(file, written.text);
  if (after === undefined)
    return {
      reason: `${file.file} has its tests in brackets or below an anchor: write them as a list with dashes first`,
    };
  const checked = await checkRowTest(after, files, planned, request);
  if ('reason' in checked) return checked;
  if (!isOnlyAdded(file, checked.file))
    return { reason: `${file.file} would be read in another way with one more test` };
  return { file: file.file, name, before: file.source.text, after, files };
}

/** The text of a test with found rows, and the files that it needs. Undefined if the pipeline does not run with them. */
async function writeRowTest(
  planned: PlannedTest,
  { inputs, difference }: FoundRows,
  { name, warehouse, setting }: RowTestRequest,
): Promise<{ readonly text: string; readonly files: readonly ExpectedFile[] } | undefined> {
  let expected = '';
  const { fileOf, files } = expectedFiles(planned.file.file, setting.project);
  const also = {
    tables: new Set(difference.tables.map(({ table }) => table)),
    variables: new Set(difference.variables),
  };
  await observe(withInputs(planned, inputs), warehouse, setting, {
    async inspect(run) {
      expected = await recordExpectations(run, { also, fileOf });
    },
  });
  return expected === '' ? undefined : { text: rowTestText(planned, inputs, { name, expected }), files };
}

/** Reads a test file whose last test is new: that one must pass now, and fail with the other version. */
async function checkRowTest(
  text: string,
  files: readonly ExpectedFile[],
  { file: { file } }: PlannedTest,
  { other, warehouse, setting }: Omit<RowTestRequest, 'name'>,
): Promise<{ readonly file: TestFile } | NotAdded> {
  const contents = new Map(files.map((each) => [each.file, Buffer.from(each.text)]));
  const project = overlayProject(setting.project, { contents });
  try {
    const again = await readTestFile(text, file, { findFile: project.beside(file) });
    const added = planTests(again, setting.project).at(-1);
    if (added === undefined) return { reason: 'the new test cannot be read' };
    const now = await runTest(added, warehouse, setting);
    if (now.status !== 'passed')
      return { reason: 'the pipeline computes something different each time it runs with the rows' };
    const { document } = other.planned;
    const changed = await runTest({ ...added, document }, warehouse, other.setting);
    if (changed.status !== 'failed') return { reason: 'an expectation of a test cannot show the difference' };
    return { file: again };
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    return { reason: error.problems[0]?.message ?? error.message };
  }
}

const maxName = 100;

/** A name that no test of the file has. */
function freeName(name: string, { tests }: TestFile): string {
  const short = shorten(oneLine(name), maxName);
  const known = new Set(tests.map((test) => test.name));
  let free = short;
  for (let number = 2; known.has(free); number += 1) free = `${short} ${number}`;
  return free;
}

/** The text of a file with a test after its last one; undefined if its list has no dashes of its own. */
function withTest({ source }: Pick<TestFile, 'source'>, test: string): string | undefined {
  const list = childOf(source.root, 'tests');
  const { text } = source;
  const last = itemsOf(list).at(-1);
  if (list?.kind !== 'list' || list.alias !== undefined || list.anchor !== undefined) return undefined;
  if (last === undefined || text[list.start] !== '-') return undefined;
  const dash = source.toRange(list).column - 1;
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  const moved = test
    .trimEnd()
    .split('\n')
    .map((line) => (dash >= 2 ? `${' '.repeat(dash - 2)}${line}` : line.slice(2 - dash)));
  const lineEnd = text.indexOf('\n', Math.max(last.end - 1, 0));
  const end = lineEnd < 0 ? text.length : lineEnd + 1;
  const head = text.slice(0, end);
  const gap = head.endsWith('\n') ? '' : newLine;
  return `${head}${gap}${moved.join(newLine)}${newLine}${text.slice(end)}`;
}

function isOnlyAdded(before: TestFile, after: TestFile): boolean {
  const [old, now] = [before.source.root, after.source.root];
  const tests = itemsOf(childOf(now, 'tests'));
  const oldTests = itemsOf(childOf(old, 'tests'));
  if (old?.kind !== 'map' || now?.kind !== 'map' || tests.length !== oldTests.length + 1) return false;
  const keys = [...old.entries.keys()];
  return (
    keys.length === now.entries.size &&
    keys.every((key) => key === 'tests' || isSameValue(childOf(old, key), childOf(now, key))) &&
    oldTests.every((test, index) => isSameValue(test, tests[index]))
  );
}
