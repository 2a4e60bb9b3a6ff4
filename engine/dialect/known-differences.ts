/** Where the engine behaves differently from a warehouse. `docs/engine.md` lists them. */
export const knownDifferences: readonly { readonly what: string; readonly here: string }[] = [
  {
    what: 'Timestamps with nanoseconds',
    here: 'They keep microseconds only.',
  },
  {
    what: 'Timestamps with a time zone keep the offset that they were written with',
    here: 'They keep the moment only; they are shown in UTC. The time zone of a session is always UTC.',
  },
  {
    what: 'SUM beyond 38 digits is an error',
    here: 'It fails too, as a conversion, with another message.',
  },
  {
    what: 'A decimal number in semi-structured data keeps up to 38 digits',
    here: 'Within a list or an object it keeps 15 digits; whole numbers keep all.',
  },
  {
    what: 'PARSE_JSON of an object that has a key twice is an error',
    here: 'The last value counts.',
  },
  {
    what: 'The object of an XML element also has the positions of its children, by their names',
    here: 'It has the name (`@`), the content (`$`) and the attributes (`@name`) only; tests write it so. FLATTEN and OBJECT_KEYS of an element are refused: use TO_ARRAY of its content.',
  },
  {
    what: 'The XML text of an element without content, and the words of CHECK_XML, are not documented',
    here: 'The text is `<a></a>`; attributes are in the order of their names. CHECK_XML has words of its own.',
  },
  {
    what: 'Two tables, views or columns may have names that differ in case only',
    here: 'The second one is refused.',
  },
  {
    what: 'Primary, unique and foreign keys are recorded, and not enforced',
    here: 'They are not enforced either, and not recorded.',
  },
  {
    what: 'An array aggregate or a window without a complete order may give another order in each run',
    here: 'The order is the same in each run, but is arbitrary too.',
  },
  {
    what: 'A failed CREATE OR REPLACE may leave no table',
    here: 'The old table stays.',
  },
];
