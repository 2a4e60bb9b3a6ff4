/** A JSON null as a whole value of a semi-structured column. It differs from an SQL NULL, which is null. */
export class JsonNull {
  readonly text = 'null';
}

export const jsonNull = new JsonNull();
