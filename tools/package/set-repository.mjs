import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * Writes where the package comes from into package.json: `repository`, `homepage` and `bugs`. The release workflow runs it, because only
 * there the repository is known; npm compares `repository` with the workflow that publishes.
 */
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
if (!server || !/^[\w.-]+\/[\w.-]+$/.test(repository ?? '')) {
  process.stderr.write(
    'GITHUB_SERVER_URL and GITHUB_REPOSITORY are not set: this runs in a workflow of GitHub.\n',
  );
  process.exit(2);
}
const file = path.resolve('package.json');
const url = `${server}/${repository}`;
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const origin = {
  homepage: `${url}#readme`,
  repository: { type: 'git', url: `git+${url}.git` },
  bugs: { url: `${url}/issues` },
};
writeFileSync(file, `${JSON.stringify({ ...manifest, ...origin }, null, 2)}\n`);
