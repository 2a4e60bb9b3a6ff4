import type { World } from '../../world/world.ts';
import type { Markup } from '../../../lib/html/markup.ts';

/** A request for a page of the inspector. */
export interface Question {
  readonly url: string;
  /** The last step of the path, if the page exists once for each object. */
  readonly id: string;
  /** Without `format`. */
  readonly query: Readonly<Record<string, unknown>>;
}

/** A page of the inspector: its facts as JSON, and how a browser shows them. */
export interface Page<Data> {
  /** Below `/_platform`. */
  readonly path: string;
  /** @throws Refusal */
  read(world: World, question: Question): Data | Promise<Data>;
  title(data: Data): string;
  show(data: Data, world: World, question: Question): Markup;
  /** Whether the page stays as it is, so that no script asks for it again. */
  isStill?(question: Question): boolean;
}

/** A page without the type of its data, so that pages can be in one list. */
export interface AnyPage {
  readonly path: string;
  answer(world: World, question: Question): Promise<Answered>;
}

export interface Answered {
  readonly data: unknown;
  readonly title: string;
  readonly isLive: boolean;
  /** Made only if a browser asks. */
  show(): Markup;
}

export function definePage<Data>({ path, read, title, show, isStill }: Page<Data>): AnyPage {
  return {
    path,
    async answer(world, question) {
      const data = await read(world, question);
      return {
        data,
        title: title(data),
        isLive: isStill?.(question) !== true,
        show: () => show(data, world, question),
      };
    },
  };
}
