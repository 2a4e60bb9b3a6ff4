import { cpSync, globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import process from 'node:process';
import Eleventy from '@11ty/eleventy';
import MiniSearch from 'minisearch';
import { deadLinks } from './check-links.ts';
import { layout } from './layout.ts';
import { adaptMarkdown, type SearchSection } from './markdown.ts';
import { copiedGlobs, readNavigation, readPages, siteLink } from './site-pages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const site = path.join(root, '.millrace/site');

// An empty folder: every template is one of the pages, and Eleventy reads no other file.
const input = path.join(site, '.input');
rmSync(site, { recursive: true, force: true });
mkdirSync(input, { recursive: true });
process.chdir(root);

const pages = readPages(root);
const groups = readNavigation(pages);
const sections: SearchSection[] = [];
const templateOf = (source: string) => `./.millrace/site/.input/${source}`;
const byTemplate = new Map(pages.map((page) => [templateOf(page.source), page]));
const byUrl = new Map(pages.map((page) => [`/${page.url.replace(/(^|\/)index\.html$/, '$1')}`, page]));

const eleventy = new Eleventy(path.relative(root, input), path.relative(root, site), {
  quietMode: true,
  configPath: null,
  config(config) {
    config.amendLibrary('md', (library) => {
      adaptMarkdown(library, {
        pageOf: (template) => byTemplate.get(template),
        linkOf: (page, link) => siteLink(root, pages, page, link),
        onSections: (pageSections) => void sections.push(...pageSections),
      });
    });
    for (const { source, text, url } of pages)
      config.addTemplate(source, text, { permalink: url, templateEngineOverride: 'md' });
    config.addTransform('layout', function (content) {
      const page = byUrl.get(this.page.url);
      if (page === undefined) throw new Error(`no page has the address ${this.page.url}`);
      return layout(page, content, groups);
    });
  },
});
await eleventy.write();
rmSync(input, { recursive: true });

for (const file of copiedGlobs.flatMap((glob) => globSync(glob, { cwd: root })))
  if (statSync(path.join(root, file)).isFile() && !file.endsWith('.md'))
    cpSync(path.join(root, file), path.join(site, file));
const assets = path.join(site, 'assets');
cpSync(path.join(import.meta.dirname, 'assets'), assets, { recursive: true });
cpSync(fileURLToPath(import.meta.resolve('minisearch')), path.join(assets, 'minisearch.js'));

const index = new MiniSearch({
  fields: ['heading', 'page', 'text'],
  storeFields: ['page', 'heading', 'start'],
});
index.addAll(sections.map((section) => ({ ...section, start: section.text.trim().slice(0, 140) })));
writeFileSync(path.join(assets, 'search-index.json'), JSON.stringify(index));

const dead = deadLinks(site);
console.log(`.millrace/site/: ${pages.length} pages, ${sections.length} sections in the search`);
if (dead.length > 0) {
  console.error(`${dead.join('\n')}\n${dead.length} dead links`);
  process.exitCode = 1;
}
