import { describe, expect, test } from 'vitest';
import { FileProblems } from '../../../engine/index.ts';
import { readDefinition } from '../../../flows/streaming/read-definition.ts';
import { readTestFile } from '../../../flows/pipeline-tests/files/read-test-file.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import { readProvision } from '../../../lib/config/project/read-provision.ts';
import { readVariables } from '../../../lib/config/project/read-variables.ts';
import { readWorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';
import { readRulesFile } from '../../../lib/pipelines/rules-file.ts';
import { readSharedPipelines } from '../../../lib/pipelines/model/shared-pipelines.ts';
import { readSeed } from '../../../platform/planting/read-seed.ts';
import { textsBeside } from '../../flows/pipeline-tests/run/texts-beside.ts';
import { readSourceFiles, topFolders } from '../../repository/repository-files.ts';

/** `line: message` of the first problem that reading a file reports. */
type FirstProblem = (text: string) => Promise<string>;

const listed =
  (read: (text: string) => { problems: readonly { line: number; message: string }[] }): FirstProblem =>
  (text) => {
    const [problem] = read(text).problems;
    return Promise.resolve(problem === undefined ? '' : `${problem.line}: ${problem.message}`);
  };

const thrown =
  (read: (text: string) => unknown): FirstProblem =>
  async (text) => {
    try {
      await read(text);
    } catch (error) {
      if (error instanceof FileProblems) return listed(() => error)(text);
      if (error instanceof Failure) return `${error.where?.line}: ${error.message}`;
      throw error;
    }
    return '';
  };

const testFile = 'pipeline: a\ntests: [{ name: x, expect: { ran: [A] } }]\n';

const readers: readonly (readonly [string, FirstProblem])[] = [
  ['a pipeline', listed((text) => readPipeline('a.orch.yaml', text))],
  ['the rules file', listed((text) => readRulesFile('rules.yaml', text))],
  ['the shared pipelines', listed((text) => readSharedPipelines('shared.yaml', text))],
  ['millrace.yaml', thrown((text) => readProjectConfig(text, 'millrace.yaml'))],
  ['worker.yaml', thrown((text) => readWorkerConfig(text, 'worker.yaml'))],
  ['a file of variables', thrown((text) => readVariables(text, 'variables.yaml'))],
  ['a file to provision', thrown((text) => readProvision(text, 'provision.yaml'))],
  ['a seed', thrown((text) => readSeed(text, { file: 'seed.yaml' }))],
  ['a streaming pipeline', thrown((text) => readDefinition(text, 'stream.yaml'))],
  ['a test file', thrown((text) => readTestFile(text, 'a.test.yaml', { findFile: textsBeside({}) }))],
  [
    'a file of schemas',
    thrown((text) =>
      readTestFile(`schemas: s.yaml\n${testFile}`, 'a.test.yaml', {
        findFile: textsBeside({ 's.yaml': text }),
      }),
    ),
  ],
];

describe.each(readers)('%s', (_title, firstProblem) => {
  test.each([
    ['another version of YAML', '%YAML 1.1\n---\na: 2026-01-05\n', /^1: .*%YAML 1\.1/],
    ['a tag that changes a value', 'a: 1\nb: !!timestamp 2026-01-05\n', /^2: .*!!timestamp/],
    ['a merge key', 'a: &a { x: 1 }\nb:\n  <<: *a\n', /^3: .*merge key/],
    ['half of a character', 'a: 1\nb: "x\\uD83D"\n', /^2: .*\\ud83d is only half of a character/],
    ['half of a character in a key', 'a: 1\n"\\udc00": 2\n', /^2: .*\\udc00 is only half of a character/],
  ])('with %s is refused with its line', async (_case, text, problem) => {
    expect(await firstProblem(text)).toMatch(problem);
  });
});

describe.each(readers.filter(([name]) => /provision|variables|seed|streaming|yaml$/.test(name)))(
  '%s',
  (_title, firstProblem) => {
    test.each(['9007199254740993', '0.12345678901234567891', '0x20000000000001', '1e400'])(
      'with the number %s, which would become another one, is refused with its line',
      async (number) => {
        const problem = await firstProblem(`a: 1.50\nb: ${number}\n`);
        expect(problem).toMatch(/^2: /);
        expect(problem).toContain(`The number ${number} has too many digits`);
      },
    );
  },
);

test('numbers of a file of variables may have many digits that change nothing', () => {
  const numbers = ['9007199254740992', '1.10', '1e3', '1e22', '.5', '-0', '007', '0.1', '0x1F'];
  for (const number of numbers) {
    const text = `version: 1\nvariables: { x: { type: NUMBER, behaviour: SHARED, value: ${number} } }\n`;
    expect(readVariables(text, 'variables.yaml').value).toMatchObject({ variables: { x: {} } });
  }
});

test('only lib/yaml imports a YAML parser, so that every file is read alike', () => {
  const importers = topFolders()
    .filter((folder) => !['test', 'tools'].includes(folder))
    .flatMap(readSourceFiles)
    .filter(({ imports }) => imports.some((specifier) => /^(?:js-)?yaml(?:\/|$)/.test(specifier)));
  expect(importers.map(({ path }) => path).filter((path) => !path.startsWith('lib/yaml/'))).toEqual([]);
  expect(importers.length).toBeGreaterThan(0);
});
