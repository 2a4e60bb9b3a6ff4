import process from 'node:process';
import { installedDuckdb } from '../../../engine/index.ts';
import { version } from '../../../lib/core/values/version.ts';

/**
 * A text for everything outside the project's files that can influence the result of a test (versions of Millrace,
 * engine and Python). Undefined without the engine's package; then the tests run, and report what is missing.
 */
export function programKey({
  code,
  packages,
  python,
}: {
  /** A digest of Millrace's own code. */
  readonly code: string;
  /** As `packages` of a test run. */
  readonly packages?: string | undefined;
  /** The interpreter that Python components may run with. */
  readonly python: string | undefined;
}): string | undefined {
  const engine = installedDuckdb(packages);
  if (engine === undefined) return undefined;
  const machine = [process.version, process.platform, process.arch];
  return JSON.stringify([version, code, engine, ...machine, python ?? null]);
}
