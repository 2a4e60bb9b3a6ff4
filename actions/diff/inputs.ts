import { z } from 'zod';
import { evidenceInputs } from '../kit/releases/evidence-inputs.ts';
import { choice, flag, lines, optionalCount, secret, text } from '../kit/inputs/input-field.ts';
import { namedCommit } from '../kit/inputs/named-commit.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';
import { cacheFolder } from '../kit/inputs/cache-folder.ts';

export const diffInputs = z.object({
  'working-directory': platformInputs['working-directory'],
  files: lines(
    'Test files, pipelines, folders or globs, relative to the project, one per line. Default: all tests of the project.',
  ),
  filter: text('Only tests whose name contains this text.'),
  jobs: optionalCount(
    'Number of tests that run at the same time. Default: the number of processors, at most 4.',
  ),
  cache: cacheFolder,
  commit: namedCommit('compare'),
  base: text(
    'Commit id to compare with. Default: for a pull request, the commit into which it would be merged; for a push, the commit before it.',
  ),
  'fail-on': choice(
    ['never', 'change'],
    'never',
    'With `change`, the step fails if data changes or a test cannot be compared',
  ),
  affected: flag(
    true,
    'Also report which pipelines, tests and readers of changed columns the change affects.',
  ),
  comment: choice(
    ['auto', 'off'],
    'auto',
    'Keep one comment on the pull request, if the token has `pull-requests: write`',
  ),
  'github-token': secret('Token for GitHub’s API.', '${{ github.token }}'),
  ...evidenceInputs,
  engine: text('Folder whose `node_modules` contains the engine, the package that runs pipelines.'),
  'npm-status': text('Exit code of npm, if it installed the engine.'),
});
