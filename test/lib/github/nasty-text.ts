import * as fc from 'fast-check';

/** Text composed of harmful parts. */
export const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '::',
        '##[',
        'error',
        'add-mask',
        ']',
        '\n',
        '\r',
        '\u2028',
        '|',
        '@',
        'octocat',
        '<!--',
        '-->',
      ),
      fc.constantFrom(
        '`',
        '[a](http://x)',
        '<b>',
        '\u001B[31m',
        '\\',
        'http://',
        'www.',
        '#1',
        'GH-1',
        '$x$',
        ' ',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
  )
  .map((parts) => parts.join(''));
