/** Semi-structured data that is written already, as its one text: a row of many columns needs no map then. */
export class WrittenJson {
  readonly text: string;

  /** @param text as `writeJson` gives it */
  constructor(text: string) {
    this.text = text;
  }
}
