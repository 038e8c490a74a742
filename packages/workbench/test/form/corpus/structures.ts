import { type CorpusRow, object } from './row.js';

/** Objects, lists, tuples, maps. */
export const STRUCTURES: readonly CorpusRow[] = [
  {
    title: 'a nested object',
    schema: object({ a: object({ b: { type: 'string' } }) }),
    steps: [
      ['/a', 'add'],
      ['/a/b', 'type', 'x'],
    ],
    sent: '{"a":{"b":"x"}}',
  },
  {
    title: 'an optional object that is not added',
    schema: object({ a: object({ b: { type: 'string' } }, 'b') }),
    steps: [],
    sent: '{}',
  },
  {
    title: 'a required object with a required constant',
    schema: object({ a: object({ kind: { const: 'k' } }, 'kind') }, 'a'),
    steps: [],
    sent: '{"a":{"kind":"k"}}',
  },
  {
    title: 'a list',
    schema: object({ a: { type: 'array', items: { type: 'integer' } } }),
    steps: [
      ['/a', 'add'],
      ['/a', 'item'],
      ['/a/0', 'type', '1'],
      ['/a', 'item'],
      ['/a/1', 'type', '2'],
    ],
    sent: '{"a":[1,2]}',
  },
  {
    title: 'an empty list is not absent',
    schema: object({ a: { type: 'array', items: { type: 'integer' } } }),
    steps: [['/a', 'add']],
    sent: '{"a":[]}',
  },
  {
    title: 'a list in another order',
    schema: object({ a: { type: 'array', items: { type: 'string' } } }),
    steps: [
      ['', 'paste', '{"a":["x","y","z"]}'],
      ['/a/2', 'move', 0],
    ],
    sent: '{"a":["z","x","y"]}',
  },
  {
    title: 'an item removed',
    schema: object({ a: { type: 'array', items: { type: 'string' } } }),
    steps: [
      ['', 'paste', '{"a":["x","y","z"]}'],
      ['/a/1', 'remove'],
    ],
    sent: '{"a":["x","z"]}',
  },
  {
    title: 'a list without equal items',
    schema: object({ a: { type: 'array', items: { type: 'integer' }, uniqueItems: true } }),
    steps: [['', 'paste', '{"a":[1,1]}']],
    sent: '{"a":[1,1]}',
    issues: ['/a This must have only different items.'],
  },
  {
    title: 'a list with too few items',
    schema: object({ a: { type: 'array', items: { type: 'integer' }, minItems: 3 } }),
    steps: [['', 'paste', '{"a":[1,2]}']],
    sent: '{"a":[1,2]}',
    issues: ['/a This must have at least 3 items.'],
  },
  {
    title: 'an object with too few members',
    schema: object({ a: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 } }),
    steps: [['', 'paste', '{"a":{"x":1}}']],
    sent: '{"a":{"x":1}}',
    issues: ['/a This must have at least 2 members.'],
  },
  {
    title: 'a tuple',
    schema: object({ a: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false } }),
    steps: [
      ['/a', 'add'],
      ['/a', 'item'],
      ['/a/0', 'type', '1'],
      ['/a', 'item'],
      ['/a/1', 'type', 'km'],
    ],
    sent: '{"a":[1,"km"]}',
  },
  {
    title: 'a tuple of draft-07',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ a: { type: 'array', items: [{ type: 'boolean' }], additionalItems: { type: 'integer' } } }),
    },
    steps: [
      ['/a', 'add'],
      ['/a', 'item'],
      ['/a/0', 'pick', 'true'],
      ['/a', 'item'],
      ['/a/1', 'type', '4'],
    ],
    sent: '{"a":[true,4]}',
  },
  {
    title: 'a list of objects',
    schema: object({ a: { type: 'array', items: object({ n: { type: 'string' } }, 'n') } }),
    steps: [
      ['/a', 'add'],
      ['/a', 'item'],
      ['/a/0/n', 'type', 'x'],
    ],
    sent: '{"a":[{"n":"x"}]}',
  },
  {
    title: 'a list of lists',
    schema: object({ a: { type: 'array', items: { type: 'array', items: { type: 'integer' } } } }),
    steps: [
      ['/a', 'add'],
      ['/a', 'item'],
      ['/a/0', 'item'],
      ['/a/0/0', 'type', '9'],
    ],
    sent: '{"a":[[9]]}',
  },
  {
    title: 'a map',
    schema: object({ a: { type: 'object', additionalProperties: { type: 'integer' } } }),
    steps: [
      ['/a', 'add'],
      ['/a', 'member', 'x y'],
      ['/a/x y', 'type', '5'],
    ],
    sent: '{"a":{"x y":5}}',
  },
  {
    title: 'a map whose member is renamed',
    schema: object({ a: { type: 'object', additionalProperties: { type: 'string' } } }),
    steps: [
      ['', 'paste', '{"a":{"old":"v","other":"w"}}'],
      ['/a/old', 'rename', 'new'],
    ],
    sent: '{"a":{"new":"v","other":"w"}}',
  },
  {
    title: 'a map by pattern',
    schema: object({
      a: { type: 'object', patternProperties: { '^n_': { type: 'number' } }, additionalProperties: false },
    }),
    steps: [
      ['/a', 'add'],
      ['/a', 'member', 'n_1'],
      ['/a/n_1', 'type', '0.5'],
    ],
    sent: '{"a":{"n_1":0.5}}',
  },
  {
    title: 'a map of lists',
    schema: object({ a: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } } }),
    steps: [
      ['/a', 'add'],
      ['/a', 'member', 'k'],
      ['/a/k', 'item'],
      ['/a/k/0', 'type', 'v'],
    ],
    sent: '{"a":{"k":["v"]}}',
  },
  {
    title: 'a name with a slash and a tilde',
    schema: object({ 'a/b~c': { type: 'string' } }),
    steps: [['/a~1b~0c', 'type', 'x']],
    sent: '{"a/b~c":"x"}',
  },
  {
    title: 'a member that is called __proto__',
    schema: object({ a: { type: 'object', additionalProperties: { type: 'string' } } }),
    steps: [
      ['/a', 'add'],
      ['/a', 'member', '__proto__'],
      ['/a/__proto__', 'type', 'x'],
    ],
    sent: '{"a":{"__proto__":"x"}}',
  },
];
