import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { operations } from './operations.ts';
import { description, type Operation, schema } from './schema.ts';

/**
 * Writes `github-api.json` next to this file: of GitHub's published OpenAPI description only the operations that we
 * use, without prose. The package is far too large to depend on, so it is fetched by hand when the list changes:
 *
 *     npm pack @octokit/openapi@23.0.2 && tar -xzf octokit-openapi-23.0.2.tgz
 *     node test/environment/github/openapi/distil.ts package
 */
const version = '23.0.2';

const folder = process.argv[2] ?? '.';
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const found = z.object({ version: z.string() }).parse(JSON.parse(read('package.json'))).version;
if (found !== version) throw new Error(`@octokit/openapi is ${found}, and the words here say ${version}`);

const loose = z.record(z.string(), z.unknown());
const components = z.object({ parameters: loose, responses: loose, schemas: loose });
const api = z
  .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())), components })
  .parse(JSON.parse(read('generated/api.github.com.json')));

/** Prose and hints: they say nothing about what is taken. */
const prose =
  /^(?:x-.*|title|description|summary|examples?|default|deprecated|discriminator|externalDocs|readOnly)$/u;
const formats = ['date-time', 'uri'];
const used = new Map<string, unknown>();

function distilled(given: unknown, keepRequired: boolean): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const inner = (value: unknown): unknown => distilled(value, keepRequired);
  const kept = Object.entries(given).flatMap(([key, value]: [string, unknown]) => {
    if (prose.test(key) || (key === 'required' && !keepRequired)) return [];
    if (key === 'format' && !formats.includes(String(value))) return [];
    if (key === '$ref') return [[key, nameOf(String(value))]];
    if (key === 'properties') return [[key, mapValues(loose.parse(value), inner)]];
    if (key === 'items' || key === 'additionalProperties') return [[key, inner(value)]];
    if (['oneOf', 'anyOf', 'allOf'].includes(key))
      return [[key, z.array(z.unknown()).parse(value).map(inner)]];
    return [[key, value]];
  });
  return Object.fromEntries(kept);
}

/** Notes that a shared schema is used, and distils it once. */
function nameOf(reference: string): string {
  const name = reference.replace('#/components/schemas/', '');
  if (!used.has(name)) {
    used.set(name, undefined);
    used.set(name, distilled(api.components.schemas[name], false));
  }
  return name;
}

function mapValues(
  values: Record<string, unknown>,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

const reference = z.object({ $ref: z.string() });
const resolved = (given: unknown, from: Record<string, unknown>): unknown => {
  const { success, data } = reference.safeParse(given);
  return success ? from[data.$ref.split('/').at(-1) ?? ''] : given;
};

const content = z.object({ 'application/json': z.object({ schema: z.unknown() }).optional() });
const shape = z.object({
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.object({ required: z.boolean().default(false), content }).optional(),
  responses: loose,
});
const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  'x-multi-segment': z.boolean().optional(),
  schema: z.unknown(),
});

function operationOf(line: string): Operation {
  const [method = '', path = ''] = line.split(' ');
  const given = shape.parse(api.paths[path]?.[method.toLowerCase()]);
  const parameters = given.parameters
    .map((one) => parameter.parse(resolved(one, api.components.parameters)))
    .flatMap(({ 'x-multi-segment': several, in: place, schema: value, ...rest }) =>
      place === 'header'
        ? []
        : [
            {
              ...rest,
              in: place,
              ...(several ? { several } : {}),
              schema: schema.parse(distilled(value, true)),
            },
          ],
    );
  const body = given.requestBody?.content['application/json']?.schema;
  const answers = Object.entries(given.responses).flatMap(([status, answer]) => {
    const { data } = z.object({ content }).safeParse(resolved(answer, api.components.responses));
    const value = data?.content['application/json']?.schema;
    return !status.startsWith('2') || value === undefined
      ? []
      : [[status, schema.parse(distilled(value, false))]];
  });
  return {
    parameters,
    ...(body === undefined
      ? {}
      : {
          body: {
            required: given.requestBody?.required ?? false,
            schema: schema.parse(distilled(body, true)),
          },
        }),
    answers: Object.fromEntries(answers),
  };
}

const result = description.parse({
  source: `@octokit/openapi ${version}, generated/api.github.com.json, distilled by distil.ts`,
  license: read('LICENSE').trim(),
  operations: Object.fromEntries(operations.map((line) => [line, operationOf(line)])),
  schemas: Object.fromEntries(used),
});
const entries = (values: object): string =>
  Object.entries(values)
    .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(',\n');
const text = `{
  "source": ${JSON.stringify(result.source)},
  "license": ${JSON.stringify(result.license)},
  "operations": {\n${entries(result.operations)}\n  },
  "schemas": {\n${entries(result.schemas)}\n  }
}
`;
writeFileSync(new URL('github-api.json', import.meta.url), text);
process.stdout.write(
  `${String(operations.length)} operations, ${String(used.size)} schemas, ${String(text.length)} bytes\n`,
);
