import { describe, expect, test } from 'vitest';
import { configSchemas } from '../../../lib/config/config-schemas.ts';

describe('the JSON Schemas for editors', () => {
  const schemas = configSchemas();

  test('describe the input, with the file’s own keys and defaults', () => {
    expect(schemas['millrace.schema.json']).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'millrace.yaml',
      required: ['version'],
      additionalProperties: false,
      properties: {
        'config-dir': { default: '.platform' },
        review: {
          properties: { 'fail-on': { default: 'error', enum: ['error', 'warning', 'notice', 'never'] } },
        },
        lanes: { items: { required: ['name', 'from', 'to'], properties: { policy: { default: 'latest' } } } },
      },
    });
    expect(schemas['worker.schema.json']).toMatchObject({
      title: 'worker.yaml',
      required: ['version', 'credentials', 'repositories'],
      additionalProperties: false,
    });
  });

  test('are plain data, equal at every call', () => {
    expect(configSchemas()).toEqual(schemas);
    expect(JSON.parse(JSON.stringify(schemas))).toEqual(schemas);
  });
});
