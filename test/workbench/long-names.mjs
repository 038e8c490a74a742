// A tool with names, texts and values that are as long as they may be, for the tests and screenshots of the page.
const WORD = 'averylongnamewithoutanyplacewherealinecouldend'.repeat(2).slice(0, 60);

export function register(api) {
  api.registerTool({
    name: 'long.names',
    title: 'A tool whose title is so long that it does not fit into one line of the list, nor of most screens',
    description: [
      'The first sentence says what it does, at some length, as descriptions for models do.',
      'Then there are rules. '.repeat(30),
      `https://example.invalid/${WORD.repeat(3)}`,
    ].join('\n\n'),
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        [WORD]: {
          type: 'string',
          description: `A name without spaces. ${WORD.repeat(2)}`,
          examples: [WORD.repeat(2)],
        },
        rows: {
          type: 'array',
          description: 'Rows',
          items: { type: 'object', properties: { [WORD]: { type: 'integer' }, on: { type: 'boolean' } } },
        },
        choice: { enum: ['one', WORD.repeat(2)], description: 'One of two' },
      },
    },
    run: (_, { logger }) => {
      logger.info(WORD.repeat(5));
      const list = Array.from({ length: 30 }, (_, index) => ({ index, [WORD]: WORD }));
      return {
        content: `A line: ${WORD.repeat(8)}\n${'words and words '.repeat(40)}`,
        structuredContent: { [WORD]: { text: WORD.repeat(6), list } },
      };
    },
  });
}
