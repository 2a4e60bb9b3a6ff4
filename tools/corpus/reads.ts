import path from 'node:path';
import process from 'node:process';
import { findProjects, openProject } from './find-projects.ts';
import { readsWithDeclarations } from './reads-with-declarations.ts';

// How many reads of tables have known columns, without and with declared tables: `node tools/corpus/reads.ts FOLDER`.
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Usage: node tools/corpus/reads.ts FOLDER\n');
  process.exitCode = 2;
} else {
  for (const name of findProjects(folder)) {
    const project = openProject(path.join(folder, name));
    const { pipelines, before, after, tables } = await readsWithDeclarations(
      project,
      new AbortController().signal,
    );
    if (before.total > 0)
      process.stdout.write(
        `${name === '' ? '.' : name}: ${pipelines} pipelines; reads with known columns: ${before.bound} of ${before.total}; with ${tables} declared tables: ${after.bound} of ${after.total}\n`,
      );
  }
}
