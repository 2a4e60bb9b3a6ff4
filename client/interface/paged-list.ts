import type { Failure } from '../../lib/core/errors/failure.ts';

/** The envelope of spec §2. */
export interface Envelope {
  readonly page: number;
  readonly results: readonly unknown[];
  readonly size: number;
  readonly total: number;
}

/**
 * A list that sends requests only when it is used: `await` resolves to the page in the input (by default the first),
 * `for await` yields all items from that page on, `pages()` yields page by page.
 */
export interface PagedList<Page, Item> extends Promise<Page>, AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
}

interface PagedListParts<Page extends Envelope> {
  readonly firstPage: number;
  fetchPage(page: number): Promise<Page>;
  /** The error for a platform that answers with a page other than the requested one. */
  wrongPage(requested: number, answered: number): Failure;
}

/** After this number of consecutive empty pages a list ends, whatever its total is. */
const maxEmptyPages = 3;

export function createPagedList<Page extends Envelope, Item>(
  parts: PagedListParts<Page>,
): PagedList<Page, Item> {
  let first: Promise<Page> | undefined;

  async function* pages(): AsyncGenerator<Page> {
    let size = 0;
    let empty = 0;
    let listed = 0;
    for (let number = parts.firstPage; ; number += 1) {
      const page = await parts.fetchPage(number);
      // Continuing would yield the same items again and again.
      if (page.page !== number) throw parts.wrongPage(number, page.page);
      yield page;
      empty = page.results.length === 0 ? empty + 1 : 0;
      // Some deployments return the number of items as `size`; a short last page would then never look like the last.
      size = Math.max(size, page.size, page.results.length);
      listed += page.results.length;
      if (empty >= maxEmptyPages) return;
      // Others return the requested size but put fewer items on a page; then only an empty page is the end.
      const isFull = size * parts.firstPage + listed >= page.total || page.results.length === 0;
      if (isFull && size * (number + 1) >= page.total) return;
    }
  }

  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* page.results as readonly Item[];
  }

  const firstPage = (): Promise<Page> => (first ??= parts.fetchPage(parts.firstPage));

  return {
    // Thenable on purpose: `await client.projects.list()` resolves to the first page.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (resolve, reject) => firstPage().then(resolve, reject),
    catch: (reject) => firstPage().catch(reject),
    finally: (onFinally) => firstPage().finally(onFinally),
    pages,
    [Symbol.asyncIterator]: items,
    [Symbol.toStringTag]: 'PagedList',
  };
}
