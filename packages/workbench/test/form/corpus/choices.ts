import { type CorpusRow, object } from './row.js';

/** `anyOf`, `oneOf` and lists of types, at the root and below. */
export const CHOICES: readonly CorpusRow[] = [
  {
    title: 'anyOf of text and number',
    schema: object({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } }),
    steps: [
      ['/a', 'choose', 'Number'],
      ['/a', 'type', '3'],
    ],
    sent: '{"a":3}',
  },
  {
    title: 'a list of types',
    schema: object({ a: { type: ['string', 'array'], items: { type: 'string' } } }),
    steps: [
      ['/a', 'choose', 'List'],
      ['/a', 'item'],
      ['/a/0', 'type', 'x'],
    ],
    sent: '{"a":["x"]}',
  },
  {
    title: 'anyOf at the root by what is required',
    schema: {
      ...object({ id: { type: 'integer' }, name: { type: 'string' } }),
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    },
    steps: [
      ['', 'choose', 'With name'],
      ['/name', 'type', 'x'],
    ],
    sent: '{"name":"x"}',
  },
  {
    title: 'oneOf at the root by objects',
    schema: {
      type: 'object',
      oneOf: [
        { title: 'City', ...object({ city: { type: 'string' } }, 'city') },
        { title: 'Position', ...object({ lat: { type: 'number' } }, 'lat') },
      ],
    },
    steps: [
      ['', 'choose', 'Position'],
      ['/lat', 'type', '52.5'],
    ],
    sent: '{"lat":52.5}',
  },
  {
    title: 'a choice that is changed drops what it has no room for',
    schema: {
      type: 'object',
      oneOf: [
        { title: 'City', ...object({ city: { type: 'string' }, unit: { type: 'string' } }, 'city') },
        { title: 'Position', ...object({ lat: { type: 'number' }, unit: { type: 'string' } }, 'lat') },
      ],
    },
    steps: [
      ['/city', 'type', 'Rome'],
      ['/unit', 'type', 'C'],
      ['', 'choose', 'Position'],
      ['/lat', 'type', '1'],
    ],
    sent: '{"unit":"C","lat":1}',
  },
  {
    title: 'oneOf with a discriminator',
    schema: object(
      {
        shape: {
          oneOf: [
            object({ kind: { const: 'circle' }, r: { type: 'number' } }, 'kind', 'r'),
            object({ kind: { const: 'square' }, side: { type: 'number' } }, 'kind', 'side'),
          ],
        },
      },
      'shape',
    ),
    steps: [
      ['/shape', 'choose', 'square'],
      ['/shape/side', 'type', '2'],
    ],
    sent: '{"shape":{"kind":"square","side":2}}',
  },
  {
    title: 'a choice in a list',
    schema: object({ a: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } } }),
    steps: [
      ['/a', 'add'],
      ['/a', 'item'],
      ['/a/0', 'choose', 'True or false'],
      ['/a/0', 'pick', 'false'],
    ],
    sent: '{"a":[false]}',
  },
  {
    title: 'a choice in a choice',
    schema: object({
      a: {
        anyOf: [
          {
            title: 'Outer',
            anyOf: [
              { title: 'T', type: 'string' },
              { title: 'N', type: 'integer' },
            ],
          },
          { title: 'Flag', type: 'boolean' },
        ],
      },
    }),
    steps: [
      ['/a', 'choose', 'N'],
      ['/a', 'type', '8'],
    ],
    sent: '{"a":8}',
  },
];
