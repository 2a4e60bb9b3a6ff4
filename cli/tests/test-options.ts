import { Failure } from '../../lib/core/errors/failure.ts';
import type { TestContext } from '../../flows/pipeline-tests/run/test-context.ts';
import type { CommonOptions } from '../kit/session.ts';
import type { PythonFlags } from './python-permission.ts';
import type { CacheFlags } from './test-cache.ts';
import { refuseFormat } from './refuse-format.ts';

/** The forms of the report of tests. */
export const formats = ['text', 'json', 'junit', 'markdown'] as const;

/** The options of `millrace test`. */
export interface TestOptions extends CommonOptions, PythonFlags, CacheFlags {
  readonly filter?: string;
  readonly jobs: number;
  readonly format?: (typeof formats)[number];
  readonly coverage?: boolean;
  readonly affected?: string;
  readonly list?: boolean;
  readonly watch?: boolean;
  readonly init?: string;
  readonly update?: boolean;
  readonly dryRun?: boolean;
}

/** What every mode of `millrace test` gets from the command line, besides its options. */
export interface TestArguments {
  /** Test files, pipelines, folders or globs; none for all tests. */
  readonly names: readonly string[];
  readonly context: TestContext;
}

/** Throws Failure 'usage' for options that have no effect together. */
export function refuseOptions({ json, format, init, update, dryRun, coverage }: TestOptions): void {
  if (dryRun === true && init === undefined && update !== true) {
    throw new Failure('usage', {
      message: '--dry-run has no effect without --init or --update.',
      where: { input: '--dry-run' },
      hint: 'Remove --dry-run, or add --init or --update. A plain test run changes no files.',
    });
  }
  refuseFormat({ json, format });
  if (format === 'junit' && coverage === true) {
    throw new Failure('usage', {
      message: '--coverage cannot be combined with --format junit, which has no place for it.',
      where: { input: '--coverage' },
      hint: 'Remove --coverage, or use --format json or markdown.',
    });
  }
  if (init !== undefined && update === true) {
    throw new Failure('usage', {
      message:
        '--init cannot be combined with --update: --init writes a new test, and --update changes existing tests.',
      where: { input: '--init' },
      hint: 'Remove --init or --update.',
    });
  }
}
