import { z } from 'zod';
import { choice, duration, flag, lines, requiredText, text } from '../kit/input-field.ts';
import { platformInputs } from '../kit/platform-inputs.ts';

export const runInputs = z.object({
  ...platformInputs,
  pipeline: requiredText('Published pipeline to run, with or without its suffix.'),
  environment: requiredText('Environment to run it in.'),
  version: text('Version to run. Else the newest enabled one of the environment.'),
  tag: text(
    'Execution tag. Else made from project, environment and pipeline; one execution per tag runs at a time.',
  ),
  variables: lines('Scalar variables, one `name=value` a line.'),
  attach: text('Id of an execution to wait for; none is started then.'),
  wait: flag(true, 'Wait for the end; else start and go.'),
  timeout: duration('1h', 'How long start and wait may take together.'),
  'on-timeout': choice(
    ['terminate', 'detach'],
    'terminate',
    'What happens to the execution when the time is up',
  ),
  'on-cancel': choice(
    ['terminate', 'detach'],
    'terminate',
    'What happens to it when the workflow is cancelled',
  ),
  'on-conflict': choice(
    ['fail', 'wait', 'skip'],
    'fail',
    'What to do while an execution with the tag is running',
  ),
  'dry-run': flag(false, 'Say what would be done, and do nothing.'),
});
