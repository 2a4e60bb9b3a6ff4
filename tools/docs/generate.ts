import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { schemaFileOf } from '../../cli/kit/result-schema.ts';
import { commandResults, failureResult, resultSchema } from '../../cli/results/command-results.ts';
import { configSchemas } from '../../lib/config/config-schemas.ts';
import { operationExamples } from '../../lib/contract/examples.ts';
import { openApiOf } from '../../lib/contract/openapi.ts';
import { operations } from '../../lib/contract/operations.ts';
import { referenceOf } from '../../lib/contract/reference.ts';
import { reportSchema } from '../../flows/review/formats/report-schema.ts';
import { mutationReportSchema } from '../../flows/mutation/report/report-schema.ts';
import { testReportSchema } from '../../flows/pipeline-tests/report/report-schema.ts';
import { samplesFileSchema } from '../../flows/samples/samples-schema.ts';
import { testFileSchema } from '../../flows/pipeline-tests/files/test-file-schema.ts';
import { version } from '../../lib/core/values/version.ts';
import { notificationSchema } from '../../worker/reporting/webhook/notification.ts';
import { withDifferences } from './differences.ts';
import { enginePage } from './engine-page.ts';
import { errorsPage } from './errors-page.ts';
import { graphName } from '../pictures/picture-list.ts';
import { graphPicture } from './graph-picture.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(path.join(root, file), 'utf8');

/**
 * Writes every page that is derived from data; with `--check` writes nothing and fails if one is stale.
 * The actions' tables are written by `tools/actions/generate.ts`.
 */
async function pages(): Promise<Map<string, string>> {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return new Map([
    ['docs/openapi.json', json(openApiOf(operations, version))],
    ['docs/api.md', referenceOf(operations, operationExamples)],
    ['docs/errors.md', errorsPage()],
    [`docs/pictures/${graphName}`, await graphPicture(root)],
    ['docs/engine.md', enginePage(await read('docs/engine.md'))],
    [
      'docs/local-platform.md',
      withDifferences(await read('docs/local-platform.md'), await read('docs/unknowns.md')),
    ],
    [
      'docs/schemas/review.schema.json',
      json({ title: 'millrace review --json', ...z.toJSONSchema(reportSchema) }),
    ],
    [
      'docs/schemas/samples.schema.json',
      json({
        title: 'samples.yaml of millrace diff --given',
        ...z.toJSONSchema(samplesFileSchema, { io: 'input' }),
      }),
    ],
    [
      'docs/schemas/test.schema.json',
      json({ title: 'A test file of millrace test', ...z.toJSONSchema(testFileSchema, { io: 'input' }) }),
    ],
    [
      'docs/schemas/test-report.schema.json',
      json({ title: 'millrace test --json', ...z.toJSONSchema(testReportSchema) }),
    ],
    [
      'docs/schemas/mutation-report.schema.json',
      json({ title: 'millrace test --mutate --json', ...z.toJSONSchema(mutationReportSchema) }),
    ],
    [
      'docs/schemas/notification.schema.json',
      json({ title: 'Notification of the worker', ...z.toJSONSchema(notificationSchema) }),
    ],
    ...Object.entries({ ...commandResults, error: { failure: failureResult } }).map(
      ([words, forms]) =>
        [`docs/schemas/commands/${schemaFileOf(words)}`, json(resultSchema(words, forms))] as const,
    ),
    ...Object.entries(configSchemas()).map(
      ([name, schema]) => [`docs/schemas/${name}`, json(schema)] as const,
    ),
  ]);
}

const stale: string[] = [];
for (const [file, content] of await pages()) {
  const target = path.join(root, file);
  const there = await readFile(target, 'utf8').catch(() => undefined);
  if (there === content) continue;
  stale.push(file);
  if (process.argv.includes('--check')) continue;
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
}
if (!process.argv.includes('--check'))
  console.log(stale.length === 0 ? 'all pages are fresh' : `written: ${stale.join(', ')}`);
else if (stale.length > 0) {
  console.error(`Stale: ${stale.join(', ')}. Run \`npm run docs\` and commit what it writes.`);
  process.exitCode = 1;
}
