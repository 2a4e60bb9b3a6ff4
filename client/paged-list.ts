import type { Failure } from '../lib/core/failure.ts';

/** The envelope of spec §2. */
export interface Envelope {
  readonly page: number;
  readonly results: readonly unknown[];
  readonly size: number;
  readonly total: number;
}

/**
 * A list that is asked for only when it is used: `await` gives the page that the input names (the first by
 * default) as any promise does, `for await` all items from there on, `pages()` page by page.
 */
export interface PagedList<Page, Item> extends Promise<Page>, AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
}

interface PagedListParts<Page extends Envelope> {
  readonly firstPage: number;
  fetchPage(page: number): Promise<Page>;
  /** The error for a platform that answers another page than was asked for. */
  wrongPage(asked: number, answered: number): Failure;
}

/** After so many empty pages in succession a list ends, whatever its total says. */
const patience = 3;

export function createPagedList<Page extends Envelope, Item>(
  parts: PagedListParts<Page>,
): PagedList<Page, Item> {
  let first: Promise<Page> | undefined;

  async function* pages(): AsyncGenerator<Page> {
    let size = 0;
    let empty = 0;
    let seen = 0;
    for (let number = parts.firstPage; ; number += 1) {
      const page = await parts.fetchPage(number);
      // Going on would yield the same items for ever.
      if (page.page !== number) throw parts.wrongPage(number, page.page);
      yield page;
      empty = page.results.length === 0 ? empty + 1 : 0;
      // Some deployments answer the number of items as `size`, so that the last, short page would look endless.
      size = Math.max(size, page.size, page.results.length);
      seen += page.results.length;
      if (empty >= patience) return;
      // Others answer the size that was asked for and put fewer on a page: only an empty one is then the end.
      const isFull = size * parts.firstPage + seen >= page.total || page.results.length === 0;
      if (isFull && size * (number + 1) >= page.total) return;
    }
  }

  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* page.results as readonly Item[];
  }

  const firstPage = (): Promise<Page> => (first ??= parts.fetchPage(parts.firstPage));

  return {
    // Thenable on purpose: `await client.projects.list()` is the first page.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (resolve, reject) => firstPage().then(resolve, reject),
    catch: (reject) => firstPage().catch(reject),
    finally: (settled) => firstPage().finally(settled),
    pages,
    [Symbol.asyncIterator]: items,
    [Symbol.toStringTag]: 'PagedList',
  };
}
