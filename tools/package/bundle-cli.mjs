import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { rolldown } from 'rolldown';
import { bundleLicences } from '../actions/bundle-licences.ts';

/**
 * Bundles the compiled command line in a folder like `build/`: it reads fewer and smaller files at its start (decision 025).
 * `cli/main.js` stays as it is and loads the bundle. Modules that nothing else imports are removed.
 */
const build = path.resolve(process.argv[2] ?? 'build');
const target = path.join(build, 'cli');

/** The modules that `cli/main.js` loads or starts as a process, and that the bundle replaces. */
const bundled = ['cli/run-cli', 'cli/kit/as-failure', 'flows/pipeline-tests/run/job-process'];

/** What is started or imported on its own, without the bundle: the exports of package.json, and a thread of the worker. */
const otherEntries = [
  'client/index',
  'platform/index',
  'cli/main',
  'worker/intake/receiver/parse-large-body',
];

/** Packages with many files, which nearly every command loads. All others stay in node_modules. */
const bundledPackages = ['commander', 'js-yaml', 're2js', 'yaml', 'zod'];
const { dependencies, optionalDependencies } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'),
);
const otherPackages = Object.keys({ ...dependencies, ...optionalDependencies }).filter(
  (name) => !bundledPackages.includes(name),
);
/**
 * What is loaded together becomes one file, with all that it imports. First what every start loads; then what the help of
 * several commands needs, and what nearly every command needs when it runs; then a local review, because it must be fast as a git hook. All else is split by who imports it.
 */
const together = [
  { name: 'start', tags: ['$initial'] },
  {
    name: 'command',
    modules: [
      'cli/kit/command',
      'cli/publish/release-target',
      'cli/kit/write-file-atomically',
      'lib/core/text/table-lines',
      'lib/core/text/number-of',
      'lib/core/ports/time-limits',
      'lib/git/process/git-version',
      'lib/pipelines/model/calls',
    ],
  },
  { name: 'session', modules: ['cli/kit/session'] },
  {
    name: 'review',
    modules: [
      'cli/review/review-output',
      'cli/review/review-request',
      'cli/review/warn-of-nested-projects',
      'cli/terminal/paint',
      'flows/review/review-locally',
      'lib/git/work-tree/work-copy',
    ],
  },
];
const groups = together.map(({ name, tags, modules }, index) => {
  const ids = modules?.map((module) => path.join(build, `${module}.js`));
  const missing = ids?.filter((id) => !existsSync(id)) ?? [];
  if (missing.length > 0) throw new Error(`There is no module ${missing.join(', ')} to bundle.`);
  // What starts a process of its own must not run in the one of the command.
  const chosen =
    ids === undefined
      ? { tags, test: (id) => !/[/\\](?:start-)?job-process\.js$/.test(id) }
      : { test: (id) => ids.includes(id) };
  return { name, priority: together.length - index, ...chosen };
});
const isOutside = (id) =>
  isBuiltin(id) || otherPackages.some((name) => id === name || id.startsWith(`${name}/`));

/** Modules that read files beside them still find them: the bundle names the place of the original module. */
const top = 'MILLRACE_BUILD_FOLDER';
const keepPlaces = {
  name: 'keep-places',
  transform(code, id) {
    if (!code.includes('import.meta.') || !id.startsWith(`${build}${path.sep}`)) return null;
    const file = path.relative(build, id).split(path.sep).join('/');
    return code
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${top}/${path.posix.dirname(file)}')`)
      .replaceAll('import.meta.url', `new URL('${top}/${file}', import.meta.url).href`);
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(top, path.posix.relative(path.posix.dirname(fileName), '.')),
};

const bundle = await rolldown({
  input: Object.fromEntries(bundled.map((name) => [name, path.join(build, `${name}.js`)])),
  platform: 'node',
  external: isOutside,
  plugins: [keepPlaces],
  logLevel: 'silent',
});
const { output } = await bundle.generate({
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'cli/part-[name]-[hash].js',
  codeSplitting: { groups },
  // Names stay, for stack traces and for messages with the name of a class.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
const files = new Set(output.map(({ fileName }) => fileName));
const unknown = output.flatMap(({ imports }) => imports).filter((id) => !files.has(id) && !isOutside(id));
if (unknown.length > 0) throw new Error(`The bundle imports what no user has: ${unknown.join(', ')}`);

for (const name of readdirSync(target)) {
  if (!name.startsWith('main.')) rmSync(path.join(target, name), { recursive: true });
}
removeUnused();
for (const { fileName, code } of output) {
  mkdirSync(path.dirname(path.join(build, fileName)), { recursive: true });
  writeFileSync(path.join(build, fileName), code);
}
const modules = output.flatMap(({ moduleIds }) => moduleIds.map((identifier) => ({ identifier })));
writeFileSync(path.join(target, 'licenses.txt'), bundleLicences({ modules }));

/** Removes the modules and types that no entry imports: they are in the bundle. */
function removeUnused() {
  const used = new Set();
  const walk = (file) => {
    if (used.has(file) || !existsSync(file)) return;
    used.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(/(?:from |import |import\()['"](\.[^'"]+)['"]/g);
    for (const [, specifier] of imports) {
      const imported = path.resolve(path.dirname(file), specifier);
      walk(file.endsWith('.d.ts') ? imported.replace(/\.[jt]s$/, '.d.ts') : imported);
    }
  };
  for (const entry of otherEntries) for (const end of ['.js', '.d.ts']) walk(path.join(build, entry + end));
  for (const file of readdirSync(build, { recursive: true })) {
    const place = path.join(build, file);
    if (/\.(?:js|d\.ts)$/.test(file) && !used.has(place)) rmSync(place);
  }
}
