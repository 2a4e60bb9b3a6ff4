import { z } from 'zod';
import { evidenceInputs } from '../kit/releases/evidence-inputs.ts';
import {
  choice,
  duration,
  flag,
  lines,
  optionalCount,
  optionalPercent,
  secret,
  text,
} from '../kit/inputs/input-field.ts';
import { namedCommit } from '../kit/inputs/named-commit.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';
import { cacheFolder } from '../kit/inputs/cache-folder.ts';

export const testInputs = z.object({
  'working-directory': platformInputs['working-directory'],
  files: lines(
    'Test files, pipelines, folders or globs, relative to the project, one per line. Default: all tests of the project.',
  ),
  filter: text('Only tests whose name contains this text.'),
  commit: namedCommit('test'),
  jobs: optionalCount(
    'Number of tests that run at the same time, in as many processes. Default: the number of processors, and at most one for each GiB of memory.',
  ),
  shard: text(
    'Only one part of the tests, such as `2/8`, for a job of a matrix. The step leaves a blob at `blob-path`; a later job with `blobs` reports all parts.',
  ),
  durations: text(
    'With `shard`: file of durations, relative to the project, so that all parts take about the same time. All parts need the same file. Default: every test counts the same.',
  ),
  blobs: text(
    'Folder with the blobs of all shards, relative to the workspace. The action merges them in place of running tests.',
  ),
  cache: cacheFolder,
  coverage: flag(true, 'Report the components, transitions and branches that no test reached.'),
  compile: choice(
    ['warn', 'fail', 'off'],
    'warn',
    'Find columns that pipelines read and no pipeline of the project writes: `warn` shows them as warnings, `fail` also fails the step.',
  ),
  mutate: flag(
    false,
    'On a pull request and in the merge queue, also plant small changes into the changed components, one at a time, and report those that no test notices. Runs nothing that the tests do not run.',
  ),
  'mutate-budget': duration('2m', 'With `mutate`: plant no more changes after this time.'),
  'mutate-max': optionalCount(
    'With `mutate`: plant at most this many changes. Default: as many as `mutate-budget` allows.',
  ),
  'mutate-threshold': optionalPercent(
    'With `mutate`: fail the step if the tests notice less than this percentage of the planted changes. Default: planted changes do not fail the step.',
  ),
  'mutation-report': text(
    'File with the report of `millrace test --mutate --format json` of an earlier step, relative to the workspace, for the signed evidence.',
  ),
  'github-token': secret('Token for GitHub’s API, to store signed evidence.', '${{ github.token }}'),
  ...evidenceInputs,
  engine: text('Folder whose `node_modules` contains the engine, the package that runs pipelines.'),
  'npm-status': text('Exit code of npm, if it installed the engine.'),
});
