import { z } from 'zod';
import { choice, flag, lines, optionalCount, text } from '../kit/inputs/input-field.ts';
import { namedCommit } from '../kit/inputs/named-commit.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';

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
  coverage: flag(true, 'Report the components, transitions and branches that no test reached.'),
  compile: choice(
    ['warn', 'fail', 'off'],
    'warn',
    'Find columns that pipelines read and no pipeline of the project writes: `warn` shows them as warnings, `fail` fails the step as false expectations do.',
  ),
  engine: text('Folder whose `node_modules` contains the engine, the package that runs pipelines.'),
  'npm-status': text('Exit code of npm, where it installed the engine.'),
});
