import { makeShape } from '../../../shapes.mjs';

const text = (value) => ({ content: [{ type: 'text', text: 'x' }], structuredContent: { value } });

/** How a value of each kind is returned where that is not in structuredContent. */
const RESULTS = {
  'one text': (value) => ({ content: [{ type: 'text', text: value }] }),
  'an image': (data) => ({ content: [{ type: 'image', data, mimeType: 'image/png' }] }),
  'many blocks': (content) => ({ content }),
  'large _meta': (_meta) => ({ content: [{ type: 'text', text: 'x' }], _meta }),
};

export function register(api) {
  api.registerTool({
    name: 'make',
    description: 'Returns a large value',
    inputSchema: { type: 'object', properties: { shape: { type: 'string' }, limits: { type: 'object' } } },
    run: ({ shape, limits }) => (RESULTS[shape] ?? text)(makeShape(shape, limits)),
  });
  api.registerTool({
    name: 'take',
    description: 'Takes whatever it is given',
    inputSchema: { type: 'object', properties: { value: {} } },
    run: () => 'taken',
  });
}
