import { z } from 'zod';
import { choice, flag, requiredLines, secret } from '../kit/inputs/input-field.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';

export const variablesInputs = z.object({
  ...platformInputs,
  files: requiredLines(
    'YAML files with variables, relative to the project, one per line. `*` and `**` are supported.',
  ),
  mode: choice(
    ['auto', 'plan', 'apply'],
    'auto',
    '`plan` shows the changes, `apply` makes them, `auto` applies on a push to the default branch and plans otherwise',
  ),
  prune: flag(false, 'Delete variables and values that the files do not contain.'),
  comment: choice(
    ['off', 'auto'],
    'off',
    'Keep one comment with the plan on the pull request. The job needs `pull-requests: write`',
  ),
  'github-token': secret('Token for GitHub’s API, for the comment.', '${{ github.token }}'),
  'exit-code': flag(false, 'Fail the step if a plan has changes.'),
});
