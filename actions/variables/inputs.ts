import { z } from 'zod';
import { choice, flag, requiredLines } from '../kit/input-field.ts';
import { platformInputs } from '../kit/platform-inputs.ts';

export const variablesInputs = z.object({
  ...platformInputs,
  files: requiredLines(
    'YAML files of variables, relative to the project, one a line; `*` and `**` are understood.',
  ),
  mode: choice(
    ['auto', 'plan', 'apply'],
    'auto',
    'What to do: `plan` says what would change, `apply` changes it, `auto` applies on a push to the default branch and plans on everything else',
  ),
  prune: flag(false, 'Delete what the files do not have.'),
  'exit-code': flag(false, 'A plan fails the step where something would change.'),
});
