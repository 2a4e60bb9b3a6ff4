/** A JSON null that is the whole value of a semi-structured column. An SQL NULL is JavaScript's `null` instead. */
export class JsonNull {
  readonly text = 'null';
}

export const jsonNull = new JsonNull();
