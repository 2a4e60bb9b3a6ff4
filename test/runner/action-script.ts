import { basename, join } from 'node:path';
import process from 'node:process';

/** A folder with the scripts of the actions that run their sources: `npm run test:coverage` makes it. */
const fromSources = process.env['MILLRACE_TEST_ACTION_SCRIPTS'];

/** The script to start: the shipped one, or under coverage the one that runs the sources. */
export function actionScript(shipped: string): string {
  return fromSources === undefined ? shipped : join(fromSources, basename(shipped));
}

/** The same for the commands of a composite action. */
export function withActionScripts(commands: string): string {
  return fromSources === undefined
    ? commands
    : commands.replaceAll('$GITHUB_ACTION_PATH/../../dist/', `${fromSources}/`);
}
