import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';

// Reads and parses all pipelines of a folder, as the reference for what reads them.
const [folder = ''] = process.argv.slice(2);
for (const file of globSync('**/*.{orch,tran}.yaml', { cwd: folder }))
  parse(readFileSync(path.join(folder, file), 'utf8'));
