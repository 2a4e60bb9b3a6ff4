import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { house } from './house-files.ts';
import { folderRules } from './house-rules.ts';

interface LintConfig {
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: { readonly 'no-restricted-imports'?: [string, { patterns: [{ regex: string }] }] };
  }[];
}

const config = JSON.parse(readFileSync(join(house, '.oxlintrc.json'), 'utf8')) as LintConfig;
const folders = Object.keys(folderRules);

test.each(folders)('the linter holds %s/ to the same arrows as the walk, while one types', (folder) => {
  const override = config.overrides.find(
    ({ files, rules }) => files.includes(`${folder}/**/*.ts`) && rules['no-restricted-imports'] !== undefined,
  );
  const regex = new RegExp(override?.rules['no-restricted-imports']?.[1].patterns[0].regex ?? '^$');
  const allowed = [folder, ...(folderRules[folder]?.folders ?? [])];
  expect(folders.filter((target) => !regex.test(`../${target}/a.ts`)).toSorted()).toEqual(allowed.toSorted());
  expect(regex.test('../../nothing/a.ts')).toBe(false);
});
