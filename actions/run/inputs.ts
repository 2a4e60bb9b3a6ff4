import { z } from 'zod';
import { deploymentInputs } from '../kit/releases/deployment-record.ts';
import { choice, duration, flag, lines, text } from '../kit/inputs/input-field.ts';
import { platformInputs } from '../kit/inputs/platform-inputs.ts';

export const runInputs = z.object({
  ...platformInputs,
  pipeline: text(
    'Published pipeline to execute, with or without its suffix. Required, except with `attach`.',
  ),
  environment: text('Environment to run in. Required, except with `attach`.'),
  version: text('Version to run. Default: the newest enabled version of the environment.'),
  tag: text(
    'Execution tag. Default: built from project, environment and pipeline. Only one execution per tag runs at a time.',
  ),
  variables: lines('Values of scalar variables, one `name=value` per line.'),
  attach: text('Id of an execution to wait for, instead of starting one.'),
  wait: flag(true, 'Wait until the execution ends.'),
  timeout: duration('1h', 'Time limit for start and wait together.'),
  'on-timeout': choice(
    ['terminate', 'detach'],
    'terminate',
    'What to do with the execution at the time limit',
  ),
  'on-cancel': choice(
    ['terminate', 'detach'],
    'terminate',
    'What to do with the execution if the workflow is cancelled',
  ),
  'on-conflict': choice(
    ['fail', 'wait', 'skip'],
    'fail',
    'What to do if an execution with the tag is already running',
  ),
  ...deploymentInputs,
  'dry-run': flag(false, 'Only show what would happen.'),
});
