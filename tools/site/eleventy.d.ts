/** The part of Eleventy that the site uses; the package has no types. */
declare module '@11ty/eleventy' {
  import type { MarkdownIt } from './markdown.ts';

  export interface EleventyConfig {
    amendLibrary(name: 'md', change: (library: MarkdownIt) => void): void;
    /** Adds a page whose file is `file` in the input folder, although it does not exist. */
    addTemplate(file: string, content: string, data: object): void;
    addTransform(
      name: string,
      transform: (this: { readonly page: { readonly url: string } }, content: string) => string,
    ): void;
  }

  /** Folders are relative to the current folder. */
  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {
        readonly quietMode: boolean;
        readonly configPath: null;
        readonly config: (config: EleventyConfig) => void;
      },
    );
    /** Writes all pages; rejects at an error in one. */
    write(): Promise<unknown>;
  }
}
