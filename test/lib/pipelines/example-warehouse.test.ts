import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsOf, resolveCall, sharedReferenceOf } from '../../../lib/pipelines/model/calls.ts';
import { componentGraph } from '../../../lib/pipelines/model/graph.ts';
import { iterationOf } from '../../../lib/pipelines/model/iterator.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';
import { reviewFiles } from '../../../lib/pipelines/review-files.ts';
import { rulesFilePath } from '../../../lib/pipelines/rules-file.ts';
import { readSharedPipelines, sharedPipelinesPath } from '../../../lib/pipelines/model/shared-pipelines.ts';
import { readYaml } from '../../../lib/yaml/read-yaml.ts';

const root = join(import.meta.dirname, '../../../examples/warehouse');
const paths = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .toSorted();
const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const known = new Set(paths);
const documents = files
  .filter(({ path }) => kindOf(path) !== undefined)
  .map(({ path, text }) => readPipeline(path, text));

function textOf(path: string): string {
  return files.find((file) => file.path === path)?.text ?? '';
}

function documentOf(path: string) {
  const found = documents.find((document) => document.path === path);
  if (found === undefined) throw new Error(`no pipeline ${path}`);
  return found;
}

const { pipelines: shared, problems: sharedProblems } = readSharedPipelines(
  sharedPipelinesPath(),
  textOf(sharedPipelinesPath()),
);

describe('the example project', () => {
  test('passes its review with two warnings', async () => {
    const review = await reviewFiles({
      rulesFile: { path: rulesFilePath(), text: textOf(rulesFilePath()) },
      pipelines: files.filter(({ path }) => kindOf(path) !== undefined),
    });
    const notPassed = [...review.results].flatMap(([path, results]) =>
      results.flatMap(({ ruleName, status, enforcementLevel }) =>
        status === 'PASSED' ? [] : `${path} ${ruleName} ${status} ${enforcementLevel}`,
      ),
    );
    expect(review.reviewStatus).toBe('PASSED');
    expect(review.results.size).toBe(13);
    expect(notPassed).toEqual([
      'daily/build-stock.tran.yaml maximum-outputs FAILED warn',
      'daily/load.orch.yaml maximum-components FAILED warn',
    ]);
  });

  test('has a test for each pipeline, one of them in a folder with a space', () => {
    const pipelines = documents.map(({ path }) => path.replace(/\.(?:orch|tran)\.yaml$/, '.test.yaml'));
    expect(pipelines.filter((path) => !known.has(path))).toEqual([]);
    expect(paths).toContain('Month End/close.orch.yaml');
  });

  test('calls only pipelines that are there, with and without suffix', () => {
    const calls = documents.flatMap((document) => callsOf(document));
    const lost = calls.filter(({ kind, target }) => {
      if (kind !== 'shared') return resolveCall(target, known, kind) === undefined;
      const reference = sharedReferenceOf(target);
      return reference?.prefix !== 'finance' || !shared.some(({ id }) => id === reference.id);
    });
    expect(lost.map(({ target }) => target)).toEqual([]);
    expect(calls.map(({ target }) => target.endsWith('.yaml'))).toContain(true);
    expect(calls.length).toBe(9);
  });

  test('shares a pipeline that is there', () => {
    expect(sharedProblems).toEqual([]);
    expect(shared.map(({ pipeline }) => resolveCall(pipeline, known))).toEqual([
      'shared/convert-currency.orch.yaml',
    ]);
  });

  test('names only scripts that are there', () => {
    const named = documents.flatMap(({ components }) =>
      [...components.values()].flatMap(
        (component) => component.text('fileName') ?? component.text('pythonScriptLocation') ?? [],
      ),
    );
    expect(named.filter((path) => !known.has(path))).toEqual([]);
    expect(named.length).toBe(3);
  });

  test('has no way to a component that is not there', () => {
    expect(documents.flatMap((document) => componentGraph(document).dangling)).toEqual([]);
  });

  test('declares every variable that it uses', () => {
    const undeclared = files.flatMap(({ path, text }) => {
      if (kindOf(path) === undefined) return [];
      const { variables, components } = documentOf(path);
      const used = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
      const iterated = [...components.values()].flatMap(
        (component) => iterationOf(component)?.variables ?? [],
      );
      return [...used, ...iterated].filter((name) => !variables.has(name)).map((name) => `${path} ${name}`);
    });
    expect(undeclared).toEqual([]);
  });

  test('defers to the environment wherever a warehouse, database or schema is asked for', () => {
    const literal = documents.flatMap(({ path, components }) =>
      [...components.values()].flatMap((component) =>
        ['warehouse', 'database', 'schema']
          .filter((name) => ![undefined, '[Environment Default]'].includes(component.text(name)))
          .map((name) => `${path} ${component.name} ${name}`),
      ),
    );
    expect(literal).toEqual([]);
  });

  test('has an entry with a way to success and one to failure', () => {
    const { components } = documentOf('daily/load.orch.yaml');
    const types = [...components.values()].map(({ type }) => type);
    for (const type of ['start', 'and', 'or', 'if', 'fixed-iterator', 'end-success', 'end-failure']) {
      expect(types).toContain(type);
    }
  });

  test('has a millrace.yaml that verifies the entry in both lanes', () => {
    const { value, problems } = readYaml(textOf('millrace.yaml'), { file: 'millrace.yaml' });
    expect(problems).toEqual([]);
    expect(value).toMatchObject({
      project: '00000000-0000-4000-8000-000000000001',
      environments: ['dev', 'test', 'prod'],
      release: { shared: { prefix: 'finance' } },
      lanes: [
        { name: 'to-test', verify: [{ pipeline: 'daily/load' }] },
        { name: 'to-prod', after: 'to-test', verify: [{ pipeline: 'daily/load' }] },
      ],
    });
    expect(resolveCall('daily/load', known)).toBe('daily/load.orch.yaml');
  });
});
