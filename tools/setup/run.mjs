#!/usr/bin/env node
import { prepare } from './prepare.mjs';
import { tasks } from './tasks.mjs';
import { SetupError } from './setup-error.mjs';

const [name = '', ...args] = process.argv.slice(2);
const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;

try {
  if (task === undefined) {
    throw new SetupError(`Unknown task "${name}".`, `Use one of: ${Object.keys(tasks).join(', ')}.`);
  }
  const tools = await prepare(task);
  process.exitCode = await task.run(tools, args);
} catch (error) {
  process.stderr.write(`${error instanceof SetupError ? error.message : error.stack}\n`);
  process.exitCode = 2;
}
