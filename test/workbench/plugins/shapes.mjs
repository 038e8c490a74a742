// Tools that return each kind of result, and ask, log and fail, for the tests and screenshots of the page.
import { fail } from '@mortise/plugin';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';
const EMPTY = { type: 'object', properties: {} };

export function register(api) {
  api.registerTool({
    name: 'shapes.echo',
    title: 'Echo',
    description: 'Returns its arguments.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What to return' },
        count: { type: 'integer', minimum: 1, description: 'How often' },
        ratio: { type: 'number', description: 'Between 0 and 1', minimum: 0, maximum: 1, default: 0.5 },
        loud: { type: 'boolean', description: 'In capitals' },
        colour: {
          oneOf: [
            { const: 'r', title: 'Red' },
            { const: 'g', title: 'Green' },
          ],
          description: 'A colour',
        },
        tags: { type: 'array', items: { type: 'string' }, description: 'Words' },
        owner: {
          type: 'object',
          properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
          required: ['name'],
          description: 'A person',
        },
        labels: { type: 'object', additionalProperties: { type: 'string' }, description: 'Names with values' },
        target: {
          anyOf: [
            { title: 'By id', type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
            { title: 'By path', type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
          ],
          description: 'What is meant',
        },
        password: { type: 'string', format: 'password', description: 'A secret' },
        note: { type: ['string', 'null'], description: 'Text or null' },
      },
      required: ['text'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true },
    run: (args) => ({ content: `Echo: ${JSON.stringify(args)}`, structuredContent: args }),
  });
  api.registerTool({
    name: 'shapes.either',
    title: 'Either',
    description: 'Has a choice at its root.',
    inputSchema: {
      type: 'object',
      anyOf: [
        { title: 'A city', properties: { city: { type: 'string' } }, required: ['city'] },
        {
          title: 'A position',
          properties: { lat: { type: 'number' }, lon: { type: 'number' } },
          required: ['lat', 'lon'],
        },
      ],
    },
    run: (args) => ({ content: JSON.stringify(args), structuredContent: args }),
  });
  api.registerTool({
    name: 'shapes.blocks',
    title: 'Blocks',
    description: 'Returns text, an image, a resource and a link.',
    inputSchema: EMPTY,
    run: () => ({
      content: [
        { type: 'text', text: '<b>not bold</b> <script>alert(1)</script>' },
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'shapes://note', mimeType: 'text/plain', text: 'An embedded note.' } },
        { type: 'resource_link', uri: 'mortise://plugins', name: 'Plugins' },
      ],
    }),
  });
  api.registerTool({
    name: 'shapes.large',
    title: 'Large',
    description: 'Returns a list of about so many bytes.',
    inputSchema: {
      type: 'object',
      properties: { bytes: { type: 'integer', minimum: 1, description: 'How large' } },
      required: ['bytes'],
    },
    run: ({ bytes }) => ({
      content: 'A large list.',
      structuredContent: {
        rows: Array.from({ length: Math.ceil(bytes / 250) }, (_, id) => ({
          id,
          name: `row ${id}`,
          text: 'x'.repeat(205),
        })),
      },
    }),
  });
  api.registerTool({
    name: 'shapes.invalid',
    title: 'Off schema',
    description: 'Returns data that its output schema refuses.',
    inputSchema: EMPTY,
    outputSchema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
    run: () => ({ content: 'Seven', structuredContent: { total: 7 } }),
  });
  api.registerTool({
    name: 'shapes.ask',
    title: 'Ask',
    description: 'Asks a person before it answers.',
    inputSchema: {
      type: 'object',
      properties: { topic: { type: 'string', description: 'What it is about' } },
      required: ['topic'],
    },
    run: async ({ topic }, { input }) => {
      const { action, content } = await input.elicit('choice', {
        message: `What about ${topic}?`,
        schema: {
          type: 'object',
          properties: {
            answer: { type: 'string', enum: ['yes', 'no'] },
            reason: { type: 'string' },
            when: { type: 'string', default: 'noon' },
          },
          required: ['answer'],
        },
      });
      return { content: `${action}: ${JSON.stringify(content ?? {})}` };
    },
  });
  api.registerTool({
    name: 'shapes.visit',
    title: 'Visit',
    description: 'Asks a person to open a page.',
    inputSchema: EMPTY,
    run: async (_, { input }) => {
      const { action } = await input.elicitUrl('page', {
        message: 'Sign in, please.',
        url: 'https://example.invalid/sign-in',
      });
      return { content: action };
    },
  });
  api.registerTool({
    name: 'shapes.broken',
    title: 'Broken build',
    description: 'Fails as a build does: with diagnostics, tests, and what to do next.',
    inputSchema: EMPTY,
    run: () =>
      fail("The name 'x' does not exist in the current context", {
        errors: [
          {
            code: 'CS0103',
            category: 'Compilation',
            message: "The name 'x' does not exist in the current context",
            hint: 'Declare it, or correct the name.',
            suggestedFixes: ['Declare the variable x'],
            documentationUrl: 'https://example.invalid/cs0103',
            rawOutput: '',
            file: '/src/Shop/Cart.cs',
            line: 9,
            column: 4,
            recommendedAction: {
              actionKind: 'CallTool',
              description: 'echo the name',
              toolName: 'shapes_echo',
              arguments: { text: 'from the error' },
            },
          },
        ],
        structured: {
          passed: 5,
          failed: 1,
          skipped: 2,
          total: 8,
          durationMs: 1234,
          firstFailures: [
            {
              testName: 'Shop.Tests.CartTests.Adds',
              message: 'Expected 2, but got 3',
              stackTrace: 'at Shop.Tests.CartTests.Adds() in CartTests.cs:line 12',
            },
          ],
          warnings: [
            {
              code: 'CS0168',
              message: 'The variable is never used',
              severity: 'warning',
              file: '/src/Shop/Cart.cs',
              line: 7,
              column: 9,
              project: 'Shop.csproj',
            },
            {
              code: 'CS8602',
              message: 'Possible null reference',
              severity: 'warning',
              file: '/src/Api/Program.cs',
              line: 31,
              column: 2,
              project: 'Api.csproj',
            },
          ],
        },
      }),
  });
}
