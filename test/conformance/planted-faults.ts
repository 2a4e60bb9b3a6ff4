import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A place of the local platform that is made wrong, and the test that must notice. */
interface PlantedFault {
  readonly what: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly right: string;
  readonly wrong: string;
  /** A point of `points.ts` whose test must fail. */
  readonly point: string;
}

const faults: readonly PlantedFault[] = [
  {
    what: 'a tag that is running does not refuse a second start',
    file: 'platform/operations/start-pipeline.ts',
    right: 'if (tag !== undefined && isBusy(',
    wrong: 'if (tag === "" && isBusy(',
    point: '§4.4 rule 2',
  },
  {
    what: 'the latest version may be a disabled one',
    file: 'platform/operations/shared-versions.ts',
    right: 'WHERE prefix = ? AND enabled = 1 ORDER BY',
    wrong: 'WHERE prefix = ? AND enabled < 2 ORDER BY',
    point: '§2.11 [Latest] is the most recent enabled version',
  },
  {
    what: 'the latest version of an environment is its oldest',
    file: 'platform/operations/deployments.ts',
    right: 'ORDER BY seq DESC LIMIT 1',
    wrong: 'ORDER BY seq ASC LIMIT 1',
    point: '§4.4 rule 1',
  },
  {
    what: 'versionName=latest is understood',
    file: 'platform/operations/shared-versions.ts',
    right: 'if (version === undefined)\n    return',
    wrong: "if (version === undefined || version === 'latest')\n    return",
    point: '§4.8 rule 1',
  },
  {
    what: 'a variable can be changed without naming its behaviour',
    file: 'lib/contract/resources/variable.ts',
    right: 'export const variableChange = z.strictObject({\n  type,\n  behaviour,',
    wrong: 'export const variableChange = z.strictObject({\n  type,\n  behaviour: behaviour.optional(),',
    point: '§4.6 type and behaviour on every change',
  },
  {
    what: 'an override of a wrong type is applied',
    file: 'platform/operations/overrides.ts',
    right: 'if (fits(variable.type, value)) return undefined;',
    wrong: 'if (fits(variable.type, value) || true) return undefined;',
    point: '§4.6 rule 2',
  },
  {
    what: 'the deletion of one override takes the others',
    file: 'platform/operations/overrides.ts',
    right: "'DELETE FROM variable_override WHERE variable_id = ? AND environment_name = ?'",
    wrong: "'DELETE FROM variable_override WHERE variable_id = ? AND environment_name != ?'",
    point: 'DELETE /v1/projects/{projectId}/variables/{variableName}/environment-overrides/{environmentName}',
  },
  {
    what: 'the audit log keeps entries for ever',
    file: 'platform/operations/audit.ts',
    right: 'const windowMs = 90 *',
    wrong: 'const windowMs = 9000 *',
    point: '§6 ninety days',
  },
  {
    what: 'an Admin may read the audit log',
    file: 'lib/contract/areas/audit.ts',
    right: "role: 'superAdmin'",
    wrong: "role: 'admin'",
    point: '§5 rule 4',
  },
  {
    what: 'a rule that fails at warn fails the review',
    file: 'lib/pipelines/review-files.ts',
    right: "status === 'FAILED' && enforcementLevel === 'error'",
    wrong: "status === 'FAILED' && enforcementLevel !== undefined",
    point: '§2.8 reviewStatus follows the enforcement',
  },
  {
    what: 'a termination is answered and not carried out',
    file: 'platform/operations/executions.ts',
    right: 'world.executions.terminate(state.id, body.forceUpdate);',
    wrong: 'world.executions.find(project.id, state.id);',
    point: '§3.2 terminate',
  },
  {
    what: 'a page holds 24 where nothing is asked for',
    file: 'platform/store/page.ts',
    right: 'size = 25',
    wrong: 'size = 24',
    point: '§4.6 default page and size',
  },
  {
    what: 'the access level runner may publish',
    file: 'platform/operations/needed-levels.ts',
    right: "'artifacts.create': ({ headers }) => [{ environment: headers.environmentName, level: 'admin' }]",
    wrong: "'artifacts.create': ({ headers }) => [{ environment: headers.environmentName, level: 'runner' }]",
    point: '§2.3 runner',
  },
  {
    what: 'an environment without access is listed',
    file: 'platform/world/access-level.ts',
    right: "const visible = levels.filter(({ level }) => level !== 'noAccess');",
    wrong: 'const visible = levels;',
    point: '§2.3 noAccess',
  },
  {
    what: 'access levels in hidden environments do not count for the project',
    file: 'platform/operations/needed-levels.ts',
    right: "find(({ level }) => !allows(level, 'admin'))",
    wrong: "find(({ level }) => level !== 'noAccess' && !allows(level, 'admin'))",
    point: '§2.3 writes of the project',
  },
  {
    what: 'the default access level of an environment has no effect',
    file: 'platform/world/access-level.ts',
    right: "assigned === 'default' ?",
    wrong: "assigned === '' ?",
    point: '§2.3 default',
  },
  {
    what: 'an environment takes any runner',
    file: 'platform/operations/environments.ts',
    right: '...(runner === undefined',
    wrong: "...(runner?.id === ''",
    point: '§2.3 runners',
  },
  {
    what: 'a paused runner runs what is started',
    file: 'platform/world/executions.ts',
    right: "if (runner?.state === 'running') return start(entry);",
    wrong: "if (runner?.state !== 'stopped') return start(entry);",
    point: '§2.3 a paused runner',
  },
  {
    what: 'the log has no entry of a disabled artifact',
    file: 'platform/operations/artifacts.ts',
    right: "...(enabled ? {} : { event: 'Artifact disabled' }),",
    wrong: '',
    point: '§6 an entry for each operation with a name',
  },
  {
    what: 'a streaming pipeline that is simulated does not say so',
    file: 'platform/world/streaming-status.ts',
    right: 'return { status, simulated: true };',
    wrong: 'return { status };',
    point: '§3.1 simulated',
  },
  {
    what: 'a streaming pipeline that only starts is not stopped',
    file: 'platform/world/streaming-status.ts',
    right: "const runs = status === 'starting' || ",
    wrong: 'const runs = ',
    point: '§3.1 commands that change nothing',
  },
  {
    what: 'streaming with an unreachable source is played',
    file: 'platform/world/captures.ts',
    right: "const isSimulated = seed.settings.streaming === 'simulate';",
    wrong: 'const isSimulated = seed.settings.streaming !== undefined;',
    point: '§3.1 a failed start',
  },
  {
    what: 'a streaming pipeline starts without its secret',
    file: 'platform/world/streaming-source.ts',
    right: 'if (secret === undefined) {',
    wrong: "if (secret === undefined) return '';\n  if (secret === null) {",
    point: '§2.5 a secret that does not resolve',
  },
  {
    what: 'the access level readOnly may start a streaming pipeline',
    file: 'platform/operations/needed-levels.ts',
    right: "'streamingPipelines.command': 'changes-project',",
    wrong: "'streamingPipelines.command': 'reads-project',",
    point: '§2.3 streaming pipelines',
  },
  {
    what: 'streaming pipelines of other projects are shown',
    file: 'platform/operations/streaming-pipelines.ts',
    right: 'FROM streaming_pipeline WHERE project_id = ? AND id = ?',
    wrong: 'FROM streaming_pipeline WHERE project_id != ? || 0 AND id = ?',
    point: '§4.2 unknown streaming pipelines',
  },
  {
    what: 'streaming has a status that is not documented',
    file: 'platform/world/streaming-status.ts',
    right: "return command === 'start' ? 'starting' : 'stopping';",
    wrong: "return command === 'start' ? 'beginning' : 'stopping';",
    point: '§3.1 statuses',
  },
  {
    what: 'that streaming is simulated is said by a text',
    file: 'platform/world/streaming-status.ts',
    right: 'return { status, simulated: true };',
    wrong: "return { status, simulated: 'yes' };",
    point: '§4.2 fields of the status',
  },
  {
    what: 'a streaming pipeline takes any runner',
    file: 'platform/operations/streaming-pipelines.ts',
    right: 'if (findRunner(world.store, world.seed, body.agentId) === undefined)',
    wrong: "if (body.agentId === '')",
    point: '§2.5 the streaming runner',
  },
  {
    what: 'a transformation of streaming is refused',
    file: 'lib/contract/resources/streaming-pipeline.ts',
    right: "openEnum(['CHANGE_LOG', 'COPY_TABLE', 'COPY_TABLE_SOFT_DELETE'])",
    wrong: "closedEnum(['CHANGE_LOG', 'COPY_TABLE'])",
    point: '§2.5 values of the target',
  },
];

/** `planted-faults.ts WORD …`: only the faults whose description contains one of the words. */
const words = process.argv.slice(2);
const chosen = faults.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word)));
if (chosen.length === 0) throw new Error(`No fault is described with ${words.join(' or ')}.`);

const clone = path.resolve(import.meta.dirname, '../..');
const parts = ['engine', 'lib', 'local-github', 'platform', 'test/conformance', 'test/environment'];

/** Runs the suite in a folder; gives its exit code and the titles of the tests that failed. */
async function runSuite(folder: string): Promise<{ code: number; failed: string[] }> {
  const report = path.join(folder, 'report.json');
  const child = spawn(
    process.execPath,
    [
      path.join(clone, 'node_modules/vitest/vitest.mjs'),
      'run',
      'test/conformance',
      '--exclude=**/coverage.test.ts',
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, MILLRACE_BASE_URL: '' } },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { message: string; assertionResults: { status: string; title: string }[] }[];
  };
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ title }) => title);
  // A file that cannot be loaded has no tests.
  const unloaded = testResults.filter(({ assertionResults }) => assertionResults.length === 0);
  return { code: code ?? 1, failed: [...failed, ...unloaded.map(({ message }) => message)] };
}

mkdirSync(path.join(clone, '.millrace'), { recursive: true });
const folder = mkdtempSync(path.join(clone, '.millrace', 'planted-'));
let wrong = 0;
try {
  for (const part of parts) cpSync(path.join(clone, part), path.join(folder, part), { recursive: true });
  for (const file of ['package.json', 'vitest.config.ts'])
    cpSync(path.join(clone, file), path.join(folder, file));
  const sound = await runSuite(folder);
  if (sound.code !== 0) throw new Error(`The suite fails without a fault: ${sound.failed.join('; ')}`);
  process.stdout.write('without a fault the suite passes\n');
  for (const { what, file, right, wrong: replacement, point } of chosen) {
    const place = path.join(folder, file);
    const text = readFileSync(place, 'utf8');
    if (text.split(right).length !== 2) throw new Error(`${file} does not hold once: ${right}`);
    writeFileSync(
      place,
      text.replace(right, () => replacement),
    );
    const { code, failed } = await runSuite(folder);
    writeFileSync(place, text);
    const noticed = code !== 0 && failed.some((title) => title.split(' — ')[0]?.split('; ').includes(point));
    if (!noticed) wrong += 1;
    process.stdout.write(
      `${noticed ? 'noticed' : 'NOT NOTICED'}: ${what} (${String(failed.length)} failed, ${point})\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(
  wrong === 0
    ? `all ${String(chosen.length)} faults were noticed\n`
    : `${String(wrong)} faults were not noticed\n`,
);
process.exitCode = wrong === 0 ? 0 : 1;
